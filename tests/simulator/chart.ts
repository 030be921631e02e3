import assert from 'node:assert/strict';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { CompleteEntry, Line } from '#foundation/ledger/entries.ts';
import type { LedgerKind } from '#foundation/ledger/kinds.ts';

/**
 * The table of money.md §11 once more, as plainly as possible: which accounts an entry of each kind may debit and credit.
 * A name stands for the account of that part of the row: `AVAIL source` is the available money of the source account.
 */
export interface Sides {
  readonly debits: readonly string[];
  readonly credits: readonly string[];
}

const mirrored = ({ debits, credits }: Sides): Sides => ({ debits: credits, credits: debits });

const CONVERSION: Sides = { debits: ['INFLIGHT', 'FX'], credits: ['FEES', 'FX', 'INFLIGHT'] };
const TAKEN_FROM_RAIL: Sides = { debits: ['RAIL funding'], credits: ['INFLIGHT'] };
const HOLD: Sides = { debits: ['AVAIL source'], credits: ['HOLD source'] };

const PAYMENT_CHART: Readonly<Partial<Record<LedgerKind, Sides>>> = {
  'deposit.received': { debits: ['RAIL funding'], credits: ['AVAIL destination', 'RECEIVABLE'] },
  'payment.executed': { debits: ['AVAIL source'], credits: ['INFLIGHT'] },
  'payment.held': HOLD,
  'payment.captured': { debits: ['HOLD source'], credits: ['INFLIGHT'] },
  'payment.released': mirrored(HOLD),
  'payment.funded': TAKEN_FROM_RAIL,
  'payment.collected': TAKEN_FROM_RAIL,
  'payment.converted': CONVERSION,
  'payment.delivered': {
    debits: ['INFLIGHT'],
    credits: ['RAIL payout', 'AVAIL destination', 'AVAIL fee', 'RECEIVABLE'],
  },
  'payment.returned': { debits: ['RAIL payout', 'AVAIL fee', 'RECEIVABLE'], credits: ['INFLIGHT'] },
  'payment.unwound': mirrored(CONVERSION),
  'refund.owed': { debits: ['INFLIGHT'], credits: ['REFUND_PAYABLE'] },
  'refund.paid': { debits: ['REFUND_PAYABLE'], credits: ['AVAIL refund', 'RAIL funding', 'RECEIVABLE'] },
  'refund.suspended': { debits: ['REFUND_PAYABLE'], credits: ['SUSPENSE'] },
  'uma.received': { debits: ['RAIL UMA'], credits: ['INFLIGHT'] },
  'uma.delivered': { debits: ['INFLIGHT'], credits: ['AVAIL destination', 'RAIL payout', 'RECEIVABLE'] },
  'uma.held': { debits: ['INFLIGHT'], credits: ['PENDING_IN destination'] },
  'uma.released': { debits: ['PENDING_IN destination'], credits: ['AVAIL destination', 'RECEIVABLE'] },
  'uma.refund_owed': { debits: ['INFLIGHT', 'PENDING_IN destination'], credits: ['REFUND_PAYABLE'] },
  'uma.refund_paid': { debits: ['REFUND_PAYABLE'], credits: ['RAIL UMA'] },
  'collection.reversed': {
    debits: ['AVAIL destination', 'AVAIL fee', 'FEES', 'RECEIVABLE'],
    credits: ['RAIL funding'],
  },
  'receipt.suspended': { debits: ['RAIL funding'], credits: ['SUSPENSE'] },
};

/** The plain names of the accounts that a payment may touch, by their names in the ledger. */
function accountsOfPayment(row: TransactionRow): Map<string, string> {
  const names = new Map<string, string>([
    [`INFLIGHT:${row.id}`, 'INFLIGHT'],
    [`REFUND_PAYABLE:${row.id}`, 'REFUND_PAYABLE'],
  ]);
  for (const currency of [row.sending_currency, row.receiving_currency]) {
    for (const kind of ['FX', 'FEES', 'SUSPENSE']) names.set(`${kind}:${currency}`, kind);
  }
  return names;
}

/** Asserts that an entry of a payment touches only the accounts of its kind, on their sides. */
export function assertPaymentEntry(entry: CompleteEntry, row: TransactionRow): void {
  const names = accountsOfPayment(row);
  assertSides(entry, PAYMENT_CHART, (account) => {
    const known = names.get(account);
    if (known) return [known];
    const [kind = '', id] = account.split(':');
    if (kind === 'RECEIVABLE') return ['RECEIVABLE'];
    if (kind === 'RAIL') return railParts(row, account);
    const parts = {
      source: 'account' in row.source ? row.source.account : null,
      destination: row.destination.account,
      fee: row.fee_account,
    };
    return Object.entries({ ...parts, refund: row.refund_account }).flatMap(([part, owner]) =>
      owner === id ? [`${kind} ${part}`] : [],
    );
  });
}

function railParts(
  { details, sending_currency, receiving_currency }: TransactionRow,
  account: string,
): string[] {
  const { fundingRail, payoutRail } = details;
  return [
    ...(account === `RAIL:${fundingRail}:${sending_currency}` ? ['RAIL funding'] : []),
    ...(account === `RAIL:${payoutRail}:${receiving_currency}` ? ['RAIL payout'] : []),
    ...(account === `RAIL:UMA:${receiving_currency}` ? ['RAIL UMA'] : []),
  ];
}

/** `namesOf` gives every plain name that fits an account. */
export function assertSides(
  { kind, lines }: CompleteEntry,
  chart: Readonly<Partial<Record<LedgerKind, Sides>>>,
  namesOf: (account: string) => readonly string[],
): void {
  const sides = chart[kind];
  assert.ok(sides, `money.md §11 has no such entry here: ${kind}`);
  for (const { account, side } of lines) {
    const allowed = side === 'DEBIT' ? sides.debits : sides.credits;
    const isAllowed = namesOf(account).some((name) => allowed.includes(name));
    assert.ok(isAllowed, `money.md §11: ${kind} has a ${side} of ${account}`);
  }
}

/** Credits less debits. */
export function netOf({ side, amount }: Line): bigint {
  return side === 'CREDIT' ? amount : -amount;
}
