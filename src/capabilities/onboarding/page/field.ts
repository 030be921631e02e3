import { iso31661 } from 'iso-3166/1.js';
import type { FormField } from '#capabilities/onboarding/form/fields-table.ts';
import type { Values } from '#capabilities/onboarding/form/values.ts';
import { type Html, html } from '#foundation/http/html-page.ts';

/** The data from which the fields of one block are rendered. */
export interface FieldsView {
  /** Prefix of field names: empty, or `owners.2.`. */
  readonly prefix: string;
  readonly stored: Readonly<Record<string, unknown>>;
  /** The posted values, if they could not be saved. */
  readonly posted: Values | undefined;
  /** Problems by the full name of the field. */
  readonly problems: ReadonlyMap<string, string>;
  /** Whether the identification number is on file; it is never shown. */
  readonly hasNumber: boolean;
}

export function renderFields(fields: readonly FormField[], view: FieldsView): Html {
  return html`<div class="fields">${fields.map((field) => renderField(field, view))}</div>`;
}

/** Returns the element id of a field, to which the error summary links. */
export function elementId(name: string): string {
  return name.replaceAll('.', '-');
}

/** ARIA attributes that connect a control with its hint and its error. */
export function describedBy(name: string, hint: string | undefined, problem: string | undefined): Html {
  const ids = [hint && `${elementId(name)}-hint`, problem && `${elementId(name)}-error`]
    .filter(Boolean)
    .join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${problem && html` aria-invalid="true"`}`;
}

export function renderHint(name: string, hint: string | undefined): Html {
  return html`${hint && html`<span class="hint" id="${elementId(name)}-hint">${hint}</span>`}`;
}

export function renderProblem(name: string, problem: string | undefined): Html {
  return html`${problem && html`<p class="error" id="${elementId(name)}-error">${problem}</p>`}`;
}

function renderField(field: FormField, view: FieldsView): Html {
  const name = `${view.prefix}${field.path}`;
  const problem = view.problems.get(name);
  const hint =
    field.kind === 'secret' && view.hasNumber ? 'On file. Leave this empty to keep it' : field.hint;
  const width = field.isNarrow ? '' : 'wide';
  if (field.kind === 'choices' || field.kind === 'countries') {
    return html`<fieldset class="${width}"${describedBy(name, hint, undefined)}>
<legend>${renderLabel(field)}</legend>
${field.kind === 'choices' ? renderChecks(field, name, view) : renderCountries(field, name, view)}
${renderHint(name, hint)}${renderProblem(name, problem)}</fieldset>`;
  }
  return html`<div class="${width}"><label for="${elementId(name)}">${renderLabel(field)}</label>
${renderControl(field, name, view, describedBy(name, hint, problem))}${renderHint(name, hint)}${renderProblem(name, problem)}</div>`;
}

function renderLabel({ label, isOptional }: FormField): Html {
  return html`${label}${isOptional && html` <span class="optional">(optional)</span>`}`;
}

function renderControl(field: FormField, name: string, view: FieldsView, more: Html): Html {
  const [value = ''] = fieldValues(field, view);
  const fill = field.autocomplete && html` autocomplete="${field.autocomplete}"`;
  const same = html`id="${elementId(name)}" name="${name}"${fill}${more}`;
  switch (field.kind) {
    case 'long':
      return html`<textarea ${same}>${value}</textarea>`;
    case 'country':
      return html`<select ${same}>${countryOptions(value)}</select>`;
    case 'choice':
      return html`<select ${same}><option value="">Choose</option>${renderOptions(field.options ?? [], value)}</select>`;
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

export function renderOptions(options: NonNullable<FormField['options']>, chosen: string): Html {
  return html`${options.map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}`;
}

/** The hidden blank value makes the browser send the field even if no box is ticked. */
function renderChecks(field: FormField, name: string, view: FieldsView): Html {
  const chosen = fieldValues(field, view);
  const boxes = (field.options ?? []).map(([value, label], i) => {
    const id = i === 0 ? elementId(name) : `${elementId(name)}-${i}`;
    const problem = i === 0 ? view.problems.get(name) : undefined;
    return html`<label for="${id}"><input type="checkbox" id="${id}" name="${name}" value="${value}"${
      chosen.includes(value) && html` checked`
    }${describedBy(name, undefined, problem)}>${label}</label>`;
  });
  return html`<input type="hidden" name="${name}" value=""><div class="checks">${boxes}</div>`;
}

const COUNTRIES_MIN = 3;

/** Renders one list per chosen country, plus an empty one. */
function renderCountries(field: FormField, name: string, view: FieldsView): Html {
  const chosen = fieldValues(field, view);
  const count = Math.max(COUNTRIES_MIN, chosen.length + 1);
  const lists = Array.from({ length: count }, (_none, i) => {
    const id = i === 0 ? elementId(name) : `${elementId(name)}-${i}`;
    const problem = i === 0 ? view.problems.get(name) : undefined;
    return html`<select id="${id}" name="${name}" aria-label="${field.label}, ${i + 1}"${describedBy(
      name,
      undefined,
      problem,
    )}>${countryOptions(chosen[i])}</select>`;
  });
  return html`<div class="row">${lists}</div>`;
}

/** Returns the posted values, else the stored ones; an identification number is never shown. */
function fieldValues({ path, kind }: FormField, { posted, stored }: FieldsView): string[] {
  if (kind === 'secret') return [];
  const sent = posted?.get(path);
  if (sent) return sent.filter((text) => text !== '');
  let value: unknown = stored;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return [value ?? []].flat().map(String);
}

/** Renders every country by its English name, with one selected. */
export function countryOptions(chosen: string | undefined): Html {
  return html`<option value="">Choose a country</option>${COUNTRIES.map(
    ([code, name]) => html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`,
  )}`;
}

const NAMES = new Intl.DisplayNames('en', { type: 'region' });

const COUNTRIES: readonly (readonly [code: string, name: string])[] = iso31661
  .filter(({ state }) => state === 'assigned')
  .map(({ alpha2 }) => [alpha2, NAMES.of(alpha2) ?? alpha2] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'));
