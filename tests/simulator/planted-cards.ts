import assert from 'node:assert/strict';
import { CardDraft } from '#capabilities/cards/machine/draft.ts';
import type { CardRule } from '#capabilities/cards/machine/notice.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { type CardTransactionRow, isOpenRow } from '#capabilities/cards/transaction-row.ts';
import { type Line, reversed } from '#foundation/ledger/entries.ts';
import type { Account, LedgerKind } from '#foundation/ledger/kinds.ts';
import { Machine } from '#foundation/machine/machine.ts';
import type { CardsMachine } from '#tests/simulator/card-notices.ts';

/** Faults in the machine of card transactions, each named as a reviewer would describe it. */

type Lines = readonly Line[];

const { description } = CARD_TRANSACTIONS_MACHINE;

/** The machine with drafts that do something else in one of their methods. */
function withDraft(Faulty: new (row: CardTransactionRow, now: Date) => CardDraft): CardsMachine {
  return new Machine({ ...description, newDraft: (row, now) => new Faulty(row, now) });
}

/** Other lines for one kind of entry; none: the entry is missing. */
function withLines(kind: LedgerKind, change: (lines: Lines) => Lines): CardsMachine {
  return withDraft(
    class extends CardDraft {
      override post(posted: LedgerKind, lines: Lines): void {
        super.post(posted, posted === kind ? change(lines) : lines);
      }
    },
  );
}

/** One account in place of another. */
function swapped(kind: LedgerKind, from: string, to: (account: string) => string): CardsMachine {
  const change = (account: Account) => (account.startsWith(from) ? (to(account) as Account) : account);
  return withLines(kind, (lines) => lines.map((line) => ({ ...line, account: change(line.account) })));
}

/** The rule whose label begins with this text has another condition, or another effect. */
function withRule(label: string, change: Partial<CardRule>): CardsMachine {
  const faulty = description.rules.filter((rule) => rule.label.startsWith(label));
  assert.equal(faulty.length, 1, `one rule begins with "${label}"`);
  const rules = description.rules.map((rule) =>
    rule === faulty[0] ? ({ ...rule, ...change } as CardRule) : rule,
  );
  return new Machine({ ...description, rules });
}

const isStored = ({ version }: CardTransactionRow) => version > 0n;

export const CARD_FAULTS: Readonly<Record<string, () => CardsMachine>> = {
  'a hold that is not placed and not released': () => withLines('card.hold_adjusted', () => []),
  'a clearing without its entry': () => withLines('card.cleared', () => []),
  'a shortfall that nobody owes': () => withLines('card.shortfall_owed', () => []),
  'a clearing out of the wrong account': () =>
    swapped('card.cleared', 'HOLD:', (name) => name.replace('HOLD', 'AVAIL')),
  'a credit from another rail': () =>
    swapped('card.credited', 'RAIL:CARD', (name) => name.replace('CARD', 'ACH')),
  'a credit that debits': () => withLines('card.credited', reversed),
  'a credit that counts twice': () =>
    withLines('card.credited', (lines) => lines.map((line) => ({ ...line, amount: line.amount * 2n }))),
  'a clearing of a declined row': () =>
    withRule('a row is cleared late', {
      when: (row: CardTransactionRow) => isStored(row) && row.kind === 'PURCHASE',
    } as Partial<CardRule>),
  'a return of more than was cleared': () =>
    withRule('a merchant returns a purchase', {
      when: (row: CardTransactionRow) =>
        isStored(row) && row.kind === 'PURCHASE' && row.status !== 'DECLINED',
    } as Partial<CardRule>),
  'a return that is taken back twice': () =>
    withRule('a return is taken back', {
      when: (row: CardTransactionRow) => isStored(row) && row.kind === 'RETURN',
    } as Partial<CardRule>),
  'an advice that opens a settled row again': () =>
    withRule('the authorized total changes', {
      when: (row: CardTransactionRow) => isStored(row) && row.status === 'SETTLED' && row.kind === 'PURCHASE',
    } as Partial<CardRule>),
  'an expiry that keeps the hold': () =>
    withDraft(
      class extends CardDraft {
        override enter(status: CardTransactionRow['status']): void {
          if (isOpenRow({ status })) super.enter(status);
          else {
            this.set({ status, hold_expires_at: null });
            this.addEvent(`CARD_TRANSACTION.${status}`);
          }
        }
      },
    ),
  'a settled row that nobody hears of': () =>
    withDraft(
      class extends CardDraft {
        override addEvent(...[type, more]: Parameters<CardDraft['addEvent']>): void {
          if (type !== 'CARD_TRANSACTION.SETTLED') super.addEvent(type, more);
        }
      },
    ),
  'an authorization that never expires': () =>
    withDraft(
      class extends CardDraft {
        override schedule(): void {}
      },
    ),
};
