import { movesMoney } from '#capabilities/agents/permissions.ts';
import type { AgentPolicy } from '#capabilities/agents/schemas.ts';
import { versionedRows } from '#foundation/database/rows.ts';

export interface AgentRow {
  platform_id: PlatformId;
  id: AgentId;
  version: bigint;
  customer_id: CustomerId;
  created_at: Date;
  name: string;
  policy: AgentPolicy;
  is_paused: boolean;
  /** Null if it is not connected. */
  token_hash: Buffer | null;
  /** The number of its usage counters, which changes when the limits get another currency (agents.md §1.4a). */
  usage_no: number;
  deleted_at: Date | null;
  updated_at: Date;
}

/** An agent as it is stored: its name is sealed for the customer. Rows of an earlier version have it in clear text. */
export type StoredAgent = Omit<AgentRow, 'name'> & {
  readonly name: string | null;
  readonly name_sealed: Buffer | null;
};

export const AGENTS = versionedRows<StoredAgent>({
  table: 'agents',
  fixed: { customer_id: 'uuid', created_at: 'timestamptz' },
  state: {
    name: 'text',
    name_sealed: 'bytea',
    policy: 'jsonb',
    is_paused: 'boolean',
    token_hash: 'bytea',
    usage_no: 'integer',
    deleted_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
});

export function isConnected({ token_hash }: Pick<AgentRow, 'token_hash'>): boolean {
  return token_hash !== null;
}

/**
 * Whether an agent with this policy can move money. Granting that requires the permission to move it (platform.md
 * §1.3.4a).
 */
export function canMoveMoney({ permissions }: Pick<AgentPolicy, 'permissions'>): boolean {
  return permissions.some(movesMoney);
}
