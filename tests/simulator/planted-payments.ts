import assert from 'node:assert/strict';
import { PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import type { PaymentRule } from '#capabilities/payments/machine/notice.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { type Line, reversed } from '#foundation/ledger/entries.ts';
import type { Account, LedgerKind } from '#foundation/ledger/kinds.ts';
import { Machine } from '#foundation/machine/machine.ts';
import type { PaymentsMachine } from '#tests/simulator/payments.ts';

/** Faults in the machine of payments, each named as a reviewer would describe it. */

type Draft = PaymentDraft;
type Lines = readonly Line[];

/** The machine with drafts that do something else in one of their methods. */
function withDraft(Faulty: new (row: TransactionRow, now: Date) => Draft): PaymentsMachine {
  return new Machine({ ...PAYMENTS.description, newDraft: (row, now) => new Faulty(row, now) });
}

/** Other lines for one kind of entry; none: the entry is missing. */
function withLines(kind: LedgerKind, change: (lines: Lines, row: TransactionRow) => Lines): PaymentsMachine {
  return withDraft(
    class extends PaymentDraft {
      override post(posted: LedgerKind, lines: Lines, reverses?: LedgerKind): void {
        super.post(posted, posted === kind ? change(lines, this.row) : lines, reverses);
      }
    },
  );
}

const without = (kind: LedgerKind) => withLines(kind, () => []);

/** One account in place of another. */
function swapped(kind: LedgerKind, change: (line: Line, row: TransactionRow) => string): PaymentsMachine {
  return withLines(kind, (lines, row) =>
    lines.map((line) => ({ ...line, account: change(line, row) as Account })),
  );
}

/** The rule whose label begins with this text has another condition. */
function when(label: string, applies: (row: TransactionRow) => boolean): PaymentsMachine {
  const { rules } = PAYMENTS.description;
  const faulty = rules.filter((rule) => rule.label.startsWith(label));
  assert.equal(faulty.length, 1, `one rule begins with "${label}"`);
  const changed = rules.map((rule) =>
    rule === faulty[0] ? ({ ...rule, when: applies } as PaymentRule) : rule,
  );
  return new Machine({ ...PAYMENTS.description, rules: changed });
}

const scaled = (by: bigint) => (lines: Lines) => lines.map((line) => ({ ...line, amount: line.amount * by }));

function startsWith(line: Line, kind: string): boolean {
  return line.account.startsWith(`${kind}:`);
}

export const PAYMENT_FAULTS: Readonly<Record<string, () => PaymentsMachine>> = {
  'a delivery without its entry': () => without('payment.delivered'),
  'a payment that is not converted': () => without('payment.converted'),
  'a refund that keeps the conversion': () => without('payment.unwound'),
  'a hold that is not released': () => without('payment.released'),
  'a refund that is not booked as owed': () => without('refund.owed'),
  'a real-time quote whose funds are not booked': () => without('payment.funded'),
  'a refund out of the wrong account': () =>
    swapped('refund.paid', (line, row) =>
      startsWith(line, 'AVAIL') ? `HOLD:${row.refund_account}` : line.account,
    ),
  'the platform’s fee for the receiver': () =>
    swapped('payment.delivered', (line, row) =>
      line.account === `AVAIL:${row.fee_account}` && row.destination.kind === 'INTERNAL'
        ? `AVAIL:${row.destination.account}`
        : line.account,
    ),
  'a collection over another rail': () =>
    swapped('payment.collected', (line) =>
      startsWith(line, 'RAIL') ? `RAIL:WIRE:${line.currency}` : line.account,
    ),
  'our fee in suspense': () =>
    swapped('payment.converted', (line) =>
      startsWith(line, 'FEES') ? `SUSPENSE:${line.currency}` : line.account,
    ),
  'an execution with its sides exchanged': () => withLines('payment.executed', reversed),
  'a deposit that counts twice': () => withLines('deposit.received', scaled(2n)),
  'a refund of one unit too little': () =>
    withLines('refund.owed', (lines) => lines.map((line) => ({ ...line, amount: line.amount - 1n }))),
  'a second delivery after a cancellation': () =>
    when(
      'delivered, or failed',
      (row) => row.type === 'OUTGOING' && row.status === 'PROCESSING' && row.taken_at !== null,
    ),
  'a return of a payment that was returned before': () =>
    when(
      'the receiver’s bank returns it: PAYOUT',
      (row) => row.type === 'OUTGOING' && row.settled_at !== null,
    ),
  'a refund that is paid twice': () => when('the money is paid back', (row) => row.refund_amount !== null),
  'a payout that fails after its delivery': () =>
    when(
      'the payout fails',
      (row) => row.type === 'OUTGOING' && row.taken_at !== null && row.refund_status === null,
    ),
  'funds for a quote that has ended': () =>
    when('another amount arrives', (row) => row.source.kind === 'REALTIME'),
  'an expiry of a payment that was executed': () =>
    when('the quote was neither', (row) => row.status === 'PENDING'),
  'a collection after it was cancelled': () =>
    when(
      'the funds of an outgoing payment are collected',
      (row) =>
        row.type === 'OUTGOING' &&
        row.source.kind === 'EXTERNAL' &&
        row.taken_at === null &&
        row.executed_at !== null,
    ),
  'a rejected UMA payment that is approved after all': () =>
    when('the platform approves', (row) => row.kind === 'UMA' && row.taken_at === null),
  'a payment that lapses twice': () =>
    when(
      'not authorized in time',
      (row) => row.authorize_by !== null || row.status === 'PENDING_AUTHORIZATION',
    ),
  'a completed payment that nobody hears of': () =>
    withDraft(
      class extends PaymentDraft {
        override emit(...[name, more]: Parameters<Draft['emit']>): void {
          if (name !== 'COMPLETED') super.emit(name, more);
        }
      },
    ),
  'a payout that is never ordered': () =>
    withDraft(
      class extends PaymentDraft {
        override schedule(...[kind, ...rest]: Parameters<Draft['schedule']>): void {
          if (kind !== 'payments.pay') super.schedule(kind, ...rest);
        }
      },
    ),
  'a cancelled payout that is ordered all the same': () =>
    withDraft(
      class extends PaymentDraft {
        override cancel(): void {}

        override set(changes: Parameters<Draft['set']>[0]): void {
          const { refund_status: refund, ...rest } = changes;
          super.set(refund === 'PENDING' && this.row.status === 'PROCESSING' ? rest : changes);
        }
      },
    ),
  'a volume that is not counted': () =>
    withDraft(
      class extends PaymentDraft {
        override count(): void {}
      },
    ),
  'an execution out of a frozen account': () =>
    withDraft(
      class extends PaymentDraft {
        override requireActiveAccount(): void {}
      },
    ),
  'an execution to a closed account': () =>
    withDraft(
      class extends PaymentDraft {
        override requireOpenAccount(): void {}
      },
    ),
  'a payment to a deleted customer': () =>
    withDraft(
      class extends PaymentDraft {
        override requireLiveCustomer(): void {}
      },
    ),
  'a receiver that does not see its payment': () =>
    withDraft(
      class extends PaymentDraft {
        override addOther(): void {}
      },
    ),
};
