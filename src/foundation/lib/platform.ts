import type { Static } from 'typebox';
import Type from 'typebox';
import { CODE_KINDS } from '#foundation/lib/code-kinds.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

export const ENVIRONMENTS = ['SANDBOX', 'PRODUCTION'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** One platform in one environment: a credential selects it, and every row belongs to one. */
export interface Platform {
  /** The bare UUID; `platform_id` of every table. */
  readonly id: PlatformId;
  readonly name: string;
  readonly environment: Environment;
  /** How far this platform's business time is ahead of real time (sandbox only). */
  readonly clockOffsetMs: number;
  /** The operator's settings, with the environment's defaults filled in (platform.md §3.3). */
  readonly settings: PlatformSettings;
  /** The currencies that it added to the built-in ones; no other platform knows them. */
  readonly ownCurrencies: OwnCurrencies;
  /** Own currencies in which no new transaction may be made (stablecoins.md §8.4). */
  readonly disabledCurrencies: readonly string[];
}

const Bps = Type.Integer({ minimum: 0, maximum: 10_000 });
const Minor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Limits of one corridor (`USD-EUR`) or withdrawal currency (`USD`), in USD cents; absent = the default. */
const CorridorLimits = Type.Object({
  minUsdCents: Type.Optional(Minor),
  maxUsdCents: Type.Optional(Minor),
  dailyUsdCents: Type.Optional(Minor),
});

/** The operator settings of platform.md §3.3: set on the command line, never through the API. */
export const PlatformSettings = Type.Object({
  isRegulatedFinancialInstitution: Type.Boolean(),
  skipVerificationPaperwork: Type.Boolean(),
  strictAccountValidation: Type.Boolean(),
  counterpartyRequirements: Type.Boolean(),
  fees: Type.Object({
    crossCurrencyBps: Bps,
    sameCurrencyBps: Bps,
    /** Fixed service fee by sending currency, in its smallest unit. */
    fixed: Type.Record(Type.String(), Minor),
    /** Counterparty's fixed fee by receiving currency, in its smallest unit. */
    counterpartyFixed: Type.Record(Type.String(), Minor),
    /** Fixed fee of a crypto withdrawal by its currency, in its smallest unit. */
    withdrawal: Type.Record(Type.String(), Minor),
  }),
  limits: Type.Object({
    default: CorridorLimits,
    corridors: Type.Record(Type.String(), CorridorLimits),
    ownershipThresholdEurCents: Minor,
  }),
  cards: Type.Object({
    enabled: Type.Boolean(),
    liveMax: Type.Integer({ minimum: 0 }),
    liveMaxPerCardholder: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    /** Merchant categories, and countries of merchants, at which no card can pay. */
    blockedMccs: Type.Array(Type.String({ pattern: '^[0-9]{4}$' })),
    blockedCountries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' })),
    /** The time within which an authorization is decided; afterwards it is declined. */
    decisionMs: Type.Integer({ minimum: 100, maximum: 60_000 }),
    /** The maximum that one account may have uncovered and owing, in card cents. */
    uncoveredMax: Type.Union([Minor, Type.Null()]),
    /** The most codes a day for adding one card to a phone; 0 switches the limit off. */
    codesPerDay: Type.Integer({ minimum: 0, maximum: 10_000 }),
  }),
  stablecoins: Type.Object({
    /** Whether the first mint or burn that uses an external account links it at the provider (stablecoins.md §6.1). */
    automaticLinking: Type.Boolean(),
  }),
  requestRate: Type.Object({
    /** Requests per second; 0 switches the limit off. */
    perSecond: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    burst: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  }),
  /** Numbers of wallets.md §1. */
  wallets: Type.Object({
    /** How long a session's keys can sign. */
    sessionSeconds: Type.Integer({ minimum: 60, maximum: 86_400 }),
    /** How long a call waits for its signature, and a passkey challenge for its response. */
    requestSeconds: Type.Integer({ minimum: 30, maximum: 3_600 }),
    /** The number of wrong codes after which the right one is void. */
    wrongCodes: Type.Integer({ minimum: 1, maximum: 100 }),
    challengesPerMinute: Type.Integer({ minimum: 1, maximum: 10_000 }),
    /** The most codes a day that are sent for one credential; 0 switches the limit off. */
    codesPerDay: Type.Integer({ minimum: 0, maximum: 10_000 }),
    failuresPerFiveMinutes: Type.Integer({ minimum: 1, maximum: 10_000 }),
    failuresPerDay: Type.Integer({ minimum: 1, maximum: 10_000 }),
  }),
  /** Strong customer authentication (customers.md §7). */
  sca: Type.Object({
    /** The relying party of passkeys, and the origins of the pages that use them. */
    rpId: Type.String({ minLength: 1, maxLength: 253 }),
    origins: Type.Array(Type.String({ format: 'url' })),
    /** The pause between two text messages with a code; 0 switches it off. */
    codePauseSeconds: Type.Integer({ minimum: 0, maximum: 3_600 }),
    /** The most text messages a day with a code for one customer; 0 switches the limit off. */
    codesPerDay: Type.Integer({ minimum: 0, maximum: 10_000 }),
  }),
  imports: Type.Object({
    /** The most rows of one CSV file of customers, empty ones included. */
    rowsMax: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  }),
  /** Unknown fields and parameters are refused, not only named (platform.md §1.1.6). */
  refuseUnknownFields: Type.Boolean(),
  /** Whether the request log stores harmless fields of bodies (platform.md §11.2); sandbox only. */
  requestLogBodies: Type.Boolean(),
  frameOrigins: Type.Array(Type.String({ format: 'url' })),
  invitationsConfigured: Type.Boolean(),
  /** UMA provider domains that may be paid; null allows all. */
  allowedUmaProviders: Type.Union([Type.Array(Type.String()), Type.Null()]),
});

export type PlatformSettings = Static<typeof PlatformSettings>;

const { WALLET, CARD, SCA } = CODE_KINDS;

const WALLETS: PlatformSettings['wallets'] = {
  sessionSeconds: 900,
  requestSeconds: 300,
  wrongCodes: WALLET.wrongTriesMax,
  challengesPerMinute: WALLET.limits.challenges.max,
  codesPerDay: 0,
  failuresPerFiveMinutes: WALLET.limits.failures.max,
  failuresPerDay: WALLET.limits.failuresOfDay.max,
};

const CARDS: PlatformSettings['cards'] = {
  enabled: true,
  liveMax: 1_000,
  liveMaxPerCardholder: null,
  blockedMccs: ['7800', '7801', '7802', '7995'],
  blockedCountries: ['CU', 'IR', 'KP', 'SY'],
  decisionMs: 2_000,
  uncoveredMax: null,
  codesPerDay: 0,
};

const COMMON: Omit<
  PlatformSettings,
  | 'strictAccountValidation'
  | 'requestRate'
  | 'requestLogBodies'
  | 'invitationsConfigured'
  | 'wallets'
  | 'sca'
  | 'cards'
> = {
  isRegulatedFinancialInstitution: false,
  skipVerificationPaperwork: false,
  counterpartyRequirements: false,
  fees: { crossCurrencyBps: 50, sameCurrencyBps: 0, fixed: {}, counterpartyFixed: {}, withdrawal: {} },
  limits: {
    default: { maxUsdCents: 10_000_000, dailyUsdCents: 50_000_000 },
    corridors: {},
    ownershipThresholdEurCents: 100_000,
  },
  stablecoins: { automaticLinking: true },
  imports: { rowsMax: 500_000 },
  refuseUnknownFields: false,
  frameOrigins: [],
  allowedUmaProviders: null,
};

export const DEFAULT_SETTINGS: Record<'SANDBOX' | 'PRODUCTION', PlatformSettings> = {
  SANDBOX: {
    ...COMMON,
    strictAccountValidation: false,
    requestRate: { perSecond: 0, burst: 200 },
    requestLogBodies: true,
    wallets: WALLETS,
    cards: CARDS,
    sca: { rpId: 'localhost', origins: ['http://localhost:3000'], codePauseSeconds: 0, codesPerDay: 0 },
    invitationsConfigured: true,
  },
  PRODUCTION: {
    ...COMMON,
    strictAccountValidation: true,
    requestRate: { perSecond: 100, burst: 200 },
    requestLogBodies: false,
    wallets: { ...WALLETS, codesPerDay: WALLET.limits.sends.max },
    cards: { ...CARDS, enabled: false, codesPerDay: CARD.limits.sends.max },
    // The customers of a platform without a relying party of its own have no passkeys.
    sca: {
      rpId: 'localhost',
      origins: [],
      codePauseSeconds: SCA.limits.pause.withinMs / 1_000,
      codesPerDay: SCA.limits.sends.max,
    },
    invitationsConfigured: false,
  },
};

/** Stands for the platform of calls that belong to none: an operator's about the installation, a visitor's. */
export const INSTALLATION: Platform = Object.freeze({
  id: NIL_ID,
  name: '',
  environment: 'PRODUCTION',
  clockOffsetMs: 0,
  settings: DEFAULT_SETTINGS.PRODUCTION,
  ownCurrencies: {},
  disabledCurrencies: [],
});

/** The environment's defaults, overridden by the explicit settings; groups merge field by field, at every depth. */
export function effectiveSettings(
  environment: 'SANDBOX' | 'PRODUCTION',
  explicit: { [Key in keyof PlatformSettings]?: unknown },
): PlatformSettings {
  return mergeOver(DEFAULT_SETTINGS[environment], explicit) as PlatformSettings;
}

function mergeOver(
  base: Record<string, unknown>,
  explicit: Record<string, unknown>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(explicit)) {
    const before = merged.get(key);
    merged.set(key, isGroup(before) && isGroup(value) ? mergeOver(before, value) : value);
  }
  return Object.fromEntries(merged);
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
