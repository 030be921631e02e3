import { lockAccountStatus, requireActive } from '#capabilities/accounts/post-entry.ts';
import { lockCard } from '#capabilities/cards/card-store.ts';
import { holdExpiry } from '#capabilities/cards/machine/decide.ts';
import { type CardTransition, centsToUnits } from '#capabilities/cards/machine/draft.ts';
import { newRow } from '#capabilities/cards/machine/new-row.ts';
import {
  type Authorization,
  type CardFacts,
  type CardNotice,
  NO_FACTS,
  type NoticeAnswer,
} from '#capabilities/cards/machine/notice.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { applyCardTransition } from '#capabilities/cards/notices/apply.ts';
import {
  type Attempt,
  answerOf,
  countSpending,
  judgeAuthorization,
  judgeRepeat,
  newAttempt,
  uncoveredMax,
  type Verdict,
  verdictForReason,
} from '#capabilities/cards/notices/decision.ts';
import { lockFacts, openReceivables } from '#capabilities/cards/notices/facts.ts';
import { keepNotice, releaseEarly } from '#capabilities/cards/notices/notice-store.ts';
import { queueFollowUps, queueNotice, scheduleNotices } from '#capabilities/cards/notices/queue.ts';
import {
  boundUncovered,
  findAuthorization,
  type LoadedAuthorization,
  requireCard,
} from '#capabilities/cards/notices/store.ts';
import type { ComparedLimits } from '#capabilities/cards/transaction-row.ts';
import { CommitRefused, type Reason } from '#foundation/database/reasons.ts';
import { Change, type Changes, type ReadTx, type Tx } from '#foundation/database/tx.ts';
import { isStale, type Work } from '#foundation/database/work.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

const ROUNDS_MAX = 20;

/**
 * Decides an authorization (cards.md §6.6), once for each notice. It takes one trip to load everything, one to commit,
 * and one more if another authorization used up the money or the day's limit meanwhile. Nothing is locked in between:
 * the commit itself fails if the facts no longer hold, and if the card has changed, everything is repeated. After the
 * deadline the network has its answer, and nothing is approved any more.
 */
export async function authorize(
  work: Work,
  notice: Authorization,
  attempt: Attempt = newAttempt(),
): Promise<NoticeAnswer> {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const answer = await work.lookUp((tx) => decideOnce(work, tx, notice, attempt));
    if (answer) return answer;
  }
  throw new Error('an authorization met other changes of its card too often');
}

/** Returns undefined if something has changed since it was loaded. */
async function decideOnce(
  work: Work,
  tx: ReadTx,
  notice: Authorization,
  attempt: Attempt,
): Promise<NoticeAnswer | undefined> {
  const loaded = await load(tx, notice);
  if (loaded.answer) return loaded.answer;
  const { row } = loaded;
  let verdict: Verdict | undefined = row
    ? judgeRepeat(notice, { ...loaded, row })
    : judgeAuthorization(tx, notice, loaded);
  while (verdict) {
    if (attempt.isLate) verdict = { declined: 'OTHER' };
    attempt.mayHaveApproved = !row && !('declined' in verdict);
    const reason = await commit(work, tx, { notice, loaded, verdict, attempt });
    if (!reason) return answerOf(verdict);
    attempt.mayHaveApproved = false;
    verdict = verdictForReason(tx, reason);
  }
  return undefined;
}

async function load(tx: ReadTx, notice: Authorization): Promise<LoadedAuthorization> {
  const loaded = await findAuthorization(tx, notice, uncoveredMax(tx) !== null);
  if (!loaded) throw notFound('NOT_FOUND', 'Card');
  return loaded;
}

interface Decided {
  readonly notice: Authorization;
  readonly loaded: LoadedAuthorization;
  readonly verdict: Verdict;
  readonly attempt: Attempt;
}

function commit(work: Work, tx: ReadTx, decided: Decided): Promise<Reason | undefined> {
  if (isPostedUnderLock(tx, decided)) return commitUnderLock(work, decided);
  const change = new Change(tx);
  // A single message is assumed to be covered: the commit fails if it is not.
  const { loaded, notice } = decided;
  const available = centsToUnits({ account_currency: loaded.account.currency }, notice.amount);
  collect(change, tx, decided, { ...NO_FACTS, available, mayDraw: true });
  return tx.runtime.commit(change);
}

/** A single message that may leave or repay a debt depends on balances that must be locked first. */
function isPostedUnderLock(tx: ReadTx, { notice, loaded, verdict }: Decided): boolean {
  if (!notice.isFinal || loaded.row || 'declined' in verdict) return false;
  return notice.asks === 'CREDIT' || verdict.cover === 'UNCOVERED' || isPullFailing(tx, notice.merchant);
}

