import type { TSchema } from 'typebox';
import { branchFinder } from '#foundation/http/field-errors.ts';
import { isCountry } from '#foundation/lib/countries.ts';
import { currencyOf, isCurrencyCode } from '#foundation/lib/currencies.ts';
import { isDateTime } from '#foundation/lib/dates.ts';
import { isPublicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { isOwnToken } from '#foundation/lib/issuer-tokens.ts';

/** Replaces a value that was present and is not shown. */
export const HIDDEN = '…';

/** Returns the storable part of a value: itself, parts of it, or only that it was present. */
export type Redact = (value: unknown) => unknown;

const redactors = new WeakMap<TSchema, Redact>();

/**
 * Keeps only values that are harmless: choices, booleans, our ids, currencies, countries, amounts, times. Everything else, above
 * all free text, is hidden; fields that the schema does not know are omitted. The value is checked as well, because a
 * refused request may contain anything.
 */
export function redactBySchema(schema: TSchema): Redact {
  let redact = redactors.get(schema);
  if (!redact) {
    redact = redactorFor(schema);
    redactors.set(schema, redact);
  }
  return redact;
}

interface AnySchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly TSchema[];
  readonly anyOf?: readonly TSchema[];
  readonly allOf?: readonly TSchema[];
}

function redactorFor(schema: AnySchema): Redact {
  const { discriminator, oneOf, anyOf, allOf, items, properties } = schema;
  if (discriminator && oneOf) return redactTagged(discriminator.propertyName, oneOf);
  const branches = oneOf ?? anyOf ?? allOf;
  if (branches) return redactAny(branches);
  if (items) return redactList(items);
  if (properties) return redactObject(properties);
  return hideUnless((value) => isSafeToLog(schema, value));
}

function redactTagged(tag: string, branches: readonly TSchema[]): Redact {
  const branchOf = branchFinder(branches, tag);
  return (value) => {
    const branch = isObject(value) ? branchOf(value) : undefined;
    return branch ? redactBySchema(branch)(value) : HIDDEN;
  };
}

/** Combines the parts that any of several schemas shows. */
function redactAny(branches: readonly TSchema[]): Redact {
  return (value) => {
    let shown: unknown = HIDDEN;
    for (const branch of branches) shown = mergeRedacted(shown, redactBySchema(branch)(value));
    return shown;
  };
}

function mergeRedacted(one: unknown, other: unknown): unknown {
  if (one === HIDDEN) return other;
  if (!isObject(one) || !isObject(other)) return one;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in one ? (name in other ? mergeRedacted(one[name], other[name]) : one[name]) : other[name],
    ]),
  );
}

/** Only the first entries of a list are kept. */
const ENTRIES_MAX = 10;

function redactList(items: TSchema): Redact {
  return (value) => (Array.isArray(value) ? value.slice(0, ENTRIES_MAX).map(redactBySchema(items)) : HIDDEN);
}

function redactObject(properties: Readonly<Record<string, TSchema>>): Redact {
  const known = Object.entries(properties).map(
    ([name, schema]) => [name, redactMember(name, schema)] as const,
  );
  const isCurrencyObject = 'symbol' in properties && 'decimals' in properties;
  return (value) => {
    if (!isObject(value)) return value === null ? null : HIDDEN;
    const kept: Record<string, unknown> = {};
    for (const [name, redact] of known) {
      if (Object.hasOwn(value, name)) kept[name] = redact(value[name]);
    }
    return isCurrencyObject ? withCurrencyWords(kept, value) : kept;
  };
}

/** The name and the symbol of a currency are public, if they are those of its code. */
function withCurrencyWords(
  kept: Record<string, unknown>,
  { code, name, symbol }: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (typeof code !== 'string' || !isCurrencyCode(code)) return kept;
  const currency = currencyOf(code);
  if (name === currency.name) kept.name = name;
  if (symbol === currency.symbol) kept.symbol = symbol;
  return kept;
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
const HOLDS_COUNTRY = /^(country|countryCode|countryOfResidence|region|sourceCountry|destinationCountry)$/;
const HOLDS_CURRENCY = /currenc(y|ies)(Code)?$|^code$/i;

/** Decides once for each name of a member how its values are shown, because the log examines every reply. */
function redactMember(name: string, schema: TSchema): Redact {
  if (NEVER.has(name)) return () => HIDDEN;
  const isKept = keptBecauseOfName(name);
  // Not before the first value, because a schema may contain itself.
  let own: Redact | undefined;
  const redact: Redact = (value) => {
    own ??= redactBySchema(schema);
    return own(value);
  };
  return isKept ? (value) => (isKept(value) ? value : redact(value)) : redact;
}

function keptBecauseOfName(name: string): ((value: unknown) => boolean) | undefined {
  if (HOLDS_CURRENCY.test(name))
    return (value) => isCurrency(value) || (Array.isArray(value) && value.every(isCurrency));
  if (HOLDS_COUNTRY.test(name)) return (value) => typeof value === 'string' && isCountry(value);
  if (name === 'issuerTransactionToken') return (value) => typeof value === 'string' && isOwnToken(value);
  return undefined;
}

function hideUnless(isKept: (value: unknown) => boolean): Redact {
  return (value) => (value === null || isKept(value) ? value : HIDDEN);
}

/** A larger number could be an account number. */
const NUMBER_MAX = 999_999_999_999;

function isSafeToLog(schema: AnySchema, value: unknown): boolean {
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  if (schema.type === 'boolean') return typeof value === 'boolean';
  if (schema.type === 'integer' || schema.type === 'number')
    return typeof value === 'number' && Math.abs(value) <= NUMBER_MAX;
  if (schema.type !== 'string' || typeof value !== 'string') return false;
  if (schema.format === 'date-time') return isDateTime(value);
  if (schema.format === 'iso4217') return isCurrencyCode(value);
  return isPublicId(value);
}

/** Whether a text can be neither personal nor secret, whatever its field is. */
export function isHarmlessText(text: string): boolean {
  return isPublicId(text) || isCurrencyCode(text) || isDateTime(text);
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
