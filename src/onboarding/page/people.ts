import type { Document } from '#documents/schemas.ts';
import { OWNER, OWNER_PLACES } from '#onboarding/form/fields-table.ts';
import { firstOf } from '#onboarding/form/values.ts';
import { drawFields, type Scene } from '#onboarding/page/field.ts';
import { type Html, html } from '#onboarding/page/html.ts';
import type { OwnerCard } from '#onboarding/page/owner-cards.ts';
import { drawPapers } from '#onboarding/page/papers.ts';

export interface PeopleScene {
  readonly cards: readonly OwnerCard[];
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
  const more = scene.cards.some(({ id }) => id !== undefined);
  return html`${scene.cards.map((card) => drawPerson(card, scene))}
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
${drawFields(PERSONAL, fields)}
<p class="group">Home address</p>${drawFields(ADDRESS, fields)}
<p class="group">Identification number</p>${drawFields(NUMBER, fields)}
<details${needsPapers(card) && html` open`}><summary>Identity documents<span class="unseen"> of ${title}</span></summary>
<p class="soft">Only for people who are not US nationals.</p>${papers}</details></fieldset></div>`;
}

/** An American is identified by number alone (§4.3). */
function needsPapers({ stored, saved }: OwnerCard): boolean {
  const kept = (stored.personalInfo as { nationality?: string } | undefined)?.nationality ?? '';
  const nationality = firstOf(saved?.block.values, 'personalInfo.nationality') || kept;
  return nationality !== '' && nationality !== 'US';
}
