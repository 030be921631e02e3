import type { AgentTransferDetails } from '#capabilities/agents/actions/schemas.ts';
import type { AgentPolicy } from '#capabilities/agents/schemas.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { versionedRows } from '#foundation/database/rows.ts';

export type ActionType = 'EXECUTE_QUOTE' | 'TRANSFER_OUT' | 'TRANSFER_IN';
export const ACTION_STATUSES = ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** The error of a failed action. */
export interface ActionFailure {
  readonly code: string;
  readonly reason: string;
}

/** One request of an agent that moves money. */
export interface ActionRow {
  platform_id: PlatformId;
  id: Id<'AgentAction'>;
  version: bigint;
  agent_id: AgentId;
  customer_id: CustomerId;
  type: ActionType;
  /** Null for a transfer that could not start. */
  transaction_id: TransactionId | null;
  transfer: AgentTransferDetails | null;
  /** The spending limits that it was compared with; null: an action of an earlier version. */
  limits: AgentPolicy['spendingLimits'] | null;
  /** The key that signed a payment from an embedded wallet. */
  signer_key: string | null;
  status: ActionStatus;
  rejection_reason: string | null;
  failure: ActionFailure | null;
  created_at: Date;
  updated_at: Date;
}

/** An action, and the time by which its transaction must be approved. */
export interface WaitingActionRow extends ActionRow {
  approve_by: Date | null;
}

/** Its transaction waits for the decision. */
export interface OpenActionRow extends WaitingActionRow {
  transaction_id: TransactionId;
}

/**
 * An action as it is stored: the reason is sealed for the customer. Rows of an earlier version have it in clear text.
 */
export type StoredAction = ActionRow & { readonly reason_sealed: Buffer | null };

/** Seals the reason, because a person wrote it. A rejected action never changes again. */
export function sealAction(vault: PersonVault, row: ActionRow): StoredAction {
  const { id, customer_id, rejection_reason: reason } = row;
  const sealed = reason === null ? null : vault.sealFor([customer_id], reason, reasonContext(id));
  return { ...row, rejection_reason: null, reason_sealed: sealed };
}

/** Opens the reason. After the erasure of the customer it is `erased`. */
export function openReason<Row extends StoredAction>(
  vault: PersonVault,
  { reason_sealed: sealed, ...row }: Row,
): Omit<Row, 'reason_sealed'> {
  if (sealed === null) return row;
  const reason = vault.openKept(sealed, reasonContext(row.id));
  return { ...row, rejection_reason: reason ?? 'erased' };
}

function reasonContext(id: Id<'AgentAction'>): string {
  return `agent_actions.reason_sealed:${id}`;
}

export const ACTIONS = versionedRows<StoredAction>({
  table: 'agent_actions',
  fixed: {
    agent_id: 'uuid',
    customer_id: 'uuid',
    type: 'text',
    transaction_id: 'uuid',
    transfer: 'jsonb',
    signer_key: 'text',
    limits: 'jsonb',
    created_at: 'timestamptz',
  },
  state: {
    status: 'text',
    rejection_reason: 'text',
    reason_sealed: 'bytea',
    failure: 'jsonb',
    updated_at: 'timestamptz',
  },
});
