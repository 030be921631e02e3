import { randomInt } from 'node:crypto';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The characters of a code. */
export interface CodeForm {
  readonly length: number;
  readonly alphabet: string;
}

/** At most `max` attempts within any span of this length. */
export interface AttemptLimit {
  /** 0: no limit. */
  readonly max: number;
  readonly withinMs: number;
  /** Counts the attempts of the current UTC day instead. */
  readonly byDay?: boolean;
  /** A success resets the count. */
  readonly clearedBySuccess?: boolean;
}

interface CodeRules {
  readonly form: CodeForm;
  /** Absent: its creator chooses, or it never expires. */
  readonly lifeMs?: number;
  /** The number of wrong tries that void it. */
  readonly wrongTriesMax?: number;
  readonly limits?: Readonly<Record<string, AttemptLimit>>;
  /** The name under which it is hashed. It never changes, because stored hashes must stay comparable. */
  readonly hashedAs?: string;
}

const DIGITS = '0123456789';
/** Without I, O, 0 and 1, which people mistake for each other. */
const CLEAR_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const SIX_DIGITS: CodeForm = { length: 6, alphabet: DIGITS };
const TWELVE_LETTERS: CodeForm = { length: 12, alphabet: CLEAR_LETTERS };
/** base64url. */
const BITS_256: CodeForm = {
  length: 43,
  alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
};
const PAUSE: AttemptLimit = { max: 1, withinMs: 30_000 };

const CONTACT = {
  form: SIX_DIGITS,
  lifeMs: 10 * MINUTE_MS,
  wrongTriesMax: 5,
  limits: { pause: PAUSE },
  hashedAs: 'contact_codes.code',
} as const satisfies CodeRules;

/**
 * The numbers of every one-time secret, in production. The sandbox's adapter and a platform's settings may override some.
 * The rules name the same numbers, and tests/checks/code-kinds.test.ts compares them.
 */
export const CODE_KINDS = {
  /** They verify a customer's contacts (customers.md §3.2). */
  CONTACT_EMAIL: CONTACT,
  CONTACT_PHONE: CONTACT,
  /** It logs in to a wallet (wallets.md §1). A platform may choose its length, alphabet and lifetime. */
  WALLET: {
    form: SIX_DIGITS,
    lifeMs: 5 * MINUTE_MS,
    wrongTriesMax: 3,
    limits: {
      challenges: { max: 10, withinMs: MINUTE_MS },
      sends: { max: 30, withinMs: DAY_MS },
      failures: { max: 10, withinMs: 5 * MINUTE_MS, clearedBySuccess: true },
      failuresOfDay: { max: 50, withinMs: DAY_MS },
    },
    hashedAs: 'wallet_otps.code',
  },
  /** It adds a card to a phone (cards.md §10.3, §10.4). */
  CARD: {
    form: SIX_DIGITS,
    lifeMs: 10 * MINUTE_MS,
    wrongTriesMax: 5,
    limits: { pause: PAUSE, sends: { max: 10, withinMs: DAY_MS, byDay: true } },
    hashedAs: 'card_tokenizations.code',
  },
  /** It answers a challenge by text message (customers.md §7.7, §7.7a, §7.11, §7.12). */
  SCA: {
    form: SIX_DIGITS,
    lifeMs: 5 * MINUTE_MS,
    wrongTriesMax: 5,
    limits: {
      pause: PAUSE,
      sends: { max: 20, withinMs: DAY_MS },
      calls: { max: 5, withinMs: MINUTE_MS },
      resends: { max: 5, withinMs: 5 * MINUTE_MS },
    },
    hashedAs: 'sca_challenges.code',
  },
  /** It replaces a code of an authenticator app, once (customers.md §7.5). */
  RECOVERY: { form: TWELVE_LETTERS, hashedAs: 'sca_recovery_codes.code' },
  /** It gives an agent its token (agents.md §2.11, §2.14). */
  DEVICE: {
    form: TWELVE_LETTERS,
    lifeMs: DAY_MS,
    limits: { failures: { max: 10, withinMs: MINUTE_MS }, tries: { max: 300, withinMs: MINUTE_MS } },
    hashedAs: 'agents.device-code',
  },
  /** It signs a developer in to the console, once (operator.md §9.1, §3.5): 256 bits in base64url. */
  CONSOLE: {
    form: BITS_256,
    lifeMs: 10 * MINUTE_MS,
    limits: { failures: { max: 50, withinMs: 15 * MINUTE_MS }, tries: { max: 50, withinMs: 15 * MINUTE_MS } },
    hashedAs: 'console_sessions.address',
  },
  /** It lets an operator join, once (operator.md §1.2). The limits are those of failed sign-ins (operator.md §3.5). */
  OPERATOR: {
    form: BITS_256,
    lifeMs: DAY_MS,
    limits: { failures: { max: 10, withinMs: 15 * MINUTE_MS }, tries: { max: 50, withinMs: 15 * MINUTE_MS } },
    hashedAs: 'operator_addresses.secret',
  },
  /** It names an invitation (platform.md §5.2), in Crockford's base32. It is shown again, so it is not hashed. */
  INVITATION: { form: { length: 10, alphabet: '0123456789abcdefghjkmnpqrstvwxyz' } },
} as const satisfies Record<string, CodeRules>;

export type CodeKind = keyof typeof CODE_KINDS;

/** The codes that messages carry. */
export type SentKind = Extract<CodeKind, 'CONTACT_EMAIL' | 'CONTACT_PHONE' | 'WALLET' | 'CARD' | 'SCA'>;

/** How many recovery codes a customer gets (customers.md §7.5). */
export const RECOVERY_CODES = 10;

/** The form of a wallet's code, as the platform configures it (wallets.md §1). */
export function walletForm(length: number, alphanumeric: boolean): CodeForm {
  return { length, alphabet: alphanumeric ? CLEAR_LETTERS : DIGITS };
}

/** Draws a code; each character is equally likely. */
export function randomCode({ length, alphabet }: CodeForm): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Whether the text could be a code of this form. */
export function hasForm(text: string, { length, alphabet }: CodeForm): boolean {
  return text.length === length && [...text].every((one) => alphabet.includes(one));
}

/** `XXXX-XXXX-XXXX`, as a long code is shown. */
export function inGroups(letters: string): string {
  return letters.replace(/.{4}(?=.)/g, '$&-');
}

/** The form in which a long code is compared: people type lower case, and omit dashes or type spaces instead. */
export function withoutGroups(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '');
}

/** The moment after which attempts count towards a limit. */
export function countedSince({ withinMs, byDay }: AttemptLimit, now: number): number {
  return byDay ? now - (now % withinMs) - 1 : now - withinMs;
}

/** How long a limit stays reached; `at` is the oldest of the last `max` attempts. */
export function waitAfter(at: number, limit: AttemptLimit, now: number): number {
  return (limit.byDay ? countedSince(limit, now) + 1 : at) + limit.withinMs - now;
}

/** The attempts that count towards a limit. */
export function recentAttempts(times: readonly number[], limit: AttemptLimit, now: number): number[] {
  return times.filter((at) => at > countedSince(limit, now) && at <= now);
}

/** How long the next attempt has to wait; 0: it is allowed. The times are in order. */
export function waitMs(times: readonly number[], limit: AttemptLimit, now: number): number {
  const deciding = recentAttempts(times, limit, now).at(-limit.max);
  return deciding === undefined ? 0 : waitAfter(deciding, limit, now);
}
