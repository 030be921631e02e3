import { type Html, html } from '#http/html.ts';
import type { FormField } from '#onboarding/form/fields-table.ts';
import type { Values } from '#onboarding/form/values.ts';
import { countryOptions } from '#onboarding/page/countries.ts';

/** What fields of one block are drawn from. */
export interface Scene {
  /** Of field names: nothing, or `owners.2.`. */
  readonly prefix: string;
  readonly stored: Readonly<Record<string, unknown>>;
  /** As it was sent, where it could not be kept. */
  readonly posted: Values | undefined;
  /** By the full name of the field. */
  readonly problems: ReadonlyMap<string, string>;
  /** Whether the identification number is on file; it is never shown. */
  readonly hasNumber: boolean;
}

export function drawFields(fields: readonly FormField[], scene: Scene): Html {
  return html`<div class="fields">${fields.map((field) => drawField(field, scene))}</div>`;
}

/** The element id of a field, by which the error summary finds it. */
export function idOf(name: string): string {
  return name.replaceAll('.', '-');
}

/** What a field's control refers to: its hint and what is wrong with it. */
export function about(name: string, hint: string | undefined, problem: string | undefined): Html {
  const ids = [hint && `${idOf(name)}-hint`, problem && `${idOf(name)}-error`].filter(Boolean).join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${problem && html` aria-invalid="true"`}`;
}

export function drawHint(name: string, hint: string | undefined): Html {
  return html`${hint && html`<span class="hint" id="${idOf(name)}-hint">${hint}</span>`}`;
}

export function drawProblem(name: string, problem: string | undefined): Html {
  return html`${problem && html`<p class="error" id="${idOf(name)}-error">${problem}</p>`}`;
}

function drawField(field: FormField, scene: Scene): Html {
  const name = `${scene.prefix}${field.path}`;
  const problem = scene.problems.get(name);
  const hint =
    field.kind === 'secret' && scene.hasNumber ? 'On file. Leave this empty to keep it' : field.hint;
  const width = field.isNarrow ? '' : 'wide';
  if (field.kind === 'choices' || field.kind === 'countries') {
    return html`<fieldset class="${width}"${about(name, hint, undefined)}>
<legend>${drawLabel(field)}</legend>
${field.kind === 'choices' ? drawChecks(field, name, scene) : drawCountries(field, name, scene)}
${drawHint(name, hint)}${drawProblem(name, problem)}</fieldset>`;
  }
  return html`<div class="${width}"><label for="${idOf(name)}">${drawLabel(field)}</label>
${drawControl(field, name, scene, about(name, hint, problem))}${drawHint(name, hint)}${drawProblem(name, problem)}</div>`;
}

function drawLabel({ label, isOptional }: FormField): Html {
  return html`${label}${isOptional && html` <span class="optional">(optional)</span>`}`;
}

function drawControl(field: FormField, name: string, scene: Scene, more: Html): Html {
  const [value = ''] = valuesOf(field, scene);
  const fill = field.autocomplete && html` autocomplete="${field.autocomplete}"`;
  const same = html`id="${idOf(name)}" name="${name}"${fill}${more}`;
  switch (field.kind) {
    case 'long':
      return html`<textarea ${same}>${value}</textarea>`;
    case 'country':
      return html`<select ${same}>${countryOptions(value)}</select>`;
    case 'choice':
      return html`<select ${same}><option value="">Choose</option>${drawOptions(field.options ?? [], value)}</select>`;
    case 'date':
      return html`<input type="date" ${same} value="${value}">`;
    case 'percent':
      return html`<input ${same} inputmode="numeric" value="${value}">`;
    case 'secret':
      return html`<input ${same} autocomplete="off" spellcheck="false" autocapitalize="characters">`;
    default:
      return html`<input ${same} value="${value}">`;
  }
}

export function drawOptions(options: NonNullable<FormField['options']>, chosen: string): Html {
  return html`${options.map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}`;
}

/** The blank value says that the question was asked, also when no box is ticked. */
function drawChecks(field: FormField, name: string, scene: Scene): Html {
  const chosen = valuesOf(field, scene);
  const boxes = (field.options ?? []).map(([value, label], i) => {
    const id = i === 0 ? idOf(name) : `${idOf(name)}-${i}`;
    const problem = i === 0 ? scene.problems.get(name) : undefined;
    return html`<label for="${id}"><input type="checkbox" id="${id}" name="${name}" value="${value}"${
      chosen.includes(value) && html` checked`
    }${about(name, undefined, problem)}>${label}</label>`;
  });
  return html`<input type="hidden" name="${name}" value=""><div class="checks">${boxes}</div>`;
}

const COUNTRIES_MIN = 3;

/** One list per country, always with a free one. */
function drawCountries(field: FormField, name: string, scene: Scene): Html {
  const chosen = valuesOf(field, scene);
  const count = Math.max(COUNTRIES_MIN, chosen.length + 1);
  const lists = Array.from({ length: count }, (_none, i) => {
    const id = i === 0 ? idOf(name) : `${idOf(name)}-${i}`;
    const problem = i === 0 ? scene.problems.get(name) : undefined;
    return html`<select id="${id}" name="${name}" aria-label="${field.label}, ${i + 1}"${about(
      name,
      undefined,
      problem,
    )}>${countryOptions(chosen[i] ?? '')}</select>`;
  });
  return html`<div class="row">${lists}</div>`;
}

/** As posted, else as stored. An identification number is neither. */
function valuesOf({ path, kind }: FormField, { posted, stored }: Scene): string[] {
  if (kind === 'secret') return [];
  const sent = posted?.get(path);
  if (sent) return sent.filter((text) => text !== '');
  let value: unknown = stored;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return [value ?? []].flat().map(String);
}
