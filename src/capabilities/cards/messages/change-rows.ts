import type { CardRow } from '#capabilities/cards/card-row.ts';
import { lockCard, touchCard } from '#capabilities/cards/card-store.ts';
import { type CardTransition, centsToUnits } from '#capabilities/cards/machine/draft.ts';
import type { CardFacts } from '#capabilities/cards/machine/machine.ts';
import * as machine from '#capabilities/cards/machine/machine.ts';
import { applyCardTransition } from '#capabilities/cards/messages/apply.ts';
import { countAdvice } from '#capabilities/cards/messages/decision.ts';
import { loadPlatformCustomerId, lockFacts, openReceivables } from '#capabilities/cards/messages/facts.ts';
import type {
  Authorization,
  CardMessage,
  Increment,
  MessageAnswer,
  Return,
  ReturnReversal,
} from '#capabilities/cards/messages/message.ts';
import { findMessage, keepMessage } from '#capabilities/cards/messages/message-store.ts';
import { newRow, type RowTraits } from '#capabilities/cards/messages/new-row.ts';
import { queueMessage, RECEIVE_MESSAGES } from '#capabilities/cards/messages/queue.ts';
import { findRowByToken } from '#capabilities/cards/messages/store.ts';
import {
  type CardTransactionRow,
  type FixedCardTransaction,
  isOpenRow,
  settledAmountOf,
} from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction } from '#capabilities/cards/transaction-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/** Messages about existing rows: the network reports facts, which are booked in any case (cards.md §7.2). */
export type RowMessage = Exclude<CardMessage, Authorization | Increment>;

const EARLY_MAX_MS = 24 * 60 * 60_000;

/**
 * Applies a message to the rows of its card. The card is locked, so that its rows change one message at a time.
 * `isQueued`: the message was accepted before, and is now due.
 */
