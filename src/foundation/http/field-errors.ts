import type { ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { typeOfId } from '#foundation/lib/ids.ts';
import type { Constraint, FieldError } from '#foundation/lib/refusals.ts';
import { checkUrl } from '#foundation/lib/urls.ts';

/** The constraint and the message for one failed keyword; undefined if another error is more precise. */
export function fieldError(error: ErrorObject): FieldError | undefined {
  const describe = KEYWORDS[error.keyword] ?? (() => ({ message: 'is not valid' }));
  const problem = describe(error, error.params as Record<string, unknown>);
  return problem && { field: fieldOf(error.instancePath), ...problem };
}

type FieldProblem = Omit<FieldError, 'field'> & { field?: string };
type Describe = (error: ErrorObject, params: Record<string, unknown>) => FieldProblem | undefined;

/** Composite keywords add nothing of their own: their branches report. */
const silent: Describe = () => undefined;

const KEYWORDS: Record<string, Describe> = {
  required: missing,
  discriminator: badTag,
  // The null branch of a clearable field reports nothing: its other branch says what is wrong.
  type: (error, { type }) => (type === 'null' ? undefined : { message: wrongType(error, String(type)) }),
  enum: (_error, { allowedValues }) =>
    withConstraint({ enum: allowedValues as string[] }, oneOfThese(allowedValues as string[])),
  const: (_error, { allowedValue }) =>
    withConstraint({ enum: [allowedValue as string] }, `must be ${JSON.stringify(allowedValue)}`),
  format: ({ data }, { format }) =>
    withConstraint(
      { format: String(format) },
      (format === 'url' && checkUrl(String(data))) || `must be a valid ${String(format)}`,
    ),
  pattern: (error, { pattern }) =>
    withConstraint({ pattern: String(pattern), ...formatOf(error) }, wrongForm(error)),
  minLength: (_error, { limit }) =>
    withConstraint({ minLength: Number(limit) }, atLeast(Number(limit), 'character', 'characters')),
  maxLength: (_error, { limit }) =>
    withConstraint({ maxLength: Number(limit) }, `must have at most ${limit} characters`),
  minItems: (_error, { limit }) => ({ message: atLeast(Number(limit), 'entry', 'entries') }),
  maxItems: (_error, { limit }) => ({ message: tooLong(Number(limit)) }),
  minimum: (_error, { limit }) => ({ message: `must be at least ${limit}` }),
  exclusiveMinimum: (_error, { limit }) => ({ message: `must be greater than ${limit}` }),
  maximum: (_error, { limit }) => ({ message: `must be at most ${limit}` }),
  additionalProperties: (error, { additionalProperty }) => ({
    field: join(fieldOf(error.instancePath), String(additionalProperty)),
    message: UNKNOWN_FIELD,
  }),
  anyOf: silent,
  oneOf: silent,
  allOf: silent,
  if: silent,
};

export const UNKNOWN_FIELD = 'is not a known field';

/** The number of values that a message names; the constraint lists all of them. */
const VALUES_MAX = 20;

function oneOfThese(values: readonly (string | number | boolean)[]): string {
  const named = values.slice(0, VALUES_MAX).join(', ');
  if (values.length <= 1) return `must be ${named}`;
  const others = values.length - VALUES_MAX;
  return others > 0 ? `must be one of ${named} and ${others} more` : `must be one of ${named}`;
}

function wrongType({ parentSchema, data }: ErrorObject, type: string): string {
  const isAmount = type === 'integer' && parentSchema !== undefined && 'x-minor-units' in parentSchema;
  const isNumber =
    typeof data === 'number' || (typeof data === 'string' && /^-?[0-9]+([.,][0-9]+)?$/.test(data));
  return isAmount && isNumber
    ? 'must be an integer in the smallest unit of the currency: 12.50 USD is 1250'
    : `must be ${article(type)}`;
}

/** Names the expected kind of id and the kind that was sent instead. */
function wrongForm({ parentSchema, data }: ErrorObject): string {
  const types = idTypesOf(parentSchema);
  if (types.length === 0) return 'does not have the expected form';
  const meant = types.map((type) => `${type}:<uuid>`).join(' or ');
  const sent = typeof data === 'string' ? typeOfId(data) : undefined;
  if (sent !== undefined && !types.includes(sent))
    return `must be ${meant}; it is the id of another kind: ${sent}`;
  return `must be an id of the form ${meant}`;
}

/** The kinds of resource that a schema of `idSchema`, `anyIdSchema` or `queryId` takes. */
function idTypesOf(schema: ErrorObject['parentSchema']): string[] {
  const { 'x-ids': types = [] } = (schema ?? {}) as { 'x-ids'?: string[] };
  return types;
}

function tooLong(limit: number): string {
  return `must have at most ${limit} entries`;
}

/** Whether the error concerns a list whose entries were not validated. */
export function isTooLong({ message }: FieldError): boolean {
  return /^must have at most \d+ entries$/.test(message);
}

function withConstraint(constraint: Constraint, message: string): FieldProblem {
  return { constraint, message };
}

/** A missing field has no constraint, unless the values it could have are known (platform.md §10.0.2). */
function missing(error: ErrorObject): FieldProblem {
  const name = String((error.params as { missingProperty: string }).missingProperty);
  const parent = error.parentSchema as TSchema & {
    discriminator?: { propertyName: string };
    oneOf?: TSchema[];
  };
  const known =
    parent.discriminator?.propertyName === name
      ? (parent.oneOf ?? []).flatMap((branch) => tagsOf(propertiesOf(branch)[name]))
      : tagsOf(propertiesOf(parent)[name]);
  const field = join(fieldOf(error.instancePath), name);
  return { field, ...(known.length > 0 && { constraint: { enum: known } }), message: 'is required' };
}

function badTag(error: ErrorObject): FieldProblem {
  const { tag, tagValue } = error.params as { tag: string; tagValue: unknown };
  const { oneOf = [] } = error.parentSchema as { oneOf?: TSchema[] };
  const known = oneOf.flatMap((branch) => tagsOf(propertiesOf(branch)[tag]));
  const message = tagValue === undefined ? 'is required' : oneOfThese(known);
  return { field: join(fieldOf(error.instancePath), tag), constraint: { enum: known }, message };
}

/** The values a tag may have: one literal or a list. */
export function tagsOf(schema: TSchema | undefined): string[] {
  const { const: literal, enum: values } = (schema ?? {}) as { const?: string; enum?: string[] };
  return literal !== undefined ? [literal] : (values ?? []);
}

/** Finds the branch of a union that the tag of a value names. The tag of an unvalidated value may be anything. */
export function branchFinder(
  branches: readonly TSchema[],
  tag: string,
): (value: Readonly<Record<string, unknown>>) => TSchema | undefined {
  const byTag = new Map<unknown, TSchema>(
    branches.flatMap((branch) => tagsOf(propertiesOf(branch)[tag]).map((name) => [name, branch])),
  );
  return (value) => byTag.get(value[tag]);
}

export function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return (schema as { properties?: Record<string, TSchema> }).properties ?? {};
}

function formatOf(error: ErrorObject): { format?: string } {
  const { format } = (error.parentSchema ?? {}) as { format?: string };
  return format === undefined ? {} : { format };
}

function fieldOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function atLeast(count: number, one: string, many: string): string {
  return count === 1 ? `must have at least one ${one}` : `must have at least ${count} ${many}`;
}
