import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { insertOver } from '#foundation/database/row-sets.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { Actor, ReadTx, Runtime, Tx } from '#foundation/database/tx.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';

/** One row of the append-only audit table: who did what to which resource, when, from where. Never a secret. */
export interface AuditRow {
  id: Id<'AuditRow'>;
  platformId: PlatformId | null;
  at: Date;
  actor: Actor;
  action: string;
  resource?: string | undefined;
  requestId?: string | undefined;
  remoteAddress?: string | undefined;
  details?: Record<string, unknown> | undefined;
  /** Sealed: the IP address of the person whom the row is about. */
  endUserIp?: Buffer | undefined;
  /** Sealed, as JSON: the details that people wrote about a customer. */
  private?: Buffer | undefined;
}

/** The context that a person's address is sealed with. */
export function endUserIpContext(id: Id<'AuditRow'>): string {
  return `audit_log.end_user_ip:${id}`;
}

/** The context to which the written details are bound. */
export function privateContext(id: Id<'AuditRow'>): string {
  return `audit_log.private:${id}`;
}

export const insertAuditRows = insertOver<AuditRow>({
  table: 'audit_log',
  columns: {
    id: ['uuid', (row) => row.id],
    platform_id: ['uuid', (row) => row.platformId],
    at: ['timestamptz', (row) => row.at],
    actor_kind: ['text', (row) => row.actor.kind],
    actor_id: ['text', (row) => row.actor.id],
    action: ['text', (row) => row.action],
    resource: ['text', (row) => row.resource],
    request_id: ['text', (row) => row.requestId],
    remote_address: ['text', (row) => row.remoteAddress],
    details: ['jsonb', (row) => JSON.stringify(row.details ?? {})],
    end_user_ip: ['bytea', (row) => row.endUserIp],
    private: ['bytea', (row) => row.private],
  },
});

export interface AuditLine {
  id: Id<'AuditRow'>;
  at: Date;
  actor_kind: string;
  actor_id: string;
  action: string;
  resource: string | null;
  platform_id: PlatformId | null;
  request_id: string | null;
  remote_address: string | null;
  details: Record<string, unknown>;
  /** Sealed: the IP address of the person whom the row is about. */
  end_user_ip: Buffer | null;
  /** Sealed: the details that people wrote about a customer. */
  private: Buffer | null;
}

/**
 * Opens rows, and puts the sealed values back in their places. Values that describe an erased customer are left out.
 */
export async function openAuditLines(
  { vault, personKeys }: Pick<Runtime, 'vault' | 'personKeys'>,
  lines: readonly AuditLine[],
): Promise<AuditLine[]> {
  await personKeys.loadFor(lines.flatMap((line) => [line.end_user_ip, line.private]));
  return lines.map((line) => openAuditLine(vault, line));
}

function openAuditLine(vault: PersonVault, line: AuditLine): AuditLine {
  const { id, end_user_ip, private: sealed } = line;
  const address = end_user_ip === null ? undefined : vault.openKept(end_user_ip, endUserIpContext(id));
  const written = sealed === null ? undefined : vault.openKept(sealed, privateContext(id));
  const isVisitor = line.actor_kind === 'page';
  return {
    ...line,
    ...(isVisitor && address !== undefined && { remote_address: address }),
    details: {
      ...line.details,
      ...(written !== undefined && (JSON.parse(written) as object)),
      ...(!isVisitor && address !== undefined && { endUserIpAddress: address }),
    },
  };
}

