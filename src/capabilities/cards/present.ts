import type { CardTransaction } from '#capabilities/card-transactions/schemas.ts';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import type { Card } from '#capabilities/cards/schemas.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The card in the form of every reply and event. */
export function presentCard(row: CardRow): Card {
  const amount = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    id: publicId('Card', row.id),
    customerId: publicId('Customer', row.customer_id),
    platformCardId: row.platform_card_id,
    status: row.status,
    ...(row.status_reason !== null && { statusReason: row.status_reason }),
    form: row.form,
    ...issuedFields(row),
    fundingSource: publicId('InternalAccount', row.funding_source),
    currency: row.currency,
    maxSpendPerTransaction: amount(row.max_spend_per_transaction),
    maxSpendPerDay: amount(row.max_spend_per_day),
    maxTransactionsPerDay: amount(row.max_transactions_per_day),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The fields that the issuer set at activation (cards.md §1.4). */
function issuedFields(row: CardRow): Partial<Card> {
  const { brand, last4, exp_month, exp_year, processor_ref, issuer_ref } = row;
  if (brand === null || exp_month === null || exp_year === null) return {};
  return {
    brand,
    // Absent after the holder was erased.
    ...(last4 !== null && { last4 }),
    expMonth: exp_month,
    expYear: exp_year,
    ...(processor_ref !== null && { processorRef: processor_ref }),
    ...(issuer_ref !== null && { issuerRef: issuer_ref }),
  };
}

/** The card transaction in the form of every reply and event (cards.md §6.5). */
export function presentCardTransaction(row: CardTransactionRow): CardTransaction {
  const amount = (cents: bigint) => presentAmount(cents, row.currency, NO_OWN_CURRENCIES);
  return {
    type: 'CARD',
    id: publicId('Transaction', row.id),
    cardId: publicId('Card', row.card_id),
    customerId: publicId('Customer', row.customer_id),
    platformCustomerId: row.platform_customer_id,
    issuerTransactionToken: row.token,
    status: row.status,
    direction: row.direction,
    merchant: { ...row.merchant },
    authorizedAmount: amount(row.authorized_amount),
    ...(row.settled_amount !== null && { settledAmount: amount(row.settled_amount) }),
    accountId: publicId('InternalAccount', row.account_id),
    authorizedAt: row.created_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    description: row.merchant.descriptor,
    ...(row.original_id !== null && { originalTransactionId: publicId('Transaction', row.original_id) }),
    ...(row.declined_reason !== null && { cardDeclinedReason: row.declined_reason }),
  };
}
