import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { fieldError, propertiesOf, tagsOf } from '#foundation/http/field-errors.ts';
import { createCompile } from '#foundation/http/read/compile-schema.ts';
import { FORMATS } from '#foundation/http/read/formats.ts';
import { type FieldError, invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** The most bad fields that a refusal lists; further ones are left out. */
export const ERRORS_MAX = 100;

/** The most failed keywords that are considered: nested lists can fail a hundred thousand times. */
const FAILURES_MAX = 2_000;

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  formats: FORMATS,
  // Property names come from our schemas; messages are our own.
  messages: false,
});

/** Compiles once per process, at first use: compiling the schemas of all operations would make every start slow. */
const compile = createCompile(ajv);

export type Validator = typeof validate;

/** Refuses a value that breaks its schema, naming every bad field at once (platform.md §10.0.2). */
export function validate(schema: TSchema, value: unknown): void {
  const isValid = compile(schema);
  if (!isValid(value)) throw validationRefusal(schema, value, isValid.errors ?? []);
  const amount = checkAmounts(schema, value);
  if (amount) throw amount;
}

/** The schema violations of a value, for a caller that adds errors of its own. */
export function checkSchema(schema: TSchema, value: unknown, validate: Validator): readonly FieldError[] {
  try {
    validate(schema, value);
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_INPUT')
      return error.details?.errors as FieldError[];
    throw error;
  }
}

/**
 * An amount to be moved that is zero or negative has a code of its own, if everything else is valid (platform.md §1.2.4).
 */
function checkAmounts(schema: TSchema, value: unknown, path = ''): Refusal | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  for (const branch of matchingBranches(schema, value as Record<string, unknown>)) {
    for (const [name, property] of Object.entries(propertiesOf(branch))) {
      const member = (value as Record<string, unknown>)[name];
      const at = path ? `${path}.${name}` : name;
      if ('x-amount' in property && typeof member === 'number' && member <= 0) {
        return invalidFields([{ field: at, message: 'must be greater than zero' }], 'INVALID_AMOUNT');
      }
      const deeper = checkAmounts(property, member, at);
      if (deeper) return deeper;
    }
  }
  return undefined;
}

function matchingBranches(schema: TSchema, value: Record<string, unknown>): TSchema[] {
  const { oneOf, discriminator } = schema as { oneOf?: TSchema[]; discriminator?: { propertyName: string } };
  if (!oneOf || !discriminator) return [schema];
  const tag = discriminator.propertyName;
  return oneOf.filter((branch) => tagsOf(propertiesOf(branch)[tag]).includes(value[tag] as string));
}

function validationRefusal(schema: TSchema, value: unknown, errors: ErrorObject[]): Refusal {
  const fields = new Map<string, FieldError>();
  for (const error of errors.slice(0, FAILURES_MAX)) {
    const field = fieldError(error);
    if (!field) continue;
    const earlier = fields.get(field.field);
    if (!earlier) fields.set(field.field, field);
    else if (field.constraint) earlier.constraint = { ...field.constraint, ...earlier.constraint };
  }
  return invalidFields(inDocumentOrder(schema, [...fields.values()], value).slice(0, ERRORS_MAX));
}

/**
 * Errors in the order in which the document lists their fields (platform.md §10.0.2); the value decides the branch of a
 * union.
 */
export function inDocumentOrder(
  schema: TSchema,
  errors: readonly FieldError[],
  value?: unknown,
): FieldError[] {
  return errors
    .map((error) => ({ error, rank: rankField(schema, error.field, value) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ error }) => error);
}

/** The position of a field in the document, for sorting. */
function rankField(schema: TSchema | undefined, field: string, value: unknown): number[] {
  const ranks: number[] = [];
  let at = schema;
  let here = value;
  for (const part of field.split('.')) {
    const holder = candidates(at, here).find((candidate) => part in propertiesOf(candidate));
    here = isRecord(here) ? here[part] : undefined;
    if (/^\d+$/.test(part) && at && 'items' in at) {
      ranks.push(Number(part));
      at = at.items as TSchema;
      continue;
    }
    const names = holder ? Object.keys(propertiesOf(holder)) : [];
    ranks.push(holder ? names.indexOf(part) : Number.MAX_SAFE_INTEGER);
    at = holder ? propertiesOf(holder)[part] : undefined;
  }
  return ranks;
}

function candidates(schema: TSchema | undefined, value: unknown): TSchema[] {
  if (!schema) return [];
  const { oneOf = [], anyOf = [] } = schema as { oneOf?: TSchema[]; anyOf?: TSchema[] };
  const meant = isRecord(value) ? matchingBranches(schema, value) : [];
  return [schema, ...meant, ...oneOf, ...anyOf.flatMap((branch) => candidates(branch, value))];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function compareRanks(a: number[], b: number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