export async function changeRows(tx: Tx, message: RowMessage, isQueued: boolean): Promise<MessageAnswer> {
  const card = await lockCard(tx, message.cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const known = await findMessage(tx, message.id);
  if (known && !(isQueued && known.isDue)) return known.answer ?? { isApplied: true };
  const row = await findOwnRow(tx, card, subjectOf(message));
  const held = heldUntil(row, tx.now);
  if (held) return holdBack(tx, message, held);
  if (!row && isAboutAuthorization(message)) return awaitAuthorization(tx, card, message, isQueued);
  const transitions = await draftTransitions(tx, card, row, message);
  await openReceivables(tx, transitions);
  for (const transition of transitions) applyCardTransition(tx, transition);
  if (message.type === 'advice' && row) countRaised(tx, card, row, transitions);
  const answer = { isApplied: transitions.length > 0 };
  if (!answer.isApplied)
    noteWithoutEffect(tx, message, row ? `the transaction is ${row.status}` : 'nothing to change');
  keepMessage(tx, { message, answer });
  return answer;
}

/** cards.md §1.6: the amount that an advice adds counts towards the day's limit, but is not refused by it. */
function countRaised(
  tx: Tx,
  card: CardRow,
  before: CardTransactionRow,
  transitions: readonly CardTransition[],
): void {
  const raised =
    transitions.reduce((sum, { row }) => sum + row.authorized_amount, 0n) - before.authorized_amount;
  if (before.direction === 'DEBIT' && raised > 0n) countAdvice(tx, card, raised);
}

/** The token of the row that the message is about. */
function subjectOf(message: RowMessage): string {
  if (message.type === 'return') return message.purchaseToken;
  return message.type === 'return_reversal' ? message.returnToken : message.token;
}

/** Another card's row is ignored. */
async function findOwnRow(tx: Tx, card: CardRow, token: string): Promise<CardTransactionRow | undefined> {
  const row = await findRowByToken(tx, token);
  return row?.card_id === card.id ? row : undefined;
}

/** Until the pull behind a row is confirmed, messages about the row wait (cards.md §8). */
function heldUntil(row: CardTransactionRow | undefined, now: Date): Date | undefined {
  const until = row?.confirmed_at;
  return until && until > now ? until : undefined;
}

function holdBack(tx: Tx, message: RowMessage, until: Date): MessageAnswer {
  queueMessage(tx, message, until);
  return { isApplied: true };
}

function isAboutAuthorization(message: RowMessage): boolean {
  const { type } = message;
  return type !== 'return' && type !== 'return_reversal' && (type !== 'clearing' || message.amount === 0n);
}

/** cards.md §6.11: a message that arrives before its authorization waits for it for a day. */
function awaitAuthorization(tx: Tx, card: CardRow, message: RowMessage, isQueued: boolean): MessageAnswer {
  if (isQueued) {
    noteWithoutEffect(tx, message, 'no authorization came for it');
    keepMessage(tx, { message, answer: { isApplied: false } });
    return { isApplied: false };
  }
  const dueAt = new Date(tx.now.getTime() + EARLY_MAX_MS);
  keepMessage(tx, { message, dueAt, isEarly: true });
  schedule(tx, { kind: RECEIVE_MESSAGES, payload: { cardId: card.id }, dueAt });
  // Makes a concurrent decision on the authorization start again, so that it finds this message.
  touchCard(tx, card);
  return { isApplied: true };
}

function noteWithoutEffect(tx: Tx, { id, type, cardId, token }: RowMessage, why: string): void {
  audit(tx, {
    action: 'card message without effect',
    resource: publicId('Card', cardId),
    details: { message: id, type, issuerTransactionToken: token, why },
  });
}

async function draftTransitions(
  tx: Tx,
  card: CardRow,
  row: CardTransactionRow | undefined,
  message: RowMessage,
): Promise<CardTransition[]> {
  const accountId = row?.account_id ?? card.funding_source;
  const amount = 'amount' in message ? (message.amount ?? 0n) : 0n;
  const { facts, account } = await lockFacts(tx, card, accountId, (currency) =>
    centsToUnits({ account_currency: currency }, amount),
  );
  const platformCustomerId = await loadPlatformCustomerId(tx, card.customer_id);
  // If another row has the token, the message is still booked, under its own id.
  const isTaken = (await findRowByToken(tx, message.token)) !== undefined;
  const newFixed = (traits: Omit<RowTraits, 'token'>) =>
    newRow(
      tx,
      tx.newId(),
      { card, platformCustomerId, account },
      {
        ...traits,
        token: isTaken ? message.id : message.token,
      },
    );
  switch (message.type) {
    case 'return':
      return returned(message, row, facts, newFixed);
    case 'return_reversal':
      return takenBack(tx, message, row, facts, newFixed);
    case 'clearing':
      return cleared(message, row, facts, newFixed);
    default:
      return row ? toList(changed(row, message, facts)) : [];
  }
}

type NewFixed = (traits: Omit<RowTraits, 'token'>) => FixedCardTransaction;

function toList(transition: CardTransition | undefined): CardTransition[] {
  return transition ? [transition] : [];
}

function changed(
  row: CardTransactionRow,
  message: Exclude<RowMessage, Return | ReturnReversal | { type: 'clearing' }>,
  facts: CardFacts,
): CardTransition | undefined {
  switch (message.type) {
    case 'advice':
      return machine.advise(row, message.amount, facts);
    case 'reversal':
      return message.amount === undefined
        ? machine.expire(row, facts.now)
        : machine.reverse(row, message.amount, facts);
    case 'expiry':
      return machine.expire(row, facts.now);
    case 'pull_failure':
      return machine.failPull(row, facts.now);
  }
}

/** Clears a purchase or a credit. For any other row, or a declined one, it is a force post. */
function cleared(
  message: Extract<RowMessage, { type: 'clearing' }>,
  row: CardTransactionRow | undefined,
  facts: CardFacts,
  newFixed: NewFixed,
): CardTransition[] {
  const { amount, direction, merchant } = message;
  const kind = direction === 'DEBIT' ? 'PURCHASE' : 'CREDIT';
  if (amount === 0n) return row ? toList(machine.expire(row, facts.now)) : [];
  if (row?.kind === kind && row.direction === direction && row.status !== 'DECLINED') {
    return [machine.clear(row, amount, facts)];
  }
  const fixed = newFixed({ direction, kind, merchant });
  return [machine.postAtOnce(fixed, amount, facts)];
}

/** Returns money for a purchase. An amount above the rest of the purchase is a separate credit. */
function returned(
  { amount, merchant }: Return,
  row: CardTransactionRow | undefined,
  facts: CardFacts,
  newFixed: NewFixed,
): CardTransition[] {
  if (amount === 0n) return [];
  const isReturnable = row?.kind === 'PURCHASE' && amount <= settledAmountOf(row) - row.returned;
  const purchase = isReturnable ? row : undefined;
  const fixed = newFixed({
    direction: 'CREDIT',
    kind: purchase ? 'RETURN' : 'CREDIT',
    merchant: purchase?.merchant ?? merchant,
    originalId: purchase?.id,
  });
  return machine.returnPurchase(fixed, amount, purchase, facts);
}

/**
 * Reverses a return. If the return is unknown, was reversed before or had another amount, the message is booked as a force
 * post.
 */
async function takenBack(
  tx: Tx,
  { amount, merchant }: ReturnReversal,
  row: CardTransactionRow | undefined,
  facts: CardFacts,
  newFixed: NewFixed,
): Promise<CardTransition[]> {
  if (amount === 0n) return [];
  if (row?.kind !== 'RETURN' || row.is_reversed || amount !== settledAmountOf(row)) {
    return [machine.postAtOnce(newFixed({ direction: 'DEBIT', kind: 'PURCHASE', merchant }), amount, facts)];
  }
  const purchase = row.original_id === null ? undefined : await findCardTransaction(tx, row.original_id);
  const fixed = newFixed({
    direction: 'DEBIT',
    kind: 'RETURN_REVERSAL',
    merchant: row.merchant,
    originalId: row.id,
  });
  return machine.reverseReturn(fixed, row, purchase, facts);
}

/** Ends an authorization whose hold has expired (cards.md §6.9.8). */
export async function expireRow(tx: Tx, id: string): Promise<void> {
  const found = await findCardTransaction(tx, id);
  const card = found && (await lockCard(tx, found.card_id));
  const row = card && (await findCardTransaction(tx, id));
  if (!row || !isOpenRow(row) || !row.hold_expires_at || row.hold_expires_at > tx.now) return;
  const transition = machine.expire(row, tx.now);
  if (transition) applyCardTransition(tx, transition);
}
