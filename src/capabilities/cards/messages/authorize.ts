import { lockAccountStatus, requireActive } from '#capabilities/accounts/post-entry.ts';
import { lockCard } from '#capabilities/cards/card-store.ts';
import { holdExpiry } from '#capabilities/cards/machine/decide.ts';
import { type CardTransition, centsToUnits } from '#capabilities/cards/machine/draft.ts';
import * as machine from '#capabilities/cards/machine/machine.ts';
import { applyCardTransition } from '#capabilities/cards/messages/apply.ts';
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
} from '#capabilities/cards/messages/decision.ts';
import { lockFacts, openReceivables } from '#capabilities/cards/messages/facts.ts';
import type { Authorization, MessageAnswer } from '#capabilities/cards/messages/message.ts';
import { keepMessage, releaseEarly } from '#capabilities/cards/messages/message-store.ts';
import { newRow } from '#capabilities/cards/messages/new-row.ts';
import { queueFollowUps, queueMessage, scheduleMessages } from '#capabilities/cards/messages/queue.ts';
import {
  boundUncovered,
  findAuthorization,
  type LoadedAuthorization,
  requireCard,
} from '#capabilities/cards/messages/store.ts';
import type { FixedCardTransaction } from '#capabilities/cards/transaction-row.ts';
import { CommitRefused, type Reason } from '#foundation/database/reasons.ts';
import { Change, type Changes, type ReadTx, type Tx } from '#foundation/database/tx.ts';
import { isStale, type Work } from '#foundation/database/work.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const ROUNDS_MAX = 20;

/**
 * Decides an authorization (cards.md §6.6), once for each message. It takes one trip to load everything, one to commit,
 * and one more if another authorization used up the money or the day's limit meanwhile. Nothing is locked in between:
 * the commit itself fails if the facts no longer hold, and if the card has changed, everything is repeated. After the
 * deadline the network has its answer, and nothing is approved any more.
 */
export async function authorize(
  work: Work,
  message: Authorization,
  attempt: Attempt = newAttempt(),
): Promise<MessageAnswer> {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const answer = await work.lookUp((tx) => decideOnce(work, tx, message, attempt));
    if (answer) return answer;
  }
  throw new Error('an authorization met other changes of its card too often');
}

/** Returns undefined if something has changed since it was loaded. */
async function decideOnce(
  work: Work,
  tx: ReadTx,
  message: Authorization,
  attempt: Attempt,
): Promise<MessageAnswer | undefined> {
  const loaded = await load(tx, message);
  if (loaded.answer) return loaded.answer;
  const { row } = loaded;
  let verdict: Verdict | undefined = row
    ? judgeRepeat(message, { ...loaded, row })
    : judgeAuthorization(tx, message, loaded);
  while (verdict) {
    if (attempt.isLate) verdict = { declined: 'OTHER' };
    attempt.mayHaveApproved = !row && !('declined' in verdict);
    const reason = await commit(work, tx, { message, loaded, verdict, attempt });
    if (!reason) return answerOf(verdict);
    attempt.mayHaveApproved = false;
    verdict = verdictForReason(tx, reason);
  }
  return undefined;
}

async function load(tx: ReadTx, message: Authorization): Promise<LoadedAuthorization> {
  const loaded = await findAuthorization(tx, message, uncoveredMax(tx) !== null);
  if (!loaded) throw notFound('NOT_FOUND', 'Card');
  return loaded;
}

interface Decided {
  readonly message: Authorization;
  readonly loaded: LoadedAuthorization;
  readonly verdict: Verdict;
  readonly attempt: Attempt;
}

function commit(work: Work, tx: ReadTx, decided: Decided): Promise<Reason | undefined> {
  if (isPostedUnderLock(tx, decided)) return commitUnderLock(work, decided);
  const change = new Change(tx);
  collect(change, tx, decided, (fixed) => buildTransition(decided, fixed));
  return tx.runtime.commit(change);
}

/** A single message that may leave or repay a debt depends on balances that must be locked first. */
function isPostedUnderLock({ ports }: ReadTx, { message, loaded, verdict }: Decided): boolean {
  if (!message.isFinal || loaded.row || 'declined' in verdict) return false;
  const isCertain = ports.cards.judge(message.merchant).pull?.outcome !== 'FAILED';
  return message.asks === 'CREDIT' || verdict.cover === 'UNCOVERED' || !isCertain;
}

