import type { BeneficialOwner } from '#capabilities/customers/owner-schemas.ts';
import type { SavedForm } from '#capabilities/onboarding/form/save-form.ts';
import { firstValue, PEOPLE_MAX } from '#capabilities/onboarding/form/values.ts';
import type { PageData } from '#capabilities/onboarding/page/load-page.ts';

/** One person on the page: stored, entered but not yet stored, or the empty card for one more. */
export interface OwnerCard {
  /** `owners.2.` */
  readonly prefix: string;
  readonly id: BeneficialOwner['id'] | undefined;
  readonly title: string;
  /** `Ada Lovelace’s`, for sentences about the person. */
  readonly whose: string;
  readonly stored: Readonly<Record<string, unknown>>;
  readonly saved: SavedForm['owners'][number] | undefined;
}

/**
 * Returns the owners of the business, oldest first, then new ones from the form, up to the page's maximum.
 */
export function ownerCards(
  { owners }: PageData,
  saved: SavedForm | undefined,
  wantsMore: boolean,
): OwnerCard[] {
  const entered = saved?.owners ?? [];
  const added = entered.filter(({ id }) => id === undefined);
  const cards: Omit<OwnerCard, 'prefix'>[] = [
    ...owners.slice(0, Math.max(0, PEOPLE_MAX - added.length)).map(({ id, stored }) => ({
      id,
      ...ownerTitle(nameOf(stored), ''),
      stored,
      saved: entered.find((owner) => owner.id === id),
    })),
    ...added.map((owner) => ({
      id: undefined,
      ...ownerTitle(typedName(owner), 'New person'),
      stored: {},
      saved: owner,
    })),
  ];
  if (cards.length === 0 || (wantsMore && cards.length < PEOPLE_MAX)) {
    cards.push({
      id: undefined,
      ...ownerTitle('', cards.length === 0 ? 'First person' : 'Another person'),
      stored: {},
      saved: undefined,
    });
  }
  return cards.map((card, index) => ({ ...card, prefix: `owners.${index}.` }));
}

function ownerTitle(name: string, unnamed: string): Pick<OwnerCard, 'title' | 'whose'> {
  return name === '' ? { title: unnamed, whose: 'this person’s' } : { title: name, whose: `${name}’s` };
}

/** Longer names are cut, because every sentence about the person repeats the name. */
const NAME_MAX = 60;

function typedName({ block }: SavedForm['owners'][number]): string {
  const names = ['firstName', 'lastName'].map((name) => firstValue(block.values, `personalInfo.${name}`));
  const name = names.join(' ').trim();
  return name.length > NAME_MAX ? '' : name;
}

function nameOf(stored: Readonly<Record<string, unknown>>): string {
  const { firstName, lastName } = stored.personalInfo as { firstName: string; lastName: string };
  return `${firstName} ${lastName}`;
}
