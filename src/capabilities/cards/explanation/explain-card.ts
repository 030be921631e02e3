import type { CardRow } from '#capabilities/cards/card-row.ts';
import { findCard } from '#capabilities/cards/card-store.ts';
import {
  atMerchant,
  declineOf,
  failureOf,
  loadPurchaseFacts,
  type PurchaseFacts,
  showCents as show,
} from '#capabilities/cards/explanation/declines.ts';
import { movementsOf } from '#capabilities/cards/explanation/history.ts';
import { cardTransitions } from '#capabilities/cards/explanation/transitions.ts';
import { EXPIRE_ROW } from '#capabilities/cards/machine/draft.ts';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import { findCardTransaction } from '#capabilities/cards/transaction-store.ts';
import { BECAUSE } from '#foundation/database/attention.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Explained, Explainer, Failure, Item, Waiting } from '#foundation/explanation/explanation.ts';
import type { PostedEntry } from '#foundation/ledger/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { idsInTokens } from '#foundation/lib/issuer-tokens.ts';

/** Explains card transactions (operator.md §8.1). */
export const cardExplainer: Explainer = {
  types: ['Transaction'],
  async explain(tx, { uuid }) {
    const row = await findCardTransaction(tx, uuid as TransactionId);
    if (!row) return undefined;
    return explainCard(tx, row, await findCard(tx, row.card_id));
  },
};

async function explainCard(
  tx: ReadTx,
  row: CardTransactionRow,
  card: CardRow | undefined,
): Promise<Explained> {
  const id = publicId('Transaction', row.id);
  const facts = await loadPurchaseFacts(tx, row);
  const failure = failureOf(row, facts);
  return {
    id,
    type: 'CARD',
    status: row.status,
    summary: summaryOf(row, failure),
    waiting: waitingOf(tx, row),
    failure,
    related: [
      { id: publicId('Card', row.card_id), relation: 'card' },
      { id: publicId('InternalAccount', row.account_id), relation: 'funding account' },
      ...(row.original_id === null
        ? []
        : [{ id: publicId('Transaction', row.original_id), relation: 'the original purchase or return' }]),
    ],
    items: (entries) => [
      ...(wasDecided(row, entries) ? [decisionOf(row, card, facts)] : []),
      ...cardTransitions(row, entries),
    ],
    written: [atMerchant(row)],
    resources: [id],
    traces: idsInTokens(row.token),
    ledgerId: row.id,
    jobs: [{ kind: EXPIRE_ROW, key: row.id, title: 'release the rest of the hold' }],
    changedAt: row.updated_at,
  };
}

function summaryOf(row: CardTransactionRow, failure: Failure | undefined): string {
  const amount = (cents: bigint) => show(row, cents);
  const settled = settledAmountOf(row);
  if (row.status === 'DECLINED')
    return `Nothing has moved: the authorization of ${amount(row.authorized_amount)}${atMerchant(row)} was declined. ${failure?.sentence ?? ''}`.trim();
  if (row.status === 'EXCEPTION') return exceptionSummary(row, settled);
  if (row.direction === 'CREDIT')
    return row.status === 'SETTLED'
      ? `The merchant gave back ${amount(settled)}, which was credited to the account or repaid what the purchase owed.`
      : 'Nothing has moved: the merchant announced a credit and has not cleared it.';
  const onHold =
    row.hold > 0n ? `${amount(row.hold)} is on hold in the account` : 'nothing is on hold in the account';
  if (row.status === 'AUTHORIZED')
    return `${onHold.replace(/^n/, 'N')}, because the merchant has not cleared the purchase of ${amount(row.authorized_amount)}${atMerchant(row)} yet.`;
  if (row.status === 'PARTIALLY_SETTLED')
    return `The merchant has taken ${amount(settled)} of ${amount(row.authorized_amount)} so far, and ${onHold} for the rest.`;
  if (settled === 0n) return 'Nothing was taken: the authorization ended, and its hold was released.';
  const back = row.returned > 0n ? ` The merchant has since returned ${amount(row.returned)} of it.` : '';
  return `${amount(settled)} was taken from the account and paid for the purchase${atMerchant(row)}.${back}`;
}

