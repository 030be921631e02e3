import type { Tx } from '#database/tx.ts';
import { type OwnCurrencies, type PresentedAmount, presentAmount } from '#lib/currencies.ts';
import { publicId } from '#lib/ids.ts';
import type { Private, TransactionRow } from '#payments/row.ts';
import { isPastExpiry } from '#payments/rules.ts';
import type { OutgoingTransaction, Quote } from '#payments/schemas.ts';
import type { Status } from '#payments/statuses.ts';

/** Parts that quotes and transactions share. */

/** What is needed to show a row: what opens its sealed part, and whose currencies it may be in. */
export type Viewer = Pick<Tx, 'vault' | 'platform'>;

/** money.md §3.1: a quote past its time reads `EXPIRED`, whether or not the timer has run. */
export function shownStatus(row: TransactionRow, now: Date): Status {
  return isPastExpiry(row, now) ? 'EXPIRED' : row.status;
}

export function accountIdOf(type: 'INTERNAL' | 'EXTERNAL' | 'UMA' | 'REALTIME', id: string | null): string {
  return publicId(type === 'EXTERNAL' ? 'ExternalAccount' : 'InternalAccount', id ?? '');
}

/** money.md §2.4: where the platform itself pays, both fields carry its id. */
export function ownerOf(row: TransactionRow): { customerId: string; platformCustomerId: string } {
  if (row.customer_id === null) {
    const id = publicId('Platform', row.platform_id);
    return { customerId: id, platformCustomerId: id };
  }
  return {
    customerId: publicId('Customer', row.customer_id),
    platformCustomerId: row.details.platformCustomerId ?? '',
  };
}

export function sentAmountOf(row: TransactionRow, own: OwnCurrencies): PresentedAmount {
  return presentAmount(row.sending_amount, row.sending_currency, own);
}

export function receivedAmountOf(row: TransactionRow, own: OwnCurrencies): PresentedAmount {
  return presentAmount(row.receiving_amount, row.receiving_currency, own);
}

export function rateDetailsOf(row: TransactionRow): { rateDetails?: NonNullable<Quote['rateDetails']> } {
  const { rateDetails: stored } = row.details;
  if (!stored) return {};
  return {
    rateDetails: {
      counterpartyMultiplier: stored.counterpartyMultiplier,
      counterpartyFixedFee: Number(stored.counterpartyFixedFee),
      svcApiMultiplier: stored.svcApiMultiplier,
      svcApiFixedFee: Number(stored.svcApiFixedFee),
      svcApiVariableFeeRate: stored.svcApiVariableFeeRate,
      svcApiVariableFeeAmount: Number(stored.svcApiVariableFeeAmount),
    },
  };
}

/** A real-time quote's ways to pay in; the signing entry of an embedded wallet. */
export function instructionsOf(facts: Private): Pick<OutgoingTransaction, 'paymentInstructions'> {
  const { paymentInstructions } = facts;
  return paymentInstructions ? { paymentInstructions: [...paymentInstructions] } : {};
}