export interface AuditFilter {
  platform?: PlatformId | undefined;
  actor?: AuditedActor | undefined;
  action?: string | undefined;
  /** The resource as a row names it, such as a public id. */
  resource?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** A token or an agent by its bare UUID, or a person by name: the few rows of operators have an index of their own. */
export interface AuditedActor {
  readonly id: string;
  readonly isOperator: boolean;
}

const LINE = sql`
  id, at, actor_kind, actor_id, action, resource, platform_id, request_id, remote_address, details, end_user_ip, private`;

/**
 * Lists rows, still sealed, the newest first, across all platforms if none is named. With a key, lists the rows
 * after it.
 */
export function listAuditRows(
  database: Pick<Database, 'query'>,
  filter: AuditFilter,
  { limit, after }: { readonly limit: number; readonly after?: readonly string[] | undefined },
): Promise<AuditLine[]> {
  const conditions = [...buildConditions(filter)];
  if (after) conditions.push(sql`(at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  return database.query<AuditLine>(sql`
    select ${LINE} from audit_log where ${joinSql(conditions, ' and ')} order by at desc, id desc limit ${limit}`);
}

/** Counts at most so many rows. */
export async function countAuditRows(
  database: Pick<Database, 'query'>,
  filter: AuditFilter,
  most: number,
): Promise<number> {
  const [row] = await database.query<{ count: bigint }>(sql`
    select count(*) from (
      select from audit_log where ${joinSql(buildConditions(filter), ' and ')}
       order by at desc, id desc limit ${most}) matches`);
  return Number(row?.count ?? 0);
}

function buildConditions({ platform, actor, action, resource, since, until }: AuditFilter): Sql[] {
  return [
    sql`true`,
    ...(platform === undefined ? [] : [sql`platform_id = ${platform}`]),
    ...(actor === undefined ? [] : [sql`actor_id = ${actor.id}`]),
    ...(actor?.isOperator ? [sql`actor_kind = 'operator'`] : []),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(resource === undefined ? [] : [sql`resource = ${resource}`]),
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ...(until === undefined ? [] : [sql`at <= ${until}`]),
  ];
}

/** Lists the changes to these resources of the platform, the oldest row first; reads are left out. */
export async function listResourceChanges(
  tx: ReadTx,
  resources: readonly string[],
  rowsMax: number,
): Promise<AuditLine[]> {
  const rows = await tx.query<AuditLine>(sql`
    select ${LINE} from audit_log
     where resource = any(${resources}::text[]) and platform_id = ${tx.platformId} and ${IS_CHANGE}
     order by at, id limit ${rowsMax}`);
  return openAuditLines(tx.runtime, rows);
}

/** Lists the newest changes to these resources of the platform, the newest row first; reads are left out. */
export async function listNewestChanges(
  tx: ReadTx,
  resources: readonly string[],
  rowsMax: number,
): Promise<AuditLine[]> {
  const rows = await tx.query<AuditLine>(sql`
    select ${LINE} from audit_log
     where resource = any(${resources}::text[]) and platform_id = ${tx.platformId} and ${IS_CHANGE}
     order by at desc, id desc limit ${rowsMax}`);
  return openAuditLines(tx.runtime, rows);
}

const IS_CHANGE = sql`action not like '% show' and action not like '% explain'`;

/**
 * Removes the IP addresses from which a customer sent a proof, right or wrong, or visited a page, and the texts that
 * were written about the customer (customers.md §2.4.26a). The table refuses every other change.
 */
export async function eraseAddresses(tx: Tx, { resources }: Pick<Traces, 'resources'>): Promise<void> {
  const ids = sql`any(${[...resources]}::text[])`;
  // One statement for each index: with `or` the whole log of the platform would be read.
  for (const isAbout of [
    sql`resource = ${ids}`,
    sql`details ? 'customerId' and details ->> 'customerId' = ${ids}`,
  ]) {
    await tx.sql`
      update audit_log
         set end_user_ip = null, private = null, details = details - 'endUserIpAddress',
             remote_address = case when actor_kind <> 'page' then remote_address end
       where ${isAbout} and platform_id = ${tx.platformId}
         and (end_user_ip is not null or private is not null or details ? 'endUserIpAddress' or actor_kind = 'page' and remote_address is not null)`;
  }
}

/** A row with its unsealed address; null if the row has none, or only a sealed one. */
export interface AddressedRow {
  readonly id: Id<'AuditRow'>;
  readonly address: string | null;
  /** Its time, as text with the microseconds that a `Date` would lose, and its id. */
  readonly key: readonly string[];
}

/** Lists a page of the platform's rows, the oldest first, with their unsealed addresses. */
export function listAddresses(
  tx: Tx,
  after: readonly string[] | undefined,
  limit: number,
): Promise<AddressedRow[]> {
  const next = after ? sql`(at, id) > (${after[0]}::text::timestamptz, ${after[1]}::uuid)` : sql`true`;
  return tx.sql<AddressedRow>`
    select id, array[to_json(at) #>> '{}', id::text] as key,
           coalesce(details ->> 'endUserIpAddress', case when actor_kind = 'page' then remote_address end) as address
      from audit_log where platform_id = ${tx.platformId} and ${next} order by audit_log.at, id limit ${limit}`;
}

export async function sealAddresses(
  tx: Tx,
  sealed: readonly { readonly id: Id<'AuditRow'>; readonly address: Buffer }[],
): Promise<void> {
  await tx.sql`
    update audit_log a
       set end_user_ip = g.address, details = details - 'endUserIpAddress',
           remote_address = case when actor_kind <> 'page' then remote_address end
      from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(({ address }) => address)}::bytea[]) as g(id, address)
     where a.id = g.id and a.platform_id = ${tx.platformId}`;
}
