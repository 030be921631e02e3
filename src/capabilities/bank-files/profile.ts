import Type, { type Static } from 'typebox';
import { CAMT_MESSAGES } from '#foundation/bank-formats/camt.ts';
import { CHARACTER_SETS } from '#foundation/bank-formats/characters.ts';
import { type Capabilities, NEEDS, OrderKind, Rail } from '#foundation/connector-protocol/capabilities.ts';
import {
  Amount,
  Country,
  Currency,
  checkInput,
  day,
  type Problem,
  SettlementAccountId,
  words,
} from '#foundation/connector-protocol/values.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { BIC_FORMAT, isAbaRoutingNumber, isIban } from '#foundation/lib/identifiers/account-numbers.ts';

/** The operator's accounts and rails at a bank that takes files (bank-files.md §1.3). */

export const WEEKDAYS = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;
export const FORMATS = ['SEPA', 'SEPA_INSTANT', 'GENERIC', 'NACHA'] as const;
export type FileFormat = (typeof FORMATS)[number];

const strict = { additionalProperties: false };
const ten = (description: string) => Type.String({ pattern: '^[A-Za-z0-9 ]{9,10}$', description });

const NachaIds = Type.Object(
  {
    destination: Type.String({ pattern: '^[0-9]{9}$', description: 'The routing number of the bank.' }),
    destinationName: words(23, 'The name of the bank.'),
    origin: ten('The number that the bank gave to the sender of files.'),
    originName: words(23, 'The name of the sender of files.'),
    companyName: words(16, 'The name of the company.'),
    companyId: ten('The number that the bank gave to the company.'),
    description: words(10, 'What payees see: PAYOUT.'),
    odfi: Type.String({ pattern: '^[0-9]{8}$', description: 'The first digits of its routing number.' }),
  },
  strict,
);

const AccountProfile = Type.Object(
  {
    id: SettlementAccountId,
    label: Type.Optional(words(100, 'A name for people.')),
    name: words(140, 'The holder, as the bank knows it.'),
    currency: Currency,
    zone: Type.String({ format: 'time-zone', description: 'The zone of the bank’s days.' }),
    iban: Type.Optional(words(34, 'The IBAN.')),
    number: Type.Optional(words(34, 'The number of an account without an IBAN.')),
    routingNumber: Type.Optional(words(9, 'The routing number of an American bank.')),
    bic: Type.Optional(words(11, 'The BIC of the bank.')),
    credits: Type.Optional(
      stringEnum(CAMT_MESSAGES, { description: 'The message that receipts come from.' }),
    ),
    creditRail: Type.Optional(Rail),
    statements: Type.Optional(
      Type.Boolean({ description: 'Whether the bank sends statements; default: true.' }),
    ),
    nacha: Type.Optional(NachaIds),
  },
  strict,
);
export type AccountProfile = Static<typeof AccountProfile>;

const RailProfile = Type.Object(
  {
    rail: Rail,
    currency: Currency,
    kinds: Type.Array(OrderKind, { minItems: 1 }),
    settlementAccounts: Type.Array(SettlementAccountId, { minItems: 1 }),
    format: stringEnum(FORMATS, { description: 'The format of its files.' }),
    cutOffs: Type.Optional(Type.Array(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }))),
    weekdays: Type.Optional(Type.Array(stringEnum(WEEKDAYS, { description: 'A day.' }), { minItems: 1 })),
    holidays: Type.Optional(Type.Array(day('A day without the rail.'))),
    characters: Type.Optional(stringEnum(CHARACTER_SETS, { description: 'Default: basic.' })),
    batchBooking: Type.Optional(
      Type.Boolean({ description: 'Whether the bank books each file as one line.' }),
    ),
    countries: Type.Optional(Type.Array(Country)),
    min: Type.Optional(Amount),
    max: Type.Optional(Amount),
    needs: Type.Optional(Type.Array(stringEnum(NEEDS, { description: 'What the bank asks for.' }))),
    settleAfterBankingDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  },
  strict,
);
export type RailProfile = Static<typeof RailProfile>;

const Profile = Type.Object(
  {
    settlementAccounts: Type.Array(AccountProfile, { minItems: 1 }),
    rails: Type.Array(RailProfile),
  },
  strict,
);
export type Profile = Static<typeof Profile>;

/** Rails on which money moves within seconds at any time: their files are not held back for a cut-off. */
const INSTANT: ReadonlySet<string> = new Set([
  'SEPA_INSTANT',
  'RTP',
  'FEDNOW',
  'FASTER_PAYMENTS',
  'PIX',
  'SPEI',
]);

export function isInstant({ rail }: Pick<RailProfile, 'rail'>): boolean {
  return INSTANT.has(rail);
}

/** Everything that is wrong with a profile: it is refused as a whole then. */
export function checkProfile(value: unknown): readonly Problem[] {
  const problems = checkInput(Profile, value);
  if (problems.length > 0) return problems;
  const { settlementAccounts: accounts, rails } = value as Profile;
  return [
    ...accounts.flatMap((account, index) => checkAccount(account, accounts, `settlementAccounts.${index}`)),
    ...rails.flatMap((rail, index) => [
      ...checkRail(rail, `rails.${index}`),
      ...checkTwice(rail, rails.slice(0, index), `rails.${index}`),
      ...rail.settlementAccounts.flatMap((id) =>
        checkUse(
          rail,
          accounts.find((account) => account.id === id),
          `rails.${index}.settlementAccounts`,
          id,
        ),
      ),
    ]),
  ];
}

