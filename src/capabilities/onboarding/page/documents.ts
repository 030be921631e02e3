import type { Document } from '#capabilities/documents/schemas.ts';
import { DOCUMENT_LABELS, type DocumentPlace } from '#capabilities/onboarding/form/fields-table.ts';
import { type DocumentBlock, firstValue } from '#capabilities/onboarding/form/values.ts';
import {
  countryOptions,
  describedBy,
  elementId,
  renderHint,
  renderOptions,
  renderProblem,
} from '#capabilities/onboarding/page/field.ts';
import { blockIndex } from '#capabilities/onboarding/page/problems.ts';
import { type Html, html } from '#foundation/http/html-page.ts';

/** The data from which one holder's document slots are rendered. */
export interface DocumentsView {
  readonly prefix: string;
  readonly places: readonly DocumentPlace[];
  /** The holder's stored documents. */
  readonly documents: readonly Document[];
  readonly posted: readonly DocumentBlock[];
  readonly problems: ReadonlyMap<string, string>;
  /** Names of fields with something missing, whether it is shown or not. */
  readonly open: ReadonlySet<string>;
}

const FORMATS = 'PDF, JPEG or PNG, up to 10 MB';

export function renderDocuments(view: DocumentsView): Html {
  return html`${view.places.map((place, i) => renderPlace(place, blockIndex(view.places, i), view))}`;
}

/** If a document is on file, the fields for a replacement are collapsed. */
function renderPlace(place: DocumentPlace, index: number, view: DocumentsView): Html {
  const name = `${view.prefix}documents.${index}`;
  const onFile = view.documents.filter(({ documentType }) => place.accepted.includes(documentType));
  const hasProblem = [...view.problems.keys()].some((at) => at.startsWith(`${name}.`));
  const isMissing = view.open.has(`${name}.file`);
  // The description of a saved file is not shown again: the fields are for a replacement.
  const sent = view.posted[index];
  const unsaved = sent?.file === undefined || hasProblem ? sent : undefined;
  const fields = html`<div class="fields">${renderDescription(place, name, unsaved, view)}
${renderFile(`${name}.file`, place.hasBack ? 'Photo page or front' : 'File', view)}
${place.hasBack && renderBack(`${view.prefix}documents.${index + 1}`, view)}</div>`;
  return html`<div class="paper"><fieldset><legend>${place.title}</legend><p class="soft">${place.hint}</p>
${onFile.length > 0 && renderOnFile(onFile)}
${
  onFile.length > 0 && !isMissing && !hasProblem
    ? html`<details><summary>Send another one instead<span class="unseen"> of ${place.title}</span></summary>${fields}</details>`
    : fields
}</fieldset></div>`;
}

function renderOnFile(documents: readonly Document[]): Html {
  const lines = documents.map(({ documentType, side, fileName }) => {
    const which = side === undefined ? '' : side === 'FRONT' ? ', front' : ', back';
    return html`<li>${DOCUMENT_LABELS[documentType] ?? documentType}${which}: ${fileName}</li>`;
  });
  return html`<div class="filed">We have<ul>${lines}</ul></div>`;
}

function renderDescription(
  place: DocumentPlace,
  name: string,
  block: DocumentBlock | undefined,
  view: DocumentsView,
): Html {
  const [only, ...others] = place.accepted;
  const sent = (field: string) => firstValue(block?.values, field);
  const options = place.accepted.map((type) => [type, DOCUMENT_LABELS[type] ?? type] as const);
  return html`${
    others.length === 0
      ? html`<input type="hidden" name="${name}.documentType" value="${only}">`
      : renderSelect(
          `${name}.documentType`,
          'Kind of document',
          renderOptions(options, sent('documentType')),
          view,
        )
  }${renderSelect(`${name}.country`, 'Country that issued it', undefined, view, sent('country'))}${
    place.isIdentity &&
    html`${renderText(`${name}.documentNumber`, 'Number of the document', view)}
${renderText(`${name}.issuingAuthority`, 'Issued by', view, {
  hint: 'For example: Department of State',
  value: sent('issuingAuthority'),
})}`
  }`;
}

function renderSelect(
  name: string,
  label: string,
  options: Html | undefined,
  view: DocumentsView,
  country = '',
): Html {
  const problem = view.problems.get(name);
  const choices = options ? html`<option value="">Choose</option>${options}` : countryOptions(country);
  return html`<div><label for="${elementId(name)}">${label}</label>
<select id="${elementId(name)}" name="${name}"${describedBy(name, undefined, problem)}>${choices}</select>${renderProblem(name, problem)}</div>`;
}

/** A document's number is private, like the holder's own number, and is never shown again. */
function renderText(
  name: string,
  label: string,
  view: DocumentsView,
  { hint, value = '' }: { readonly hint?: string; readonly value?: string } = {},
): Html {
  const problem = view.problems.get(name);
  return html`<div><label for="${elementId(name)}">${label}</label>
<input id="${elementId(name)}" name="${name}" autocomplete="off" value="${value}"${describedBy(name, hint, problem)}>${renderHint(name, hint)}${renderProblem(name, problem)}</div>`;
}

function renderBack(name: string, view: DocumentsView): Html {
  return html`<input type="hidden" name="${name}.side" value="BACK">${renderFile(
    `${name}.file`,
    'Back of a card',
    view,
    'Not needed for passports, or if the first file shows both sides',
  )}`;
}

function renderFile(name: string, label: string, view: DocumentsView, more?: string): Html {
  const problem = view.problems.get(name);
  const hint = more ?? FORMATS;
  return html`<div class="wide"><label for="${elementId(name)}">${label}</label>
<input type="file" id="${elementId(name)}" name="${name}" accept="application/pdf,image/jpeg,image/png"${describedBy(name, hint, problem)}>
${renderHint(name, hint)}${renderProblem(name, problem)}</div>`;
}
