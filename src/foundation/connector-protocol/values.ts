import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import Type, { type Static, type TSchema } from 'typebox';
import { fieldError } from '#foundation/http/field-errors.ts';
import { createCompile } from '#foundation/http/read/compile-schema.ts';
import { FORMATS } from '#foundation/http/read/formats.ts';
import { component, stringEnum } from '#foundation/http/schema.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { isStorable } from '#foundation/lib/storable.ts';

/** The values that the bodies of the protocol share, and the check of a body (connectors.md §1). */

/** Whether a text is an amount to be moved: digits without a leading zero, up to the largest exact JSON number. */
export function isAmount(text: string): boolean {
  return /^[1-9][0-9]{0,15}$/.test(text) && BigInt(text) <= AMOUNT_MAX;
}

function isBalance(text: string): boolean {
  return text === '0' || isAmount(text.replace(/^-/, ''));
}

/** Zones that were looked up: making a formatter costs far more than everything else about a body. */
const zones = new Map<string, boolean>();
const ZONES_MAX = 2_000;

function isZone(text: string): boolean {
  const known = zones.get(text);
  if (known !== undefined) return known;
  const isRight = hasFormatter(text);
  if (zones.size >= ZONES_MAX) zones.clear();
  zones.set(text, isRight);
  return isRight;
}

function hasFormatter(timeZone: string): boolean {
  // No name of a zone is longer, and every spelling in other cases would be another one to be kept.
  if (timeZone.length > ZONE_LENGTH_MAX) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

const ZONE_LENGTH_MAX = 64;

/** The formats of the protocol's schemas; operators' operations show some of them. */
export const PROTOCOL_FORMATS = {
  ...FORMATS,
  ...{ amount: isAmount, balance: isBalance, 'time-zone': isZone, storable: isStorable },
};

const OPTIONS = { strict: false, verbose: true, messages: false, formats: PROTOCOL_FORMATS } as const;

/** The first fault of an answer is enough: a long one with a fault in every line must not cost more than a right one. */
const compileFirst = createCompile(new Ajv2020({ ...OPTIONS, allErrors: false }));
const compileAll = createCompile(new Ajv2020({ ...OPTIONS, allErrors: true }));

/** The fault of a value: the field (empty for the value itself) and a message. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

/** Compares what a connector wrote with its schema, and returns the first problem. */
export function checkValue(schema: TSchema, value: unknown): readonly Problem[] {
  return problemsOf(compileFirst(schema), value);
}

/** The same for what a person wrote, with every problem. */
export function checkInput(schema: TSchema, value: unknown): readonly Problem[] {
  return problemsOf(compileAll(schema), value);
}

function problemsOf(isValid: ReturnType<typeof compileFirst>, value: unknown): readonly Problem[] {
  if (isValid(value)) return [];
  return (isValid.errors ?? [])
    .map((error: ErrorObject) => fieldError(error))
    .filter((problem) => problem !== undefined)
    .map(({ field, message }) => ({ field, message }));
}

export const Amount = Type.String({
  format: 'amount',
  pattern: '^[1-9][0-9]{0,15}$',
  description:
    'An amount in the smallest unit of its currency: digits without a leading zero, from "1" to "9007199254740991".',
  examples: ['12550'],
});

export const Balance = Type.String({
  format: 'balance',
  pattern: '^(0|-?[1-9][0-9]{0,15})$',
  description: 'A balance in the smallest unit of its currency. It is negative if the account is overdrawn.',
  examples: ['1004200'],
});

export const Currency = Type.String({
  format: 'iso4217',
  description: 'An ISO 4217 code, or BTC, USDB, USDC or USDT.',
  examples: ['EUR'],
});

export const Country = Type.String({
  format: 'iso3166-1-alpha-2',
  description: 'An ISO 3166-1 alpha-2 code.',
  examples: ['DE'],
});

export function time(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2026-03-02T10:05:00Z'] });
}

export function day(description: string) {
  return Type.String({ format: 'date', description, examples: ['2026-03-02'] });
}

/** Text that the service can store. */
export function words(maxLength: number, description: string, example?: string) {
  const examples = example === undefined ? {} : { examples: [example] };
  return Type.String({ minLength: 1, maxLength, format: 'storable', description, ...examples });
}

export const Reference = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description:
    'The name of one order: a UUID in lower case. It is the same order for ever, whatever its kind.',
  examples: ['0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968'],
});

/** The form of names of connectors and of settlement accounts. */
export const NAME_PATTERN = '^[a-z0-9-]{1,32}$';

export const SettlementAccountId = Type.String({
  pattern: NAME_PATTERN,
  description: 'The id of a settlement account, as the capabilities name it.',
  examples: ['main-eur'],
});

export const AccountType = words(64, 'A type of account, as the API of Corridor names it.', 'EUR_ACCOUNT');

export const AccountFields = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The fields of the account, under the names that the API of Corridor gives them.',
  examples: [{ iban: 'DE89370400440532013000' }],
});

export const Coordinates = Type.Record(
  Type.String(),
  Type.Record(Type.String(), words(200, 'One field of the account.')),
  {
    description: 'The details for paying money in, by account type.',
    examples: [{ EUR_ACCOUNT: { iban: 'DE89370400440532013000', swiftCode: 'COBADEFFXXX' } }],
  },
);
export type Coordinates = Static<typeof Coordinates>;

export const SIDES = ['CREDIT', 'DEBIT'] as const;
export const Side = stringEnum(SIDES, {
  description: '`CREDIT`: money came into the account. `DEBIT`: money left it.',
});

export const ErrorBody = component('Error', 'Why a call was not carried out.', {
  code: words(64, 'A word for programs.', 'UNKNOWN_ORDER'),
  reason: words(500, 'A sentence for people.', 'There is no order with this reference.'),
});
export type ErrorBody = Static<typeof ErrorBody>;