function exceptionSummary(row: CardTransactionRow, settled: bigint): string {
  const owed = row.receivable;
  const taken = settled - owed > 0n ? `${show(row, settled - owed)} of it was taken from the account. ` : '';
  const authorized =
    settled > row.authorized_amount ? `, though only ${show(row, row.authorized_amount)} was authorized` : '';
  return (
    `The card network was paid ${show(row, settled)} for the purchase${atMerchant(row)}${authorized}. ${taken}` +
    `The service covered ${taken ? 'the other ' : ''}${show(row, owed)}, and the account owes it until the operator collects it or writes it off.`
  );
}

function waitingOf(tx: ReadTx, row: CardTransactionRow): Waiting | undefined {
  if (row.status === 'EXCEPTION') {
    return {
      for: `The operator has to collect ${show(row, row.receivable)} from the account, or write it off. Incoming money does not settle it by itself; a collection needs the whole amount to be available.`,
      since: row.updated_at,
      by: [{ who: 'OPERATOR', how: 'Collect or write off the debt.', commands: commandsFor(row) }],
    };
  }
  if (!isOpenRow(row)) return undefined;
  const open = row.authorized_amount - settledAmountOf(row);
  const awaited = {
    kind: 'CLEARING',
    cardId: publicId('Card', row.card_id),
    transactionId: publicId('Transaction', row.id),
    amount: open,
  } as const;
  const { explanations } = tx.ports;
  const until = row.hold_expires_at ?? undefined;
  return {
    for: `The merchant has to clear ${show(row, open)}, or give up the authorization.`,
    since: row.updated_at,
    until,
    afterwards: 'At that time the authorization expires, and the rest of the hold is released.',
    by: [
      { who: 'NETWORK', how: 'Report a clearing or a reversal.' },
      ...explanations.waysToCause(awaited, tx.now).map((way) => ({ who: 'TOKEN' as const, ...way })),
      ...(until
        ? explanations
            .waysToCause({ kind: 'TIME', at: until, when: 'when the authorization expires' }, tx.now)
            .map((way) => ({ who: 'TOKEN' as const, ...way }))
        : []),
    ],
  };
}

function commandsFor(row: CardTransactionRow) {
  const subject = publicId('Transaction', row.id);
  return [
    {
      how: 'Take the whole debt from the account.',
      command: `corridor card exceptions collect ${subject} ${BECAUSE}`,
    },
    { how: 'Write off the debt.', command: `corridor card exceptions write-off ${subject} ${BECAUSE}` },
  ];
}

/** A return, and a clearing without an authorization, are booked without a decision. */
function wasDecided(row: CardTransactionRow, entries: readonly PostedEntry[]): boolean {
  if (row.declined_reason !== null) return true;
  const isBooked = movementsOf(row, entries).some(
    ({ at, cleared, short, credited, takenBack }) =>
      at.getTime() === row.created_at.getTime() && cleared + short + credited + takenBack > 0n,
  );
  return !isBooked;
}

function decisionOf(row: CardTransactionRow, card: CardRow | undefined, facts: PurchaseFacts): Item {
  const reason = row.declined_reason;
  const declined = reason === null ? undefined : declineOf(row, reason, facts);
  // A row of an earlier version has no limits of that moment.
  const isOlder = reason === 'SPEND_LIMIT_EXCEEDED' && row.limits === null && card !== undefined;
  return {
    kind: 'decision',
    at: row.created_at,
    actor: { kind: 'SERVICE' },
    title:
      declined === undefined
        ? 'The card, the merchant, the limits, the account and the balance passed the checks.'
        : `${declined.sentence} Nothing was put on hold.`,
    rule: declined === undefined ? 'cards.md §6.6' : declined.rule,
    details: {
      about: 'AUTHORIZATION',
      outcome: reason === null ? 'APPROVED' : 'DECLINED',
      reason: reason ?? undefined,
      amount: Number(row.authorized_amount),
      currency: row.currency,
      limits: row.limits ?? undefined,
      ...(isOlder && { presentLimits: limitsOf(card) }),
    },
  };
}

function limitsOf(card: CardRow) {
  const number = (value: bigint | null) => (value === null ? undefined : Number(value));
  return {
    maxSpendPerTransaction: number(card.max_spend_per_transaction),
    maxSpendPerDay: number(card.max_spend_per_day),
    maxTransactionsPerDay: number(card.max_transactions_per_day),
  };
}
