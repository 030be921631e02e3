import type { Instrument, Private } from '#capabilities/payments/details.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { AskedPayment, PaymentParty } from '#capabilities/payments/schemas.ts';

/**
 * What a payment that an agent asked for shows beyond the contract (agents.md C.4.10): whether the payer's money was taken,
 * who is on the other side, and what the payee reads.
 */
export function presentAsked(row: TransactionRow, facts: Private): AskedPayment {
  if (row.agent_id === null) return {};
  return {
    ...(row.executed_at !== null && { executedAt: row.executed_at.toISOString() }),
    ...(row.taken_at !== null && { takenAt: row.taken_at.toISOString() }),
    ...presentParties(row, facts),
  };
}

/** Who pays from outside, who is paid outside, and the memo. Accounts of the customer's own have no holder to name. */
export function presentParties(
  row: TransactionRow,
  { source, destination, counterpartyInformation, remittanceInformation: memo }: Private,
): Pick<AskedPayment, 'payer' | 'payee' | 'memo'> {
  const payee =
    row.destination_uma === null
      ? destination && holderOf(destination)
      : receiverOf(row.destination_uma, counterpartyInformation);
  return {
    ...(source && { payer: holderOf(source) }),
    ...(payee && { payee }),
    ...(memo !== undefined && { memo }),
  };
}

function holderOf({ identifier, fields }: Instrument): PaymentParty {
  const { fullName, legalName } = (fields.beneficiary ?? {}) as Readonly<Record<string, unknown>>;
  const name = fullName ?? legalName;
  return { ...(typeof name === 'string' && { name }), account: maskAccount(identifier) };
}

/** The address was given to be shown; the account behind it concerns only its owner. */
function receiverOf(umaAddress: string, told: Private['counterpartyInformation']): PaymentParty {
  const name = told?.FULL_NAME;
  return { ...(typeof name === 'string' && { name }), account: umaAddress };
}

/** The last four characters, and at least as many that are hidden. */
function maskAccount(identifier: string): string {
  return `****${identifier.slice(Math.max(4, identifier.length - 4))}`;
}