function checkAccount(account: AccountProfile, all: readonly AccountProfile[], at: string): Problem[] {
  const { id, iban, number, routingNumber, bic } = account;
  return [
    problemIf(all.filter((other) => other.id === id).length > 1, `${at}.id`, 'must be used once'),
    problemIf((iban === undefined) === (number === undefined), at, 'must have either iban or number'),
    problemIf(iban !== undefined && !isIban(iban), `${at}.iban`, 'is no IBAN'),
    problemIf(bic !== undefined && !BIC_FORMAT.test(bic), `${at}.bic`, 'is no BIC'),
    problemIf(
      routingNumber !== undefined && !isAbaRoutingNumber(routingNumber),
      `${at}.routingNumber`,
      'is no routing number',
    ),
    problemIf(
      all.some((other) => other !== account && isSameAccount(other, account)),
      at,
      'must not be the same account as another one',
    ),
  ].flat();
}

function isSameAccount(one: AccountProfile, other: AccountProfile): boolean {
  return one.currency === other.currency && numberOf(one) === numberOf(other);
}

/** How statements name the account. */
export function numberOf({ iban, number }: Pick<AccountProfile, 'iban' | 'number'>): string {
  return (iban ?? number ?? '').replaceAll(' ', '').toUpperCase();
}

function checkRail(rail: RailProfile, at: string): Problem[] {
  const { format, currency, kinds, cutOffs = [], min, max } = rail;
  const isSepa = format === 'SEPA' || format === 'SEPA_INSTANT';
  return [
    problemIf(isSepa && currency !== 'EUR', `${at}.currency`, `must be EUR in files of ${format}`),
    problemIf(format === 'NACHA' && currency !== 'USD', `${at}.currency`, 'must be USD in files of NACHA'),
    problemIf(
      format !== 'NACHA' && kinds.includes('COLLECTION'),
      `${at}.kinds`,
      'must not have COLLECTION: only NACHA files collect',
    ),
    problemIf(
      !isInstant(rail) && cutOffs.length === 0,
      `${at}.cutOffs`,
      'is required of a rail with cut-offs',
    ),
    problemIf(
      min !== undefined && max !== undefined && BigInt(min) > BigInt(max),
      `${at}.min`,
      'must not be above max',
    ),
  ].flat();
}

function checkTwice(rail: RailProfile, others: readonly RailProfile[], at: string): Problem[] {
  const isTwice = others.some(
    (other) =>
      other.rail === rail.rail &&
      other.currency === rail.currency &&
      other.kinds.some((kind) => rail.kinds.includes(kind)),
  );
  return problemIf(
    isTwice,
    at,
    'must not have a kind of order that another entry of its rail and currency has',
  );
}

function checkUse(rail: RailProfile, account: AccountProfile | undefined, at: string, id: string): Problem[] {
  if (!account) return [{ field: at, message: `names ${id}, which is not listed` }];
  const isAch = rail.format === 'NACHA';
  const isSepa = rail.format === 'SEPA' || rail.format === 'SEPA_INSTANT';
  const isSilent = account.statements === false && rail.settleAfterBankingDays === undefined;
  return [
    problemIf(account.currency !== rail.currency, at, `names ${id}, which has another currency`),
    problemIf(isSepa && account.iban === undefined, at, `names ${id}, which has no IBAN`),
    problemIf(isAch && account.nacha === undefined, at, `names ${id}, which has no nacha`),
    problemIf(
      isAch && isSilent,
      at,
      `names ${id}, which has no statements: settleAfterBankingDays says when its payouts count as settled`,
    ),
    problemIf(
      !isAch && account.statements === false,
      at,
      `names ${id}, which has no statements: only payouts in NACHA files can settle without them`,
    ),
  ].flat();
}

function problemIf(isWrong: boolean, field: string, message: string): Problem[] {
  return isWrong ? [{ field, message }] : [];
}

const POLL_SECONDS = 1;
const IN_FLIGHT_MAX = 20;
const ORDERS_PER_SECOND = 1_000;

/** The same in the words of the protocol (connectors.md §3.1). */
export function capabilitiesOf({ settlementAccounts, rails }: Profile): Capabilities {
  const zones = new Map(settlementAccounts.map(({ id, zone }) => [id, zone]));
  return {
    ...{ protocol: '1', test: false, pollSeconds: POLL_SECONDS, statements: true },
    ...{ inFlightMax: IN_FLIGHT_MAX, ordersPerSecond: ORDERS_PER_SECOND },
    settlementAccounts: settlementAccounts.map(({ id, currency, label, name, zone }) => ({
      ...{ id, currency, zone },
      label: (label ?? name).slice(0, 100),
    })),
    rails: rails.map((rail) => {
      const { currency, kinds, countries, min, max, settlementAccounts: accounts, needs = [] } = rail;
      const { cutOffs = [], weekdays = WORKDAYS, holidays = [] } = rail;
      const zone = zones.get(accounts[0] ?? '');
      const time = cutOffs.toSorted().at(-1);
      return {
        ...{ rail: rail.rail, currency, kinds, settlementAccounts: accounts, needs, cancellable: true },
        ...(countries && { countries }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(time !== undefined && zone !== undefined && { cutOff: { time, zone, weekdays, holidays } }),
      };
    }),
  };
}

export const WORKDAYS: (typeof WEEKDAYS)[number][] = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];
