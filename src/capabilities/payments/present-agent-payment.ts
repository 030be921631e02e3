import type { Instrument, Private } from '#capabilities/payments/details.ts';
import { destinationAddress, type TransactionRow } from '#capabilities/payments/row.ts';
import type { AgentPaymentReply, PaymentParty } from '#capabilities/payments/schemas.ts';

/**
 * The additional fields of a payment that an agent requested, beyond the contract (agents.md §4.10): whether the
 * payer's money was taken, the other party, and the memo that the payee reads.
 */
export function presentAgentPayment(row: TransactionRow, facts: Private): AgentPaymentReply {
  if (row.agent_id === null) return {};
  return {
    ...(row.executed_at !== null && { executedAt: row.executed_at.toISOString() }),
    ...(row.taken_at !== null && { takenAt: row.taken_at.toISOString() }),
    ...presentParties(row, facts),
  };
}

/** An external payer, an external payee, and the memo. The customer's own accounts have no other holder to name. */
export function presentParties(
  row: TransactionRow,
  facts: Private,
): Pick<AgentPaymentReply, 'payer' | 'payee' | 'memo'> {
  const { source, destination, counterpartyInformation, remittanceInformation: memo } = facts;
  const payee =
    row.destination.kind === 'UMA'
      ? presentReceiver(destinationAddress(row.destination, facts), counterpartyInformation)
      : destination && presentHolder(destination);
  return {
    ...(source && { payer: presentHolder(source) }),
    ...(payee && { payee }),
    ...(memo !== undefined && { memo }),
  };
}

function presentHolder({ identifier, fields }: Instrument): PaymentParty {
  const { fullName, legalName } = (fields.beneficiary ?? {}) as Readonly<Record<string, unknown>>;
  const name = fullName ?? legalName;
  return { ...(typeof name === 'string' && { name }), account: maskAccount(identifier) };
}

/** The sender already has the address, so it is shown; the account behind it concerns only its owner. */
function presentReceiver(umaAddress: string, told: Private['counterpartyInformation']): PaymentParty {
  const name = told?.FULL_NAME;
  return { ...(typeof name === 'string' && { name }), account: umaAddress };
}

/** Shows the last four characters, but always hides the first four. */
function maskAccount(identifier: string): string {
  return `****${identifier.slice(Math.max(4, identifier.length - 4))}`;
}
