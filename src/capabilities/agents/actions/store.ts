import {
  ACTIONS,
  type ActionStatus,
  type ActionType,
  type OpenActionRow,
  openReason,
  type StoredAction,
  type WaitingActionRow,
} from '#capabilities/agents/actions/row.ts';
import type { AgentRow } from '#capabilities/agents/agent-row.ts';
import { openReferences, type WithStoredReference } from '#capabilities/customers/sealed-customer.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

/** An action, its customer's id at the platform, and its transaction's approval deadline, read at one moment. */
export interface JoinedActionRow extends WaitingActionRow {
  platform_customer_id: string;
}

type StoredActionRow = WaitingActionRow & StoredAction & WithStoredReference;

const COLUMNS = sql`${ACTIONS.columns('t')}, c.platform_customer_id, c.reference, x.approve_by`;
const ACTIONS_SEEN = sql`agent_actions t
  join customers c on c.platform_id = t.platform_id and c.id = t.customer_id
  left join transactions x on x.platform_id = t.platform_id and x.id = t.transaction_id`;

/**
 * Opens the sealed values of the actions of one read. The reference and the reason of an action belong to the
 * same person.
 */
async function openActions<Row extends StoredAction & WithStoredReference>(tx: ReadTx, rows: readonly Row[]) {
  const referenced = await openReferences(tx, rows);
  return referenced.map((row) => openReason(tx.vault, row));
}

export async function findAction(tx: ReadTx, id: Id<'AgentAction'>): Promise<JoinedActionRow | undefined> {
  const rows = await tx.query<StoredActionRow>(sql`
    select ${COLUMNS} from ${ACTIONS_SEEN} where t.platform_id = ${tx.platformId} and t.id = ${id}`);
  return (await openActions(tx, rows))[0];
}

/** The action for which a transaction waits, or last waited. */
export async function findPendingAction(
  tx: ReadTx,
  transactionId: TransactionId,
): Promise<JoinedActionRow | undefined> {
  const rows = await tx.query<StoredActionRow>(sql`
    select ${COLUMNS} from ${ACTIONS_SEEN}
     where t.platform_id = ${tx.platformId} and t.transaction_id = ${transactionId}
       and t.status = 'PENDING_APPROVAL'
     order by t.created_at desc, t.id desc
     limit 1`);
  return (await openActions(tx, rows))[0];
}

export async function lockOpenActions(tx: Tx, agentId: AgentId): Promise<OpenActionRow[]> {
  const rows = await tx.query<OpenActionRow & StoredAction>(sql`
    select ${ACTIONS.columns('t')}, x.approve_by from agent_actions t
      join transactions x on x.platform_id = t.platform_id and x.id = t.transaction_id
     where t.platform_id = ${tx.platformId} and t.agent_id = ${agentId} and t.status = 'PENDING_APPROVAL'
       and x.approve_by > ${tx.now}
     order by t.id
       for no key update of t`);
  return rows.map((row) => openReason(tx.vault, row));
}

/** Whether the platform has rejected the execution of a quote (agents.md §4.28). */
export async function wasRejected(tx: ReadTx, transactionId: TransactionId): Promise<boolean> {
  const rows = await tx.sql`
    select from agent_actions
     where platform_id = ${tx.platformId} and transaction_id = ${transactionId} and status = 'REJECTED'`;
  return rows.length > 0;
}

export interface ActionFilters {
  readonly agentId?: AgentId | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly status?: ActionStatus | undefined;
  readonly type?: ActionType | undefined;
  /** Both bounds are inclusive. */
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}

export async function listActions(
  tx: ReadTx,
  request: PageRequest,
  { order = 'desc', ...filters }: ActionFilters,
): Promise<Page<JoinedActionRow>> {
  const query = { columns: COLUMNS, from: ACTIONS_SEEN, where: conditions(tx, filters), order };
  const found = await keysetPage(tx, request, query, (row: StoredActionRow) => row);
  return { ...found, data: await openActions(tx, found.data) };
}

/** An action with its amount, and its agent's present policy. */
export interface MeasuredActionRow extends JoinedActionRow {
  /** Null for a transfer that could not start. */
  sending_amount: bigint | null;
  sending_currency: string | null;
  policy: AgentRow['policy'];
  /** When the agent was last changed. */
  agent_updated_at: Date;
}

