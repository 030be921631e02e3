import { randomUUID } from 'node:crypto';
import type { TestConnector } from '#tests/given/connectors.ts';

/** A line that the bank books. Amounts: above zero, money comes in. */
export interface BookedLine {
  readonly amount: bigint;
  readonly references: readonly string[];
  readonly kind?: 'PAYMENT' | 'RETURN' | 'CHARGE' | 'INTEREST' | 'OTHER';
}

/** A settlement account at the bank of a test connector, which gives a statement for every day. */
export interface BankBook {
  balance: bigint;
  readonly lines: BookedLine[];
  book(line: BookedLine): void;
  /** Closes the day: its statement can be fetched, and an event says so. */
  close(day: string): void;
}

export function openBankBook(bank: TestConnector, settlementAccount = 'main', opening = 0n): BankBook {
  const book: BankBook = {
    balance: opening,
    lines: [],
    book: (line) => void book.lines.push(line),
    close(day) {
      const lines = book.lines.splice(0);
      const before = book.balance;
      book.balance = lines.reduce((sum, { amount }) => sum + amount, before);
      bank.statements.set(`${settlementAccount} ${day}`, {
        ...{ id: `${settlementAccount}-${day}`, settlementAccount, from: day, to: day },
        ...{ opening: `${before}`, closing: `${book.balance}` },
        lines: lines.map(({ amount, references, kind = 'PAYMENT' }, place) => ({
          ...{ id: `${settlementAccount}-${day}-${place}`, bookedOn: day, kind, references },
          ...{ side: amount > 0n ? 'CREDIT' : 'DEBIT', amount: `${amount > 0n ? amount : -amount}` },
          counterparty: { name: 'Ada Lovelace' },
        })),
      });
      bank.list({
        id: randomUUID(),
        type: 'STATEMENT',
        at: `${day}T20:00:00Z`,
        settlementAccount,
        date: day,
      });
    },
  };
  return book;
}
