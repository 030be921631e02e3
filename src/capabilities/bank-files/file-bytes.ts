import type { AccountProfile, RailProfile } from '#capabilities/bank-files/profile.ts';
import { type OrderContent, withoutHyphens } from '#capabilities/bank-files/row.ts';
import { type NachaOriginator, writeNacha } from '#foundation/bank-formats/nacha-writer.ts';
import { writePain001 } from '#foundation/bank-formats/pain001.ts';

/** The bytes of a file for the bank, from the profile and the orders in it (bank-files.md §3). Pure. */

export interface OrderInFile {
  readonly reference: string;
  readonly amount: bigint;
  readonly content: OrderContent;
}

export interface FileOfOrders {
  readonly account: AccountProfile;
  readonly rail: RailProfile;
  readonly executionDay: string;
  readonly orders: readonly OrderInFile[];
}

export interface PainIds {
  readonly messageId: string;
  readonly paymentInformationId: string;
  readonly createdAt: Date;
}

export function painBytes({ account, rail, executionDay, orders }: FileOfOrders, ids: PainIds): Buffer {
  return writePain001({
    variant: rail.format === 'NACHA' ? 'GENERIC' : rail.format,
    characters: rail.characters ?? 'basic',
    ...{ ...ids, executionDay, batchBooking: rail.batchBooking ?? true, currency: rail.currency },
    debtor: {
      ...{ name: account.name, iban: account.iban, number: account.number, bic: account.bic },
      clearing:
        account.routingNumber === undefined ? undefined : { system: 'USABA', member: account.routingNumber },
    },
    transfers: orders.map(({ reference, amount, content }) => {
      const { originator, name, account: to, address, purpose, remittance } = content;
      return {
        ...{ endToEndId: withoutHyphens(reference), amount, originator, purpose, remittance },
        beneficiary: { ...to, name, address },
      };
    }),
  });
}

export interface NachaNumbers {
  readonly originator: NachaOriginator;
  readonly isDebit: boolean;
  readonly modifier: string;
  /** In the zone of the bank: `2026-03-02` and `10:05`. */
  readonly day: string;
  readonly time: string;
  /** The sequence of the first entry. */
  readonly first: number;
}

export function nachaBytes({ executionDay, orders }: FileOfOrders, numbers: NachaNumbers): Buffer {
  const { originator, isDebit, modifier, day, time, first } = numbers;
  const short = (text: string) => text.slice(2).replaceAll('-', '');
  return writeNacha({
    ...{ originator, isDebit, modifier },
    ...{ createdOn: short(day), createdAt: time.replace(':', ''), effectiveOn: short(executionDay) },
    entries: orders.map(({ reference, amount, content }, index) => {
      const { isBusiness, isSavings, name, account: to, remittance } = content;
      return {
        ...{ isBusiness, isSavings, name, remittance, amount, sequence: first + index },
        ...{ routingNumber: to.clearing?.member ?? '', accountNumber: to.number ?? '' },
        id: withoutHyphens(reference).slice(-15),
      };
    }),
  });
}