/** Lists the newest actions with these ids, or about these transactions, the oldest first. */
export async function listActionsAbout(
  tx: ReadTx,
  uuids: readonly string[],
  rowsMax: number,
): Promise<MeasuredActionRow[]> {
  const rows = await tx.query<
    Omit<MeasuredActionRow, 'platform_customer_id'> & StoredAction & WithStoredReference
  >(sql`
    select ${COLUMNS}, x.sending_amount, x.sending_currency, a.policy, a.updated_at as agent_updated_at
      from ${ACTIONS_SEEN}
      join agents a on a.platform_id = t.platform_id and a.id = t.agent_id
     where t.platform_id = ${tx.platformId}
       and (t.id = any(${uuids}::uuid[]) or t.transaction_id = any(${uuids}::uuid[]))
     order by t.created_at desc, t.id desc
     limit ${rowsMax}`);
  return openActions(tx, rows.reverse());
}

/** The action that created a transaction, if an agent requested it. */
export async function findActionIdByTransaction(
  tx: ReadTx,
  transactionId: TransactionId,
): Promise<string | undefined> {
  const [row] = await tx.sql<{ id: Id<'AgentAction'> }>`
    select id from agent_actions
     where platform_id = ${tx.platformId} and transaction_id = ${transactionId} limit 1`;
  return row?.id;
}

function conditions(tx: ReadTx, filters: Omit<ActionFilters, 'order'>): Sql[] {
  return [
    sql`t.platform_id = ${tx.platformId}`,
    ...optionalCondition(filters.agentId, (id) => sql`t.agent_id = ${id}`),
    ...optionalCondition(filters.customerId, (id) => sql`t.customer_id = ${id}`),
    ...optionalCondition(filters.status, (status) => statusCondition(tx, status)),
    ...optionalCondition(filters.type, (type) => sql`t.type = ${type}`),
    ...optionalCondition(filters.createdAfter, (at) => sql`t.created_at >= ${at}`),
    ...optionalCondition(filters.createdBefore, (at) => sql`t.created_at <= ${at}`),
  ];
}

/** The status as presented (`shownAction`): an undecided action that no longer waits has failed, whatever ended it. */
function statusCondition(tx: ReadTx, status: ActionStatus): Sql {
  const waits = sql`t.status = 'PENDING_APPROVAL' and x.approve_by > ${tx.now}`;
  if (status === 'PENDING_APPROVAL') return waits;
  if (status !== 'FAILED') return sql`t.status = ${status}`;
  return sql`(t.status = 'FAILED' or t.status = 'PENDING_APPROVAL' and (${waits}) is not true)`;
}

function optionalCondition<T>(value: T | undefined, condition: (value: T) => Sql): Sql[] {
  return value === undefined ? [] : [condition(value)];
}

/** Erases the reasons of rejections of a customer's agents, and the wallet keys that signed their actions. */
export async function eraseActions(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update agent_actions t
       set rejection_reason = case when coalesce(t.rejection_reason, t.reason_sealed::text) is not null then 'erased' end,
           reason_sealed = null, signer_key = null
      from agents a
     where a.platform_id = ${tx.platformId} and a.customer_id = ${customerId}
       and t.platform_id = a.platform_id and t.agent_id = a.id`;
}

type AgentVersion = Pick<AgentRow, 'platform_id' | 'id' | 'version'>;

/**
 * This commit was decided by the agent's policy at that time. It is prepared again if the agent has another policy by
 * now, or was paused or deleted. Commits of one agent do not wait for each other, only for a change of the agent.
 */
export function requireAgent(changes: Changes, { platform_id, id, version }: AgentVersion): void {
  changes.collect(VERSIONS, { platform_id, id, version });
}

/** The name sorts so that agents are locked before their actions. */
const VERSIONS: Writer<AgentVersion> = {
  name: 'agent versions',
  stage: 'rows',
  write(agents) {
    const nameOf = ({ platform_id, id, version }: AgentVersion) => `${platform_id} ${id} ${version}`;
    const distinct = new Map(agents.map((agent) => [nameOf(agent), agent]));
    const sorted = inLockOrder(distinct.values(), nameOf);
    return [
      sql`
        with seen as (
          select a.id from agents a
            join unnest(${sorted.map((one) => one.platform_id)}::uuid[], ${sorted.map((one) => one.id)}::uuid[],
                        ${sorted.map((one) => one.version)}::bigint[]) as s (platform_id, id, version)
              on a.platform_id = s.platform_id and a.id = s.id and a.version = s.version
           order by a.platform_id, a.id
             for share of a)
        select refuse_commit('stale') where (select count(*) from seen) <> ${sorted.length}::integer`,
    ];
  },
};
