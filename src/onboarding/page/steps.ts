import type { Html } from '#http/html.ts';
import {
  ACTIVITY,
  COMPANY,
  COMPANY_ADDRESS,
  COMPANY_CONTACT,
  COMPANY_PLACES,
  type FormField,
  PERSON_ABOUT,
  PERSON_ADDRESS,
  PERSON_NUMBER,
  PERSON_PLACES,
} from '#onboarding/form/fields-table.ts';
import type { SavedForm } from '#onboarding/form/save-form.ts';
import { drawFields } from '#onboarding/page/field.ts';
import type { PageData } from '#onboarding/page/load-page.ts';
import type { OwnerCard } from '#onboarding/page/owner-cards.ts';
import { drawPapers } from '#onboarding/page/papers.ts';
import { drawPeople } from '#onboarding/page/people.ts';
import type { Problem } from '#onboarding/page/problems.ts';

/** One step of the page. */
export interface FormStep {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly body: Html;
  /** Whether a field of this name stands here. */
  holds(name: string): boolean;
}

/** What the steps are drawn from. */
export interface FormScene {
  readonly data: PageData;
  readonly saved: SavedForm | undefined;
  readonly cards: readonly OwnerCard[];
  /** What is told at its field. */
  readonly shown: readonly Problem[];
  /** All that is wrong or missing, told or not. */
  readonly all: readonly Problem[];
}

/** customers.md §6.5. */
export function stepsOf(scene: FormScene): FormStep[] {
  const { data } = scene;
  if (!data.isBusiness) {
    return [
      fieldStep('about', 'About you', 'As it stands in your identity document.', PERSON_ABOUT, scene),
      fieldStep('address', 'Home address', 'Where you live, not a post box.', PERSON_ADDRESS, scene),
      fieldStep(
        'number',
        'Tax number',
        'It is stored encrypted and never shown again.',
        PERSON_NUMBER,
        scene,
      ),
      paperStep(scene),
    ];
  }
  const company = data.needsContact ? [...COMPANY, ...COMPANY_CONTACT] : COMPANY;
  return [
    fieldStep('company', 'Company', 'As it is registered.', company, scene),
    fieldStep('address', 'Address', 'Where the business is.', COMPANY_ADDRESS, scene),
    fieldStep('activity', 'Activity', 'What you plan to do with the account.', ACTIVITY, scene),
    paperStep(scene),
    peopleStep(scene),
  ];
}

function fieldStep(
  id: string,
  title: string,
  intro: string,
  fields: readonly FormField[],
  { data, saved, shown }: FormScene,
): FormStep {
  const { stored, hasIdentifier: hasNumber } = data;
  const posted = saved?.block.values;
  return {
    id,
    title,
    intro,
    body: drawFields(fields, { prefix: '', stored, posted, problems: byPlace(shown), hasNumber }),
    holds: (name) => fields.some(({ path }) => path === name),
  };
}

function paperStep({ data, saved, shown, all }: FormScene): FormStep {
  const { isBusiness, customerId } = data;
  return {
    id: 'documents',
    title: isBusiness ? 'Documents' : 'Identity document',
    intro: isBusiness ? 'One of each kind.' : 'A clear photo or scan, with all four corners in view.',
    body: drawPapers({
      prefix: '',
      places: isBusiness ? COMPANY_PLACES : PERSON_PLACES,
      documents: data.documents.filter(({ documentHolder }) => documentHolder === customerId),
      posted: saved?.block.documents ?? [],
      problems: byPlace(shown),
      open: places(all),
    }),
    holds: (name) => name.startsWith('documents.'),
  };
}

function peopleStep({ data, cards, shown, all }: FormScene): FormStep {
  return {
    id: 'people',
    title: 'People',
    intro:
      'Name everyone who owns 25 percent or more, and at least one person who controls the business: ' +
      'a director, an officer or the like. One person can be both.',
    body: drawPeople({
      cards,
      peopleCount: data.owners.length,
      documents: data.documents,
      problems: byPlace(shown),
      open: places(all),
    }),
    holds: (name) => name.startsWith('owners.'),
  };
}

function byPlace(problems: readonly Problem[]): ReadonlyMap<string, string> {
  return new Map(problems.map(({ at, text }) => [at, text]));
}

function places(problems: readonly Problem[]): ReadonlySet<string> {
  return new Set(problems.map(({ at }) => at));
}
