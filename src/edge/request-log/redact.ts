import type { TSchema } from 'typebox';
import { branchFinder } from '#foundation/http/field-errors.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { isDateTime } from '#foundation/lib/dates.ts';
import { isPublicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';

/** Replaces a value that was present and is not shown. */
export const HIDDEN = '…';

/** Returns the storable part of a value: itself, parts of it, or only that it was present. */
export type Pick = (value: unknown) => unknown;

const picks = new WeakMap<TSchema, Pick>();

/**
 * Keeps only values that are harmless by their schema: choices, booleans, our ids, currency codes, amounts, times.
 * Everything else, above all free text, is hidden; fields that the schema does not know are omitted. The value is
 * checked as well, because a refused request may contain anything.
 */
export function pickHarmless(schema: TSchema): Pick {
  let pick = picks.get(schema);
  if (!pick) {
    pick = pickFor(schema);
    picks.set(schema, pick);
  }
  return pick;
}

interface AnySchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly TSchema[];
  readonly anyOf?: readonly TSchema[];
  readonly allOf?: readonly TSchema[];
}

function pickFor(schema: AnySchema): Pick {
  const { discriminator, oneOf, anyOf, allOf, items, properties } = schema;
  if (discriminator && oneOf) return pickTagged(discriminator.propertyName, oneOf);
  const branches = oneOf ?? anyOf ?? allOf;
  if (branches) return pickAny(branches);
  if (items) return pickList(items);
  if (properties) return pickObject(properties);
  return hidingNonNull((value) => isHarmless(schema, value));
}

function pickTagged(tag: string, branches: readonly TSchema[]): Pick {
  const branchOf = branchFinder(branches, tag);
  return (value) => {
    const branch = isObject(value) ? branchOf(value) : undefined;
    return branch ? pickHarmless(branch)(value) : HIDDEN;
  };
}

/** Combines the parts that any of several schemas shows. */
function pickAny(branches: readonly TSchema[]): Pick {
  return (value) => branches.map((branch) => pickHarmless(branch)(value)).reduce(together);
}

function together(one: unknown, other: unknown): unknown {
  if (one === HIDDEN) return other;
  if (!isObject(one) || !isObject(other)) return one;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in one ? (name in other ? together(one[name], other[name]) : one[name]) : other[name],
    ]),
  );
}

/** Only the first entries of a list are kept. */
const ENTRIES_MAX = 10;

function pickList(items: TSchema): Pick {
  return (value) => (Array.isArray(value) ? value.slice(0, ENTRIES_MAX).map(pickHarmless(items)) : HIDDEN);
}

function pickObject(properties: Readonly<Record<string, TSchema>>): Pick {
  const known = Object.entries(properties);
  return (value) => {
    if (!isObject(value)) return value === null ? null : HIDDEN;
    const kept: Record<string, unknown> = {};
    for (const [name, schema] of known) {
      if (Object.hasOwn(value, name)) kept[name] = pickMember(name, schema, value[name]);
    }
    return kept;
  };
}

/** Never kept: a card's expiry, and choices and numbers that describe a person. */
const NEVER: ReadonlySet<string> = new Set([
  'expMonth',
  'expYear',
  'annualIncomeRange',
  'netWorthRange',
  'pepStatus',
  'sourceOfFundsCategories',
  'sourceOfWealthCategories',
  'expectedMonthlyTransactionCount',
  'expectedMonthlyTransactionVolume',
  'purposeOfAccount',
  'idType',
  'ownershipPercentage',
  'roles',
]);
const HOLDS_CURRENCY = /currenc(y|ies)(Code)?$|^code$/i;

function pickMember(name: string, schema: TSchema, value: unknown): unknown {
  if (NEVER.has(name)) return HIDDEN;
  if (HOLDS_CURRENCY.test(name)) {
    if (isCurrency(value)) return value;
    if (Array.isArray(value) && value.every(isCurrency)) return value;
  }
  return pickHarmless(schema)(value);
}

function hidingNonNull(isKept: (value: unknown) => boolean): Pick {
  return (value) => (value === null || isKept(value) ? value : HIDDEN);
}

/** A larger number could be an account number. */
const NUMBER_MAX = 999_999_999_999;
const ID_PATTERN = '[0-9a-f]{8}-';

function isHarmless(schema: AnySchema, value: unknown): boolean {
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  if (schema.type === 'boolean') return typeof value === 'boolean';
  if (schema.type === 'integer' || schema.type === 'number')
    return typeof value === 'number' && Math.abs(value) <= NUMBER_MAX;
  if (schema.type !== 'string' || typeof value !== 'string') return false;
  if (schema.format === 'date-time') return isDateTime(value);
  if (schema.format === 'iso4217') return isCurrencyCode(value);
  return schema.pattern?.includes(ID_PATTERN) === true && isPublicId(value);
}

function isCurrency(value: unknown): boolean {
  return typeof value === 'string' && isCurrencyCode(value);
}

/** Returns all field names of a schema, at any depth. */
export function fieldNames(schema: TSchema | undefined, names = new Set<string>()): Set<string> {
  if (!schema) return names;
  const { oneOf = [], anyOf = [], allOf = [], items, properties = {} } = schema as AnySchema;
  for (const branch of [...oneOf, ...anyOf, ...allOf, ...(items ? [items] : [])]) fieldNames(branch, names);
  for (const [name, property] of Object.entries(properties)) fieldNames(property, names.add(name));
  return names;
}
