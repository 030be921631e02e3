import type { TSchema } from 'typebox';
import type { Validator } from '#http/validate.ts';
import { type FieldError, Refusal } from '#lib/refusals.ts';
import type { FormField } from '#onboarding/form/fields-table.ts';
import type { Values } from '#onboarding/form/values.ts';

export type Body = Record<string, unknown>;

/** A request as the API would get it, and what the form left empty although it must not be. */
export interface FormBody {
  readonly body: Body;
  readonly problems: FieldError[];
}

/**
 * What a block of a form says, as an API body. Fields that were not posted are absent; a posted blank clears,
 * keeps or is refused as its field says. A new record has nothing to clear: there every blank is absent.
 */
export function bodyOf(fields: readonly FormField[], values: Values, kind: 'new' | 'change'): FormBody {
  const body: Body = {};
  const problems: FieldError[] = [];
  for (const field of fields) {
    const posted = values.get(field.path);
    if (posted === undefined || isAddressPart(field.path)) continue;
    const texts = [...new Set(posted.filter((text) => text !== ''))];
    if (texts.length > 0) setPath(body, field.path, readValue(field, texts));
    else if (kind === 'new' || field.blank === 'keeps') continue;
    else if (field.blank === 'clears') setPath(body, field.path, null);
    else problems.push({ field: field.path, message: 'is required' });
  }
  addAddress(fields, values, { body, problems }, kind);
  return { body, problems };
}

function readValue({ kind }: FormField, texts: readonly string[]): unknown {
  const [first = ''] = texts;
  if (kind === 'countries' || kind === 'choices') return texts;
  const [, percent] = (kind === 'percent' && /^(\d{1,9}) ?%?$/.exec(first)) || [];
  return percent === undefined ? first : Number(percent);
}

const ADDRESS_PART = /^(.*address)\.(\w+)$/;

function isAddressPart(path: string): boolean {
  return ADDRESS_PART.test(path);
}

/** An address is one value: it is replaced whole, and one whose parts are all blank is none. */
function addAddress(
  fields: readonly FormField[],
  values: Values,
  { body, problems }: FormBody,
  kind: 'new' | 'change',
): void {
  const parts = fields.filter(({ path }) => isAddressPart(path) && values.has(path));
  const [first] = parts;
  if (!first) return;
  const [, group = ''] = ADDRESS_PART.exec(first.path) ?? [];
  const filled = parts.flatMap(({ path }) => {
    const text = values.get(path)?.find((posted) => posted !== '');
    return text === undefined ? [] : [{ path, text }];
  });
  for (const { path, text } of filled) setPath(body, path, text);
  if (filled.length > 0 || kind === 'new') return;
  // A customer may be without one; an owner may not.
  if (group === 'address') body.address = null;
  else problems.push({ field: `${group}.line1`, message: 'is required' });
}

function setPath(body: Body, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = body;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Body;
  }
  at[last] = value;
}

/** The same body without one field; an address goes whole, since no part of it stands for itself. */
export function withoutField(body: Body, path: string): Body {
  const [, group] = ADDRESS_PART.exec(path) ?? [];
  const names = (group ?? path).split('.').filter((name) => !/^\d+$/.test(name));
  const copy = structuredClone(body);
  const last = names.pop() ?? '';
  let at: Body | undefined = copy;
  for (const name of names) at = at?.[name] as Body | undefined;
  if (at) delete at[last];
  return copy;
}

export function isEmpty(body: Body): boolean {
  return Object.values(body).every(
    (value) => value !== null && typeof value === 'object' && !Array.isArray(value) && isEmpty(value as Body),
  );
}

/** Where a body breaks its schema. */
export function schemaProblems(validate: Validator, schema: TSchema, body: unknown): FieldError[] {
  try {
    validate(schema, body);
    return [];
  } catch (error) {
    return fieldErrors(error);
  }
}

/** The bad fields that a refusal names; anything else is not about fields and goes on its way. */
export function fieldErrors(error: unknown): FieldError[] {
  const errors = error instanceof Refusal ? error.details?.errors : undefined;
  if (!Array.isArray(errors) || errors.length === 0) throw error;
  return errors as FieldError[];
}
