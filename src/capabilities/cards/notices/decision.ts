import type { DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import { decide } from '#capabilities/cards/machine/decide.ts';
import { centsToUnits } from '#capabilities/cards/machine/draft.ts';
import type { Authorization, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { mayDraw } from '#capabilities/cards/notices/facts.ts';
import type { LoadedAuthorization } from '#capabilities/cards/notices/store.ts';
import { dayPeriod } from '#foundation/counters/count.ts';
import { useCounter } from '#foundation/counters/store.ts';
import type { Reason } from '#foundation/database/reasons.ts';
import type { Changes, ReadTx } from '#foundation/database/tx.ts';

/** The decision on an authorization: declined, or approved with a hold, without cover, or without needing cover. */
export type Verdict =
  | { readonly declined: DeclinedReason }
  | { readonly cover: 'HELD' | 'UNCOVERED' | 'NONE' };

/** One call of the network that waits for its decision. */
export interface Attempt {
  /** The network has its answer, so nothing is approved any more. */
  isLate: boolean;
  /** This call has made a new approval, or has sent the commit for it. */
  mayHaveApproved: boolean;
}

export function newAttempt(): Attempt {
  return { isLate: false, mayHaveApproved: false };
}

export type DecisionRequest = Pick<Authorization, 'asks' | 'amount' | 'merchant' | 'network'> & {
  /** The amount already authorized of the purchase that it increases. */
  readonly increases?: bigint | undefined;
};

/** Makes the decision of cards.md §6.6 on the loaded facts. */
export function judgeAuthorization(tx: ReadTx, asked: DecisionRequest, loaded: LoadedAuthorization): Verdict {
  const { cards: settings } = tx.platform.settings;
  const { approvesUncovered } = tx.ports.cards;
  const { card, today, account, hasKey, uncovered } = loaded;
  const available = unitsToCents(account.currency, loaded.available);
  const declined = decide(
    asked,
    {
      card,
      today,
      canFund: mayDraw({ ...account, hasKey }),
      available,
      program: {
        blockedMccs: settings.blockedMccs,
        blockedCountries: settings.blockedCountries,
        approvesUncovered,
        uncoveredMax: uncoveredMax(tx),
      },
      uncovered,
      now: tx.now,
    },
    forcedDecline(tx, asked),
  );
  if (declined) return { declined };
  if (asked.asks !== 'DEBIT') return { cover: 'NONE' };
  return { cover: asked.amount <= available ? 'HELD' : 'UNCOVERED' };
}

/** The issuer's own decision, which comes before ours. */
function forcedDecline(
  tx: ReadTx,
  { asks, increases, merchant }: DecisionRequest,
): DeclinedReason | undefined {
  if (asks === 'INQUIRY') return undefined;
  const { declined, declinedIncrement } = tx.ports.cards.judge(merchant);
  return increases === undefined ? declined : declinedIncrement;
}

/**
 * The verdict if a row already has the token, because its clearing arrived first or the network asks again under another
 * id (cards.md §6.11). Nothing is held or counted, so no more is approved than the row's own amount.
 */
export function judgeRepeat(
  { asks, amount }: Pick<Authorization, 'asks' | 'amount'>,
  { card, row }: Pick<LoadedAuthorization, 'card'> & { row: NonNullable<LoadedAuthorization['row']> },
): Verdict {
  const isSame = row.card_id === card.id && (row.direction === 'CREDIT') === (asks === 'CREDIT');
  const isCovered = isSame && row.status !== 'DECLINED' && amount <= row.authorized_amount;
  return isCovered ? { cover: 'NONE' } : { declined: 'OTHER' };
}

export function uncoveredMax(tx: ReadTx): bigint | null {
  const max = tx.platform.settings.cards.uncoveredMax;
  return max === null ? null : BigInt(max);
}

/** Converts an amount in the account's smallest unit to whole card cents, rounded down. */
function unitsToCents(currency: string, units: bigint): bigint {
  return units / centsToUnits({ account_currency: currency }, 1n);
}

/** The verdict after a commit failed because something had changed; undefined: load everything again. */
export function verdictForReason({ ports }: ReadTx, reason: Reason): Verdict | undefined {
  switch (reason.name) {
    case 'insufficient':
      return ports.cards.approvesUncovered ? { cover: 'UNCOVERED' } : { declined: 'INSUFFICIENT_FUNDS' };
    case 'limit':
      return { declined: 'SPEND_LIMIT_EXCEEDED' };
    case 'uncovered':
      return { declined: 'BLOCKED' };
    default:
      return undefined;
  }
}

export function answerOf(verdict: Verdict): NoticeAnswer {
  return 'declined' in verdict ? { isApproved: false, reason: verdict.declined } : { isApproved: true };
}

const NO_LIMIT = 2n ** 62n;

/** Counts an approved debit towards the limits of its day, in the same commit (cards.md §1.6). */
export function countSpending(
  changes: Changes,
  card: LoadedAuthorization['card'],
  { amount, increases }: Pick<DecisionRequest, 'amount' | 'increases'>,
): void {
  const period = dayPeriod(changes);
  const limitOf = (limit: bigint | null) => limit ?? NO_LIMIT;
  useCounter(changes, {
    name: `CARD_SPEND:${card.id}`,
    period,
    value: [amount, 1n],
    limit: limitOf(card.max_spend_per_day),
  });
  if (increases !== undefined) return;
  useCounter(changes, {
    name: `CARD_PURCHASES:${card.id}`,
    period,
    value: [1n, 1n],
    limit: limitOf(card.max_transactions_per_day),
  });
}

/** An advice is authorized regardless of the limit, but the amount that it adds counts for the rest of the day. */
export function countAdvice(
  changes: Changes,
  { id }: Pick<LoadedAuthorization['card'], 'id'>,
  amount: bigint,
): void {
  const name = `CARD_SPEND:${id}`;
  useCounter(changes, { name, period: dayPeriod(changes), value: [amount, 1n], limit: NO_LIMIT });
}
