import type { CardRow } from '#cards/card-row.ts';
import type { Card } from '#cards/schemas.ts';
import { publicId } from '#lib/ids.ts';

/** The card as every reply and event carries it. */
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

/** What the issuer gave it when it was activated (A.1.4). */
function issuedFields(row: CardRow): Partial<Card> {
  const { brand, last4, exp_month, exp_year, processor_ref, issuer_ref } = row;
  if (brand === null || last4 === null || exp_month === null || exp_year === null) return {};
  return {
    brand,
    last4,
    expMonth: exp_month,
    expYear: exp_year,
    ...(processor_ref !== null && { processorRef: processor_ref }),
    ...(issuer_ref !== null && { issuerRef: issuer_ref }),
  };
}
