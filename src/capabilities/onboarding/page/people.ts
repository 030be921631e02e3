import type { Document } from '#capabilities/documents/schemas.ts';
import { OWNER, OWNER_PLACES } from '#capabilities/onboarding/form/fields-table.ts';
import { firstValue, PEOPLE_MAX } from '#capabilities/onboarding/form/values.ts';
import { renderDocuments } from '#capabilities/onboarding/page/documents.ts';
import { type FieldsView, renderFields } from '#capabilities/onboarding/page/field.ts';
import type { OwnerCard } from '#capabilities/onboarding/page/owner-cards.ts';
import { type Html, html } from '#foundation/http/html-page.ts';

export interface PeopleView {
  readonly cards: readonly OwnerCard[];
  /** All people of the business, including those without a card. */
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

/** Renders everyone named so far, and a button to add one more. */
export function renderPeople(view: PeopleView): Html {
  const known = view.cards.filter(({ id }) => id !== undefined).length;
  const unseen = view.peopleCount - known;
  const more = known > 0 && view.cards.length < PEOPLE_MAX;
  return html`${view.cards.map((card) => renderPerson(card, view))}
${unseen > 0 && html`<p class="soft">There ${unseen === 1 ? 'is' : 'are'} ${unseen} more, for whom this page has no space.</p>`}
${more && html`<div class="actions"><button name="action" value="addOwner" class="quiet">Save and add another person</button></div>`}`;
}

function renderPerson(card: OwnerCard, { documents, problems, open }: PeopleView): Html {
  const { prefix, id, title, stored, saved } = card;
  const posted = saved?.block.values;
  const fields: FieldsView = { prefix, stored, posted, problems, hasNumber: id !== undefined };
  const papers = renderDocuments({
    prefix,
    places: OWNER_PLACES,
    documents: documents.filter(({ documentHolder }) => documentHolder === id),
    posted: saved?.block.documents ?? [],
    problems,
    open,
  });
  return html`<div class="person"><fieldset><legend>${title}</legend>
${id !== undefined && html`<input type="hidden" name="${prefix}id" value="${id}">`}
${id === undefined && saved && html`<p class="unsaved">${title} is not saved yet: complete all of the details below.</p>`}
${renderFields(PERSONAL, fields)}
<p class="group">Home address</p>${renderFields(ADDRESS, fields)}
<p class="group">Identification number</p>${renderFields(NUMBER, fields)}
<details${needsDocuments(card) && html` open`}><summary>Identity documents<span class="unseen"> of ${title}</span></summary>
<p class="soft">Only for people who are not US nationals.</p>${papers}</details></fieldset></div>`;
}

/** A US national is identified by number alone (customers.md §4.3). */
function needsDocuments({ stored, saved }: OwnerCard): boolean {
  const kept = (stored.personalInfo as { nationality?: string } | undefined)?.nationality;
  const nationality = firstValue(saved?.block.values, 'personalInfo.nationality') || kept;
  return nationality !== undefined && nationality !== '' && nationality !== 'US';
}