/** Collects all changes of the decision. */
function collect(
  changes: Changes,
  tx: ReadTx,
  { notice, loaded, verdict }: Omit<Decided, 'attempt'>,
  facts: CardFacts,
): CardTransition | undefined {
  keepNotice(changes, loaded.card, { notice, answer: answerOf(verdict) });
  if (loaded.hasEarly) {
    releaseEarly(changes, notice);
    scheduleNotices(changes, notice.cardId);
  }
  // Its clearing arrived first, or another row has the token: nothing is left to hold (cards.md §6.11).
  if (loaded.row) return undefined;
  const isPulledLater = !('declined' in verdict) && !notice.isFinal && notice.asks !== 'INQUIRY';
  const pull = isPulledLater ? tx.ports.cards.judge(notice.merchant).pull : undefined;
  const confirmedAt = pull && new Date(tx.now.getTime() + pull.afterMs);
  const limits = notice.asks === 'DEBIT' ? comparedLimits(loaded) : null;
  const row = newRow(changes, changes.newId(), loaded, { ...traitsOf(notice), confirmedAt, limits });
  const decision = decisionOf(tx, notice, verdict);
  const transition = CARD_TRANSACTIONS_MACHINE.require(row, decision, row.created_at, facts);
  applyCardTransition(changes, transition);
  if (notice.asks === 'DEBIT' && !notice.isFinal) {
    const issuers = tx.ports.cards.judge(notice.merchant);
    queueFollowUps(changes, loaded.card, notice, issuers, 'declined' in verdict);
  }
  if ('declined' in verdict) return transition;
  requireCard(changes, loaded.card);
  guardAccount(
    changes,
    loaded.account.id,
    transition,
    verdict.cover === 'UNCOVERED' ? uncoveredMax(tx) : null,
  );
  if (notice.asks === 'DEBIT') countSpending(changes, loaded.card, notice);
  if (pull?.outcome === 'FAILED' && confirmedAt) {
    const { id, cardId, token } = notice;
    const failure = { kind: 'pull_failure', id: `${id}:pull`, cardId, token } as const;
    queueNotice(changes, loaded.card, failure, confirmedAt);
  }
  return transition;
}

/** The limits of this moment, for the explanation of the decision (operator.md §8.1a). */
function comparedLimits({ card, today }: LoadedAuthorization): ComparedLimits | null {
  const { max_spend_per_transaction: each, max_spend_per_day: daily, max_transactions_per_day: times } = card;
  if (each === null && daily === null && times === null) return null;
  return {
    ...(each !== null && { maxSpendPerTransaction: Number(each) }),
    ...(daily !== null && { maxSpendPerDay: Number(daily) }),
    ...(times !== null && { maxTransactionsPerDay: Number(times) }),
    spentToday: Number(today.spent),
    transactionsToday: Number(today.count),
  };
}

/** At the commit the account must be active, and its uncovered amount within the limit. */
function guardAccount(
  changes: Changes,
  accountId: AccountId,
  { entries }: CardTransition,
  max: bigint | null,
): void {
  if (max !== null) boundUncovered(changes, accountId, max);
  else if (entries.length > 0) requireActive(changes, accountId);
  else lockAccountStatus(changes, accountId, 'active');
}

function traitsOf({ asks, token, merchant, amount }: Authorization) {
  const kinds = { DEBIT: 'PURCHASE', CREDIT: 'CREDIT', INQUIRY: 'INQUIRY' } as const;
  const direction = asks === 'CREDIT' ? 'CREDIT' : 'DEBIT';
  return { direction, kind: kinds[asks], token, merchant, amount } as const;
}

function decisionOf(tx: ReadTx, { asks, isFinal, merchant }: Authorization, verdict: Verdict): CardNotice {
  if ('declined' in verdict) return { kind: 'declined', reason: verdict.declined };
  if (isFinal && asks !== 'INQUIRY')
    return { kind: 'approvedAtOnce', isPullFailing: isPullFailing(tx, merchant) };
  return { kind: 'approved', isHeld: verdict.cover === 'HELD', holdExpiresAt: holdExpiry(merchant, tx.now) };
}

function isPullFailing({ ports }: ReadTx, merchant: Merchant): boolean {
  return ports.cards.judge(merchant).pull?.outcome === 'FAILED';
}

/** Repeats the whole decision with the card and the balances locked. */
async function commitUnderLock(work: Work, decided: Decided): Promise<Reason | undefined> {
  try {
    return await work.write((tx) => postUnderLock(tx, decided));
  } catch (error) {
    if (isStale(error)) return { name: 'stale' };
    if (error instanceof CommitRefused) return error.reason;
    throw error;
  }
}

async function postUnderLock(
  tx: Tx,
  { notice, loaded: seen, attempt }: Decided,
): Promise<Reason | undefined> {
  const card = await lockCard(tx, notice.cardId);
  if (card?.version !== seen.card.version) return { name: 'stale' };
  const { facts } = await lockFacts(tx, card, card.funding_source, (currency) =>
    centsToUnits({ account_currency: currency }, notice.amount),
  );
  const loaded = await load(tx, notice);
  const verdict = judgeAuthorization(tx, notice, loaded);
  if (attempt.isLate || loaded.answer || loaded.row || 'declined' in verdict) return { name: 'stale' };
  const transition = collect(tx, tx, { notice, loaded, verdict }, facts);
  if (transition) await openReceivables(tx, transition);
  return undefined;
}
