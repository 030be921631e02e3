import Type, { type Static } from 'typebox';
import {
  AccountType,
  Amount,
  Coordinates,
  Country,
  Currency,
  checkValue,
  day,
  type Problem,
  SettlementAccountId,
  words,
} from '#foundation/connector-protocol/values.ts';
import { component, stringEnum } from '#foundation/http/schema.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';
import { NETWORKS } from '#foundation/ports/network-fees.ts';

/** The capabilities that a connector gives (connectors.md §3.1), within the bounds of connectors.md §3.4. */

const SETTLEMENT_ACCOUNTS_MAX = 200;
const RAILS_MAX = 1_000;
const ACCOUNTS_MAX = 200;
const ACCOUNT_TYPES_MAX = 200;

export const ORDER_KINDS = ['PAYOUT', 'COLLECTION', 'REFUND'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

export const OrderKind = stringEnum(ORDER_KINDS, {
  description:
    '`PAYOUT`: pay the beneficiary. `COLLECTION`: collect from the debtor. `REFUND`: send back what came in.',
});

/** Personal data that an order has only where a rail asks for it (connectors.md §4.5). */
export const NEEDS = [
  'originator.address',
  'originator.birthDate',
  'originator.nationalId',
  'beneficiary.address',
  'beneficiary.birthDate',
] as const;
export type Need = (typeof NEEDS)[number];

const RAILS: readonly string[] = [...PAYMENT_RAILS, ...NETWORKS];

export function isRail(text: string): boolean {
  return RAILS.includes(text);
}

export const Rail = stringEnum([...PAYMENT_RAILS, ...NETWORKS], {
  description: 'A rail for payments between banks, or a network for digital money.',
});

export const SettlementAccount = component(
  'SettlementAccount',
  'An account of the operator at a bank, in one currency.',
  {
    id: SettlementAccountId,
    currency: Currency,
    label: words(100, 'A name for people.', 'Operating account'),
    zone: Type.String({
      format: 'time-zone',
      description: 'The time zone of the bank’s days.',
      examples: ['Europe/Berlin'],
    }),
    coordinates: Type.Optional(Coordinates),
  },
);
export type SettlementAccount = Static<typeof SettlementAccount>;

const WEEKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

const CutOff = component(
  'CutOff',
  'Until when the bank carries orders out on the same day. Corridor sends orders at any time all the same.',
  {
    time: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      description: 'The time of day.',
      examples: ['15:30'],
    }),
    zone: Type.String({
      format: 'time-zone',
      description: 'The zone of that time.',
      examples: ['Europe/Berlin'],
    }),
    weekdays: Type.Array(stringEnum(WEEKDAYS), {
      maxItems: WEEKDAYS.length,
      description: 'The days on which the rail works.',
    }),
    holidays: Type.Optional(
      Type.Array(day('A day on which it does not.'), {
        maxItems: 400,
        description: 'Days without the rail.',
      }),
    ),
  },
);

export const RailCapability = component(
  'RailCapability',
  'Orders of one rail and currency that the connector takes.',
  {
    rail: Rail,
    currency: Currency,
    kinds: Type.Array(OrderKind, {
      minItems: 1,
      maxItems: ORDER_KINDS.length,
      description: 'The kinds of orders.',
    }),
    countries: Type.Optional(
      Type.Array(Country, { maxItems: 300, description: 'Countries of the accounts. Absent: any.' }),
    ),
    min: Type.Optional(Amount),
    max: Type.Optional(Amount),
    settlementAccounts: Type.Array(SettlementAccountId, {
      minItems: 1,
      maxItems: SETTLEMENT_ACCOUNTS_MAX,
      description: 'The settlement accounts that can be used.',
    }),
    cancellable: Type.Boolean({
      description: 'Whether the API’s cancellation of a payment may be asked for.',
    }),
    needs: Type.Optional(
      Type.Array(stringEnum(NEEDS), {
        maxItems: NEEDS.length,
        description: 'Personal data that the bank asks for. Orders have no other.',
      }),
    ),
    cutOff: Type.Optional(CutOff),
  },
);
export type RailCapability = Static<typeof RailCapability>;

export const Capabilities = component(
  'Capabilities',
  'What the connector can do. Corridor reads it every five minutes.',
  {
    protocol: Type.Literal('1', { description: 'The version of this protocol.' }),
    test: Type.Boolean({ description: 'Whether this is a test installation, with the calls below `/test`.' }),
    pollSeconds: Type.Integer({
      minimum: 1,
      maximum: 300,
      description: 'The time between two readings of events.',
    }),
    inFlightMax: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Calls that Corridor may have open at once.',
    }),
    ordersPerSecond: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'New orders within one second.',
    }),
    settlementAccounts: Type.Array(SettlementAccount, {
      minItems: 1,
      maxItems: SETTLEMENT_ACCOUNTS_MAX,
      description: 'The accounts at the bank.',
    }),
    rails: Type.Array(RailCapability, {
      maxItems: RAILS_MAX,
      description: 'The orders that the connector takes.',
    }),
    accounts: Type.Optional(
      Type.Array(
        component('AccountCapability', 'Accounts that the connector opens.', {
          currency: Currency,
          accountTypes: Type.Array(AccountType, {
            minItems: 1,
            maxItems: ACCOUNT_TYPES_MAX,
            description: 'Types of their coordinates.',
          }),
        }),
        { maxItems: ACCOUNTS_MAX, description: 'Absent: the connector opens no accounts.' },
      ),
    ),
    nameChecks: Type.Optional(
      Type.Array(AccountType, {
        maxItems: ACCOUNT_TYPES_MAX,
        description: 'Account types whose holders’ names can be checked. Absent: none.',
      }),
    ),
    statements: Type.Boolean({ description: 'Whether there are statements of the settlement accounts.' }),
  },
);
export type Capabilities = Static<typeof Capabilities>;

/** Everything that is wrong with capabilities; Corridor refuses them whole then (connectors.md §3.2). */
export function checkCapabilities(value: unknown): readonly Problem[] {
  const problems = checkValue(Capabilities, value);
  if (problems.length > 0) return problems;
  const { settlementAccounts, rails } = value as Capabilities;
  const currencies = new Map(settlementAccounts.map(({ id, currency }) => [id, currency]));
  return [
    ...repeated(settlementAccounts.map(({ id }) => id)).map((id) => ({
      field: 'settlementAccounts',
      message: `must name ${id} only once`,
    })),
    ...repeated(rails.flatMap(ordersOf)).map((orders) => ({
      field: 'rails',
      message: `must name ${orders} only once`,
    })),
    ...rails.flatMap((rail, index) => checkRail(rail, `rails.${index}`, currencies)),
  ];
}

function ordersOf({ rail, currency, kinds }: RailCapability): string[] {
  return kinds.map((kind) => `${kind} over ${rail} in ${currency}`);
}

function checkRail(
  { currency, min, max, settlementAccounts }: RailCapability,
  at: string,
  currencies: ReadonlyMap<string, string>,
): Problem[] {
  const problems: Problem[] = [];
  if (min !== undefined && max !== undefined && BigInt(min) > BigInt(max)) {
    problems.push({ field: `${at}.min`, message: 'must not be above max' });
  }
  for (const id of settlementAccounts) {
    const known = currencies.get(id);
    if (known === undefined)
      problems.push({ field: `${at}.settlementAccounts`, message: `names ${id}, which is not listed` });
    else if (known !== currency) {
      problems.push({
        field: `${at}.settlementAccounts`,
        message: `names ${id}, which has another currency`,
      });
    }
  }
  return problems;
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(values.filter((value) => seen.has(value) || !seen.add(value)))];
}
