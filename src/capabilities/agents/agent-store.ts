import { AGENTS, type AgentRow, type StoredAgent } from '#capabilities/agents/agent-row.ts';
import type { RowChange } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { notFound, type Refusal } from '#foundation/lib/refusals.ts';

const COLUMNS = AGENTS.columns('t');
/** Deleted agents are never found (agents.md §1.3). */
const IS_LIVE = sql`t.deleted_at is null`;

export async function findAgent(tx: ReadTx, id: AgentId): Promise<AgentRow | undefined> {
  const rows = await tx.query<StoredAgent>(sql`
    select ${COLUMNS} from agents t where t.platform_id = ${tx.platformId} and t.id = ${id} and ${IS_LIVE}`);
  return (await openAgents(tx, rows))[0];
}

/** Locks the row until the transaction ends. */
export async function lockAgent(tx: Tx, id: AgentId): Promise<AgentRow> {
  const rows = await tx.query<StoredAgent>(sql`
    select ${COLUMNS} from agents t where t.platform_id = ${tx.platformId} and t.id = ${id} and ${IS_LIVE}
       for no key update`);
  const [row] = await openAgents(tx, rows);
  if (!row) throw agentNotFound();
  return row;
}

/** Locks all agents of a customer, in the common lock order. */
export async function lockCustomerAgents(tx: Tx, customerId: CustomerId): Promise<AgentRow[]> {
  const rows = await tx.query<StoredAgent>(sql`
    select ${COLUMNS} from agents t
     where t.platform_id = ${tx.platformId} and t.customer_id = ${customerId} and ${IS_LIVE}
     order by t.id for no key update`);
  return openAgents(tx, rows);
}

/** Writes a new agent, or a change of one. The name is sealed for the customer. */
export function writeAgent(changes: Changes, { from, row }: RowChange<AgentRow>): void {
  const { id, customer_id, name } = row;
  const sealed = changes.runtime.vault.sealFor([customer_id], name, contextOf(id));
  changes.collect(AGENTS.writer, { from, row: { ...row, name: null, name_sealed: sealed } });
}

/** Opens the agents of one read. The keys of several people are fetched in one trip. */
async function openAgents({ vault, runtime }: ReadTx, rows: readonly StoredAgent[]): Promise<AgentRow[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ name_sealed }) => name_sealed));
  return rows.map(({ name_sealed: sealed, name, ...row }) => {
    const opened = sealed === null ? name : vault.openKept(sealed, contextOf(row.id));
    return { ...row, name: opened ?? ERASED };
  });
}

/** Stands for the name of an agent whose customer was erased. */
const ERASED = 'erased';

function contextOf(id: AgentId): string {
  return `agents.name_sealed:${id}`;
}

export function agentNotFound(): Refusal {
  return notFound('NOT_FOUND', 'Agent');
}

export interface AgentFilters {
  readonly customerId?: CustomerId | undefined;
  readonly isPaused?: boolean | undefined;
  readonly isConnected?: boolean | undefined;
  /** Both bounds are inclusive. */
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
}

export async function listAgents(
  tx: ReadTx,
  request: PageRequest,
  filters: AgentFilters,
): Promise<Page<AgentRow>> {
  const query = { columns: COLUMNS, from: sql`agents t`, where: conditions(tx, filters) };
  const found = await keysetPage(tx, request, query, (row: StoredAgent) => row);
  return { ...found, data: await openAgents(tx, found.data) };
}

/** The last recorded use of the agent's token (agents.md §5.5). */
export async function findTokenUse(tx: ReadTx, id: AgentId): Promise<Date | null> {
  const [row] = await tx.sql<{ token_used_at: Date | null }>`
    select token_used_at from agents where platform_id = ${tx.platformId} and id = ${id}`;
  return row?.token_used_at ?? null;
}

function conditions({ platformId }: ReadTx, filters: AgentFilters): Sql[] {
  return [
    sql`t.platform_id = ${platformId}`,
    IS_LIVE,
    ...optionalCondition(filters.customerId, (id) => sql`t.customer_id = ${id}`),
    ...optionalCondition(filters.isPaused, (isPaused) => sql`t.is_paused = ${isPaused}`),
    ...optionalCondition(
      filters.isConnected,
      (isConnected) => sql`(t.token_hash is not null) = ${isConnected}`,
    ),
    ...optionalCondition(filters.createdAfter, (at) => sql`t.created_at >= ${at}`),
    ...optionalCondition(filters.createdBefore, (at) => sql`t.created_at <= ${at}`),
    ...optionalCondition(filters.updatedAfter, (at) => sql`t.updated_at >= ${at}`),
    ...optionalCondition(filters.updatedBefore, (at) => sql`t.updated_at <= ${at}`),
  ];
}

function optionalCondition<T>(value: T | undefined, condition: (value: T) => Sql): Sql[] {
  return value === undefined ? [] : [condition(value)];
}

export async function eraseAgentNames(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update agents set name = null, name_sealed = null where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}
