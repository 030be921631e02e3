import type { DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import { alpha2Of } from '#foundation/lib/countries.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/** The decision on an authorization (cards.md §6.6): pure, in the order of its table. Amounts are card cents. */

/** The network's request. */
export interface AuthorizationRequest {
  /** A credit spends nothing; an inquiry asks only whether the card works. */
  readonly asks: 'DEBIT' | 'CREDIT' | 'INQUIRY';
  readonly amount: bigint;
  readonly merchant: Merchant;
  /** The amount already authorized, if the request increases a purchase (cards.md §6.9.4). */
  readonly increases?: bigint | undefined;
  /** The network that the notice came over; undefined: the card's own. */
  readonly network?: string | undefined;
}

/** The state of the card and its account at that moment. */
export interface AuthorizationFacts {
  readonly card: {
    readonly status: string;
    readonly brand: string | null;
    readonly exp_month: number | null;
    readonly exp_year: number | null;
    readonly max_spend_per_transaction: bigint | null;
    readonly max_spend_per_day: bigint | null;
    readonly max_transactions_per_day: bigint | null;
  };
  /** Approved debit authorizations of the card on this UTC day. */
  readonly today: { readonly spent: bigint; readonly count: bigint };
  /** The account is active and, if it is an embedded wallet, has a delegated key for the card. */
  readonly canFund: boolean;
  /** The account's available balance, in card cents, rounded down. */
  readonly available: bigint;
  readonly program: CardProgram;
  /** The account's liabilities without a hold: uncovered authorizations and amounts that could not be pulled. */
  readonly uncovered: bigint;
  readonly now: Date;
}

/** The rules of the operator, and of the issuer behind the port. */
export interface CardProgram {
  readonly blockedMccs: readonly string[];
  readonly blockedCountries: readonly string[];
  /** Whether an authorization is approved even if the account does not cover it (cards.md §6.8). */
  readonly approvesUncovered: boolean;
  /** The most that one account may have uncovered; null: no limit. */
  readonly uncoveredMax: bigint | null;
}

/** Returns the reason to decline, or undefined to approve. `forced` is the issuer's own decision, which comes first. */
export function decide(
  request: AuthorizationRequest,
  facts: AuthorizationFacts,
  forced?: DeclinedReason,
): DeclinedReason | undefined {
  const { card, now, program } = facts;
  const isDebit = request.asks === 'DEBIT';
  if (card.status !== 'ACTIVE' || isPastExpiry(card, now)) return 'CARD_NOT_ACTIVE';
  if (forced) return forced;
  if (request.network !== undefined && request.network !== card.brand) return 'UNSUPPORTED_NETWORK';
  if (isBlocked(request.merchant, program)) return 'BLOCKED';
  if (isDebit && exceedsLimits(request, facts)) return 'SPEND_LIMIT_EXCEEDED';
  if (!facts.canFund) return 'NO_ELIGIBLE_FUNDING_SOURCE';
  return isDebit && request.amount > facts.available ? decideUncovered(request.amount, facts) : undefined;
}

/** A card works until the end of the month that is printed on it. */
export function isPastExpiry(
  { exp_month, exp_year }: Pick<AuthorizationFacts['card'], 'exp_month' | 'exp_year'>,
  now: Date,
): boolean {
  if (exp_month === null || exp_year === null) return false;
  return now.getTime() >= Date.UTC(exp_year, exp_month, 1);
}

export function isBlocked(
  { mcc, country }: Merchant,
  program: Pick<CardProgram, 'blockedMccs' | 'blockedCountries'>,
): boolean {
  return (
    (mcc !== undefined && program.blockedMccs.includes(mcc)) ||
    (country !== undefined && program.blockedCountries.includes(alpha2Of(country) ?? country.toUpperCase()))
  );
}

/** Exactly the limit passes (cards.md §1.6). */
function exceedsLimits(request: AuthorizationRequest, { card, today }: AuthorizationFacts): boolean {
  const { amount, increases } = request;
  const exceeds = (value: bigint, limit: bigint | null) => limit !== null && value > limit;
  return (
    exceeds((increases ?? 0n) + amount, card.max_spend_per_transaction) ||
    exceeds(today.spent + amount, card.max_spend_per_day) ||
    (increases === undefined && exceeds(today.count + 1n, card.max_transactions_per_day))
  );
}

function decideUncovered(
  amount: bigint,
  { program, uncovered }: AuthorizationFacts,
): DeclinedReason | undefined {
  if (!program.approvesUncovered) return 'INSUFFICIENT_FUNDS';
  const { uncoveredMax } = program;
  return uncoveredMax !== null && uncovered + amount > uncoveredMax ? 'BLOCKED' : undefined;
}

const DAY_MS = 24 * 60 * 60_000;

/** When a hold expires: later for travel, where services are used over time (cards.md §6.9). */
export function holdExpiry({ mcc }: Merchant, authorizedAt: Date): Date {
  const days = mcc !== undefined && isTravel(mcc) ? 30 : 7;
  return new Date(authorizedAt.getTime() + days * DAY_MS);
}

/** Car rental, lodging and the like. */
function isTravel(mcc: string): boolean {
  const number = /^\d{4}$/.test(mcc) ? Number(mcc) : 0;
  return (number >= 3351 && number <= 3999) || number === 7011 || number === 7512;
}
