import type { Document } from '#documents/schemas.ts';
import { type Html, html } from '#http/html.ts';
import { DOCUMENT_LABELS, type DocumentPlace } from '#onboarding/form/fields-table.ts';
import { type DocumentBlock, firstOf } from '#onboarding/form/values.ts';
import { countryOptions } from '#onboarding/page/countries.ts';
import { about, drawHint, drawOptions, drawProblem, idOf } from '#onboarding/page/field.ts';
import { blockIndex } from '#onboarding/page/problems.ts';

/** What the places for one holder's documents are drawn from. */
export interface PaperScene {
  readonly prefix: string;
  readonly places: readonly DocumentPlace[];
  /** The holder's own. */
  readonly documents: readonly Document[];
  readonly posted: readonly DocumentBlock[];
  readonly problems: ReadonlyMap<string, string>;
  /** Names of fields at which something is missing, told or not. */
  readonly open: ReadonlySet<string>;
}

const FORMATS = 'PDF, JPEG or PNG, up to 10 MB';

export function drawPapers(scene: PaperScene): Html {
  return html`${scene.places.map((place, i) => drawPlace(place, blockIndex(scene.places, i), scene))}`;
}

/** Where the document is on file, the fields for another one are folded away. */
function drawPlace(place: DocumentPlace, index: number, scene: PaperScene): Html {
  const name = `${scene.prefix}documents.${index}`;
  const filed = scene.documents.filter(({ documentType }) => place.accepted.includes(documentType));
  const hasProblem = [...scene.problems.keys()].some((at) => at.startsWith(`${name}.`));
  const isMissing = scene.open.has(`${name}.file`);
  // What was said of a file that was kept is said; the place is free for another one.
  const sent = scene.posted[index];
  const unkept = sent?.file === undefined || hasProblem ? sent : undefined;
  const fields = html`<div class="fields">${drawWords(place, name, unkept, scene)}
${drawFile(`${name}.file`, place.hasBack ? 'Photo page or front' : 'File', scene)}
${place.hasBack && drawBack(`${scene.prefix}documents.${index + 1}`, scene)}</div>`;
  return html`<div class="paper"><fieldset><legend>${place.title}</legend><p class="soft">${place.hint}</p>
${filed.length > 0 && drawFiled(filed)}
${
  filed.length > 0 && !isMissing && !hasProblem
    ? html`<details><summary>Send another one instead<span class="unseen"> of ${place.title}</span></summary>${fields}</details>`
    : fields
}</fieldset></div>`;
}

function drawFiled(documents: readonly Document[]): Html {
  const lines = documents.map(({ documentType, side, fileName }) => {
    const which = side === undefined ? '' : side === 'FRONT' ? ', front' : ', back';
    return html`<li>${DOCUMENT_LABELS[documentType] ?? documentType}${which}: ${fileName}</li>`;
  });
  return html`<div class="filed">We have<ul>${lines}</ul></div>`;
}

function drawWords(
  place: DocumentPlace,
  name: string,
  block: DocumentBlock | undefined,
  scene: PaperScene,
): Html {
  const [only, ...others] = place.accepted;
  const sent = (field: string) => firstOf(block?.values, field);
  const options = place.accepted.map((type) => [type, DOCUMENT_LABELS[type] ?? type] as const);
  return html`${
    others.length === 0
      ? html`<input type="hidden" name="${name}.documentType" value="${only}">`
      : drawSelect(
          `${name}.documentType`,
          'Kind of document',
          drawOptions(options, sent('documentType')),
          scene,
        )
  }${drawSelect(`${name}.country`, 'Country that issued it', undefined, scene, sent('country'))}${
    place.isIdentity &&
    html`${drawText(`${name}.documentNumber`, 'Number of the document', scene)}
${drawText(`${name}.issuingAuthority`, 'Issued by', scene, {
  hint: 'For example: Department of State',
  value: sent('issuingAuthority'),
})}`
  }`;
}

function drawSelect(
  name: string,
  label: string,
  options: Html | undefined,
  scene: PaperScene,
  country = '',
): Html {
  const problem = scene.problems.get(name);
  const choices = options ? html`<option value="">Choose</option>${options}` : countryOptions(country);
  return html`<div><label for="${idOf(name)}">${label}</label>
<select id="${idOf(name)}" name="${name}"${about(name, undefined, problem)}>${choices}</select>${drawProblem(name, problem)}</div>`;
}

/** A number on a document is as private as the holder's own: it is not shown again either. */
function drawText(
  name: string,
  label: string,
  scene: PaperScene,
  { hint, value = '' }: { readonly hint?: string; readonly value?: string } = {},
): Html {
  const problem = scene.problems.get(name);
  return html`<div><label for="${idOf(name)}">${label}</label>
<input id="${idOf(name)}" name="${name}" autocomplete="off" value="${value}"${about(name, hint, problem)}>${drawHint(name, hint)}${drawProblem(name, problem)}</div>`;
}

function drawBack(name: string, scene: PaperScene): Html {
  return html`<input type="hidden" name="${name}.side" value="BACK">${drawFile(
    `${name}.file`,
    'Back of a card',
    scene,
    'Not for passports, nor if the first file shows both sides',
  )}`;
}

function drawFile(name: string, label: string, scene: PaperScene, more?: string): Html {
  const problem = scene.problems.get(name);
  const hint = more ?? FORMATS;
  return html`<div class="wide"><label for="${idOf(name)}">${label}</label>
<input type="file" id="${idOf(name)}" name="${name}" accept="application/pdf,image/jpeg,image/png"${about(name, hint, problem)}>
${drawHint(name, hint)}${drawProblem(name, problem)}</div>`;
}
