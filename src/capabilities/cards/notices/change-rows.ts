import type { CardRow } from '#capabilities/cards/card-row.ts';
import { lockCard, touchCard } from '#capabilities/cards/card-store.ts';
import { type CardTransition, centsToUnits } from '#capabilities/cards/machine/draft.ts';
import { newRow } from '#capabilities/cards/machine/new-row.ts';
import {
  NO_FACTS,
  type NoticeAnswer,
  type RowNotice,
  subjectOf,
} from '#capabilities/cards/machine/notice.ts';
import { applyReport, CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { applyCardTransition } from '#capabilities/cards/notices/apply.ts';
import { countAdvice } from '#capabilities/cards/notices/decision.ts';
import { loadPlatformCustomerId, lockFacts, openReceivables } from '#capabilities/cards/notices/facts.ts';
import { findNotice, keepNotice } from '#capabilities/cards/notices/notice-store.ts';
import { queueNotice, RECEIVE_NOTICES } from '#capabilities/cards/notices/queue.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction, findRowByToken } from '#capabilities/cards/transaction-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const EARLY_MAX_MS = 24 * 60 * 60_000;

/**
 * Applies a notice to the rows of its card. The card is locked, so that its rows change one notice at a time.
 * `isQueued`: the notice was accepted before, and is now due.
 */
export async function changeRows(tx: Tx, notice: RowNotice, isQueued: boolean): Promise<NoticeAnswer> {
  const card = await lockCard(tx, notice.cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const known = await findNotice(tx, notice.id);
  if (known && !(isQueued && known.isDue)) return known.answer ?? { isApplied: true };
  const row = await findOwnRow(tx, card, subjectOf(notice));
  const held = heldUntil(row, tx.now);
  if (held) {
    queueNotice(tx, card, notice, held);
    return { isApplied: true };
  }
  if (!row && isAboutAuthorization(notice)) return awaitAuthorization(tx, card, notice, isQueued);
  const transition = await draftTransition(tx, card, row, notice);
  if (transition) {
    await openReceivables(tx, transition);
    applyCardTransition(tx, transition);
  } else noteWithoutEffect(tx, notice, row ? `the transaction is ${row.status}` : 'nothing to change');
  if (notice.kind === 'advice' && row && transition) countRaised(tx, card, row, transition);
  const answer = { isApplied: transition !== undefined };
  keepNotice(tx, card, { notice, answer });
  return answer;
}

/** cards.md §1.6: the amount that an advice adds counts towards the day's limit, but is not refused by it. */
function countRaised(tx: Tx, card: CardRow, before: CardTransactionRow, { row }: CardTransition): void {
  const raised = row.authorized_amount - before.authorized_amount;
  if (before.direction === 'DEBIT' && raised > 0n) countAdvice(tx, card, raised);
}

/** Another card's row is ignored. */
async function findOwnRow(tx: Tx, card: CardRow, token: string): Promise<CardTransactionRow | undefined> {
  const row = await findRowByToken(tx, token);
  return row?.card_id === card.id ? row : undefined;
}

/** Until the pull behind a row is confirmed, notices about the row wait (cards.md §8). */
function heldUntil(row: CardTransactionRow | undefined, now: Date): Date | undefined {
  const until = row?.confirmed_at;
  return until && until > now ? until : undefined;
}

function isAboutAuthorization(notice: RowNotice): boolean {
  const { kind } = notice;
  return kind !== 'return' && kind !== 'return_reversal' && (kind !== 'clearing' || notice.amount === 0n);
}

/** cards.md §6.11: a notice that arrives before its authorization waits for it for a day. */
function awaitAuthorization(tx: Tx, card: CardRow, notice: RowNotice, isQueued: boolean): NoticeAnswer {
  if (isQueued) {
    noteWithoutEffect(tx, notice, 'no authorization came for it');
    keepNotice(tx, card, { notice, answer: { isApplied: false } });
    return { isApplied: false };
  }
  const dueAt = new Date(tx.now.getTime() + EARLY_MAX_MS);
  keepNotice(tx, card, { notice, dueAt, isEarly: true });
  schedule(tx, { kind: RECEIVE_NOTICES, payload: { cardId: card.id }, dueAt });
  // Makes a concurrent decision on the authorization start again, so that it finds this notice.
  touchCard(tx, card);
  return { isApplied: true };
}

function noteWithoutEffect(tx: Tx, { id, kind: type, cardId, token }: RowNotice, why: string): void {
  audit(tx, {
    action: 'card message without effect',
    resource: publicId('Card', cardId),
    details: { message: id, type, issuerTransactionToken: token, why },
  });
}

async function draftTransition(
  tx: Tx,
  card: CardRow,
  row: CardTransactionRow | undefined,
  notice: RowNotice,
): Promise<CardTransition | undefined> {
  const accountId = row?.account_id ?? card.funding_source;
  const amount = 'amount' in notice ? (notice.amount ?? 0n) : 0n;
  const { facts, account } = await lockFacts(tx, card, accountId, (currency) =>
    centsToUnits({ account_currency: currency }, amount),
  );
  const platformCustomerId = await loadPlatformCustomerId(tx, card.customer_id);
  // If another row has the token, the notice is still booked, under its own id.
  const isTaken = (await findRowByToken(tx, notice.token)) !== undefined;
  const token = isTaken ? notice.id : notice.token;
  const owner = { card, platformCustomerId, account };
  const returned = notice.kind === 'return_reversal' ? row?.original_id : undefined;
  return applyReport(row, notice, tx.now, {
    ...facts,
    purchase: returned ? await findCardTransaction(tx, returned) : undefined,
    newRow: (traits) => newRow(tx, tx.newId(), owner, { ...traits, token }),
  });
}

/** Ends an authorization whose hold has expired (cards.md §6.9.8). */
export async function expireRow(tx: Tx, id: TransactionId): Promise<void> {
  const found = await findCardTransaction(tx, id);
  const card = found && (await lockCard(tx, found.card_id));
  const row = card && (await findCardTransaction(tx, id));
  if (!row?.hold_expires_at || row.hold_expires_at > tx.now) return;
  const transition = CARD_TRANSACTIONS_MACHINE.advance(row, { kind: 'expiry' }, tx.now, NO_FACTS);
  if (transition) applyCardTransition(tx, transition);
}