/** Collects all changes of the decision. */
function collect(
  changes: Changes,
  tx: ReadTx,
  { message, loaded, verdict }: Omit<Decided, 'attempt'>,
  transitionFor: (fixed: FixedCardTransaction) => CardTransition,
): CardTransition | undefined {
  keepMessage(changes, { message, answer: answerOf(verdict) });
  if (loaded.hasEarly) {
    releaseEarly(changes, message);
    scheduleMessages(changes, message.cardId);
  }
  // Its clearing arrived first, or another row has the token: nothing is left to hold (cards.md §6.11).
  if (loaded.row) return undefined;
  const isPulledLater = !('declined' in verdict) && !message.isFinal && message.asks !== 'INQUIRY';
  const pull = isPulledLater ? tx.ports.cards.judge(message.merchant).pull : undefined;
  const confirmedAt = pull && new Date(tx.now.getTime() + pull.afterMs);
  const transition = transitionFor(
    newRow(changes, changes.newId(), loaded, { ...traitsOf(message), confirmedAt }),
  );
  applyCardTransition(changes, transition);
  if (message.asks === 'DEBIT' && !message.isFinal) {
    queueFollowUps(changes, message, tx.ports.cards.judge(message.merchant), 'declined' in verdict);
  }
  if ('declined' in verdict) return transition;
  requireCard(changes, loaded.card);
  guardAccount(
    changes,
    loaded.account.id,
    transition,
    verdict.cover === 'UNCOVERED' ? uncoveredMax(tx) : null,
  );
  if (message.asks === 'DEBIT') countSpending(changes, loaded.card, message);
  if (pull?.outcome === 'FAILED' && confirmedAt) {
    const { id, cardId, token } = message;
    queueMessage(changes, { type: 'pull_failure', id: `${id}:pull`, cardId, token }, confirmedAt);
  }
  return transition;
}

/** At the commit the account must be active, and its uncovered amount within the limit. */
function guardAccount(
  changes: Changes,
  accountId: string,
  { entries }: CardTransition,
  max: bigint | null,
): void {
  if (max !== null) boundUncovered(changes, accountId, max);
  else if (entries.length > 0) requireActive(changes, accountId);
  else lockAccountStatus(changes, accountId, 'active');
}

function traitsOf({ asks, token, merchant }: Authorization) {
  const kinds = { DEBIT: 'PURCHASE', CREDIT: 'CREDIT', INQUIRY: 'INQUIRY' } as const;
  return { direction: asks === 'CREDIT' ? 'CREDIT' : 'DEBIT', kind: kinds[asks], token, merchant } as const;
}

function buildTransition({ message, verdict }: Decided, fixed: FixedCardTransaction): CardTransition {
  const { amount, asks, isFinal, merchant } = message;
  if ('declined' in verdict) return machine.decline(fixed, amount, verdict.declined);
  if (asks === 'INQUIRY') return machine.inquire(fixed);
  if (isFinal) {
    // Assumed to be covered: the commit fails if it is not.
    const available = centsToUnits(fixed, amount);
    const { created_at: now } = fixed;
    return machine.postAtOnce(fixed, amount, {
      now,
      available,
      mayDraw: true,
      isClosed: false,
      debt: undefined,
    });
  }
  return machine.authorize(fixed, amount, {
    isHeld: verdict.cover === 'HELD',
    holdExpiresAt: holdExpiry(merchant, fixed.created_at),
  });
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
  { message, loaded: seen, attempt }: Decided,
): Promise<Reason | undefined> {
  const card = await lockCard(tx, message.cardId);
  if (card?.version !== seen.card.version) return { name: 'stale' };
  const { facts } = await lockFacts(tx, card, card.funding_source, (currency) =>
    centsToUnits({ account_currency: currency }, message.amount),
  );
  const loaded = await load(tx, message);
  const verdict = judgeAuthorization(tx, message, loaded);
  if (attempt.isLate || loaded.answer || loaded.row || 'declined' in verdict) return { name: 'stale' };
  const isFailing = tx.ports.cards.judge(message.merchant).pull?.outcome === 'FAILED';
  const transition = collect(tx, tx, { message, loaded, verdict }, (fixed) =>
    isFailing ? machine.failAtOnce(fixed, message.amount) : machine.postAtOnce(fixed, message.amount, facts),
  );
  if (transition) await openReceivables(tx, [transition]);
  return undefined;
}
