import type { TSchema } from 'typebox';
import type { FormField } from '#capabilities/onboarding/form/fields-table.ts';
import type { Values } from '#capabilities/onboarding/form/values.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import { type FieldError, Refusal } from '#foundation/lib/refusals.ts';

export type Body = Record<string, unknown>;

/** The body of the equivalent API request, and the required fields that are empty. */
export interface FormBody {
  readonly body: Body;
  readonly problems: FieldError[];
}

/**
 * Converts a block of a form to an API body. Fields that were not posted are absent. The field's `blank` decides
 * whether a blank clears the stored value, keeps it or is refused. A new record has nothing to clear, so a blank field
 * is absent.
 */
export function buildBody(fields: readonly FormField[], values: Values, kind: 'new' | 'change'): FormBody {
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

/** An address is replaced entirely; one with only blank parts is absent. */
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
  // A customer may have no address; an owner must have one.
  if (group === 'address') body.address = null;
  else problems.push({ field: `${group}.line1`, message: 'is required' });
}

function setPath(body: Body, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let at = body;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Body;
  }
  at[last] = value;
}

/** Returns the body without one field; an address is removed entirely, because no part is valid alone. */
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

export function schemaProblems(validate: Validator, schema: TSchema, body: unknown): FieldError[] {
  try {
    validate(schema, body);
    return [];
  } catch (error) {
    return fieldErrors(error);
  }
}

/** Returns the fields that a refusal names; rethrows any other error. */
export function fieldErrors(error: unknown): FieldError[] {
  const errors = error instanceof Refusal ? error.details?.errors : undefined;
  if (!Array.isArray(errors) || errors.length === 0) throw error;
  return errors as FieldError[];
}

/** Fields that are checked together: if the first is refused, any of the others may be the reason. */
const RELATED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  identifier: ['idType', 'countryOfIssuance'],
  countryOfIssuance: ['idType'],
  idType: ['identifier', 'countryOfIssuance'],
  'businessInfo.taxId': ['businessInfo.country'],
  'businessInfo.purposeOfAccountOtherDescription': ['businessInfo.purposeOfAccount'],
  'personalInfo.identifier': ['personalInfo.idType', 'personalInfo.countryOfIssuance'],
  'personalInfo.countryOfIssuance': ['personalInfo.idType'],
  'personalInfo.idType': ['personalInfo.identifier', 'personalInfo.countryOfIssuance'],
};

/**
 * Saves the fields of a body that the API's rules accept: refused fields are removed and the rest is retried. `save`
 * must refuse before it writes anything. Returns every refused field once.
 */
export async function saveValidFields(
  body: Body,
  save: (body: Body) => Promise<unknown>,
): Promise<FieldError[]> {
  const found: FieldError[] = [];
  for (let rest = body; !isEmpty(rest); ) {
    try {
      await save(rest);
      return found;
    } catch (error) {
      const errors = fieldErrors(error);
      found.push(...errors.filter(({ field }) => !found.some((known) => known.field === field)));
      const next = takeOut(
        rest,
        errors.map(({ field }) => field),
      );
      // The problem is in the stored data, so removing fields does not help.
      if (isSame(next, rest)) return found;
      rest = next;
    }
  }
  return found;
}

function takeOut(body: Body, fields: readonly string[]): Body {
  const without = fields.reduce(withoutField, body);
  if (!isSame(without, body)) return without;
  return fields.flatMap((field) => RELATED_FIELDS[field] ?? []).reduce(withoutField, body);
}

function isSame(a: Body, b: Body): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
