import type { Document } from '#documents/schemas.ts';
import { type Html, html } from '#http/html.ts';
import { OWNER, OWNER_PLACES } from '#onboarding/form/fields-table.ts';
import { firstOf, PEOPLE_MAX } from '#onboarding/form/values.ts';
import { drawFields, type Scene } from '#onboarding/page/field.ts';
import type { OwnerCard } from '#onboarding/page/owner-cards.ts';
import { drawPapers } from '#onboarding/page/papers.ts';

export interface PeopleScene {
  readonly cards: readonly OwnerCard[];
  /** Of the business, whether they have a card or not. */
  readonly peopleCount: number;
  readonly documents: readonly Document[];
  readonly problems: ReadonlyMap<string, string>;
  readonly open: ReadonlySet<string>;
}

const [PERSONAL, ADDRESS, NUMBER] = [
  OWNER.filter(({ path }) => !/address|idType|identifier|countryOfIssuance/.test(path)),
  OWNER.filter(({ path }) => path.includes('address')),
  OWNER.filter(({ path }) => /idType|identifier|countryOfIssuance/.test(path)),
];

/** Everyone named so far, and a way to name one more. */
export function drawPeople(scene: PeopleScene): Html {
  const known = scene.cards.filter(({ id }) => id !== undefined).length;
  const unseen = scene.peopleCount - known;
  const more = known > 0 && scene.cards.length < PEOPLE_MAX;
  return html`${scene.cards.map((card) => drawPerson(card, scene))}
${unseen > 0 && html`<p class="soft">There ${unseen === 1 ? 'is' : 'are'} ${unseen} more, for whom this page has no room.</p>`}
${more && html`<div class="actions"><button name="action" value="addOwner" class="quiet">Save and add another person</button></div>`}`;
}

function drawPerson(card: OwnerCard, { documents, problems, open }: PeopleScene): Html {
  const { prefix, id, title, stored, saved } = card;
  const posted = saved?.block.values;
  const fields: Scene = { prefix, stored, posted, problems, hasNumber: id !== undefined };
  const papers = drawPapers({
    prefix,
    places: OWNER_PLACES,
    documents: documents.filter(({ documentHolder }) => documentHolder === id),
    posted: saved?.block.documents ?? [],
    problems,
    open,
  });
  return html`<div class="person"><fieldset><legend>${title}</legend>
${id !== undefined && html`<input type="hidden" name="${prefix}id" value="${id}">`}
${id === undefined && saved && html`<p class="unsaved">${title} is not saved yet: that happens once all of the details below are there.</p>`}
${drawFields(PERSONAL, fields)}
<p class="group">Home address</p>${drawFields(ADDRESS, fields)}
<p class="group">Identification number</p>${drawFields(NUMBER, fields)}
<details${needsPapers(card) && html` open`}><summary>Identity documents<span class="unseen"> of ${title}</span></summary>
<p class="soft">Only for people who are not US nationals.</p>${papers}</details></fieldset></div>`;
}

/** An American is identified by number alone (customers.md §4.3). */
function needsPapers({ stored, saved }: OwnerCard): boolean {
  const kept = (stored.personalInfo as { nationality?: string } | undefined)?.nationality ?? '';
  const nationality = firstOf(saved?.block.values, 'personalInfo.nationality') || kept;
  return nationality !== '' && nationality !== 'US';
}
