import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Run } from '#foundation/database/database.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';
import { auditMonths } from '#foundation/lib/kept-times.ts';

/**
 * What an operator saw of a person: one field for a reason, the result of a search by personal data, an export, a document,
 * or the page of a customer (operator.md §4.2).
 */
export const READ_KINDS = ['FIELD', 'SEARCH', 'EXPORT', 'DOCUMENT', 'PAGE'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

export interface RecordRead {
  readonly id: Id<'RecordRead'>;
  readonly platformId: PlatformId | null;
  readonly at: Date;
  readonly actorId: string;
  readonly roles: readonly string[];
  readonly sessionId: string | null;
  readonly kind: ReadKind;
  /** The public id of the record, or the name of the list. */
  readonly resource: string;
  readonly fields: readonly string[];
  readonly termHash: Buffer | null;
  /** Sealed. */
  readonly reason: Buffer | null;
}

export async function insertRead(run: Run, read: RecordRead): Promise<void> {
  await run(sql`
    insert into record_reads (id, platform_id, at, actor_id, roles, session_id, kind, resource, fields, term_hash, reason)
    values (${read.id}, ${read.platformId}, ${read.at}, ${read.actorId}, ${[...read.roles]}::text[], ${read.sessionId},
            ${read.kind}, ${read.resource}, ${[...read.fields]}::text[], ${read.termHash}, ${read.reason})`);
}

/** Seals the reason for which a field was shown, for the people whom it may describe. */
export function sealReason(
  vault: PersonVault,
  people: readonly PersonId[],
  id: RecordRead['id'],
  reason: string,
): Buffer {
  return vault.sealNaming(people, reason, reasonContext(id));
}

function reasonContext(id: RecordRead['id']): string {
  return `record_reads.reason:${id}`;
}

export interface ReadLine {
  readonly id: RecordRead['id'];
  readonly at: Date;
  readonly platform_id: PlatformId | null;
  readonly actor_id: string;
  readonly roles: readonly string[];
  readonly kind: ReadKind;
  readonly resource: string;
  readonly fields: readonly string[];
  readonly term_hash: Buffer | null;
  readonly reason: Buffer | null;
}

/** A line with its reason; without it, if it described somebody whose key is destroyed. */
export type OpenedRead = Omit<ReadLine, 'reason'> & { readonly reason: string | undefined };

export interface ReadFilter {
  readonly platform?: PlatformId | undefined;
  readonly actor?: string | undefined;
  readonly resource?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Lists who looked, the newest first, after a key. Each filter has an index in this order. */
export async function listReads(
  {
    database,
    vault,
    personKeys,
  }: Pick<Runtime, 'vault' | 'personKeys'> & {
    readonly database: Pick<Runtime['database'], 'query'>;
  },
  filter: ReadFilter,
  { limit, after }: { readonly limit: number; readonly after?: readonly string[] | undefined },
): Promise<OpenedRead[]> {
  const conditions = buildConditions(filter);
  if (after) conditions.push(sql`(at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  const lines = await database.query<ReadLine>(sql`
    select id, at, platform_id, actor_id, roles, kind, resource, fields, term_hash, reason
      from record_reads where ${joinSql(conditions, ' and ')}
     order by at desc, id desc limit ${limit}`);
  await personKeys.loadFor(lines.map(({ reason }) => reason));
  return lines.map((line) => ({
    ...line,
    reason: line.reason === null ? undefined : vault.openKept(line.reason, reasonContext(line.id)),
  }));
}

/** Counts at most so many rows. */
export async function countReads(
  { query }: Pick<Runtime['database'], 'query'>,
  filter: ReadFilter,
  most: number,
): Promise<number> {
  const [row] = await query<{ count: bigint }>(sql`
    select count(*) from (
      select from record_reads where ${joinSql(buildConditions(filter), ' and ')}
       order by at desc, id desc limit ${most}) matches`);
  return Number(row?.count ?? 0);
}

function buildConditions({ platform, actor, resource, since, until }: ReadFilter): Sql[] {
  return [
    sql`true`,
    ...(platform === undefined ? [] : [sql`platform_id = ${platform}`]),
    ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
    ...(resource === undefined ? [] : [sql`resource = ${resource}`]),
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ...(until === undefined ? [] : [sql`at <= ${until}`]),
  ];
}

/**
 * Deletes rows that are older than the audit log is kept: at most `rowsMax` of the platform, and as many that belong to no
 * platform. Returns the greater number.
 */
export async function purgeReads(tx: Tx, rowsMax: number): Promise<number> {
  const oldest = sql`now() - make_interval(months => ${auditMonths(tx.runtime)})`;
  let most = 0;
  for (const isOwned of [sql`platform_id = ${tx.platformId}`, sql`platform_id is null`]) {
    const deleted = await tx.sql`
      with old as materialized (
        select id from record_reads where ${isOwned} and at < ${oldest} limit ${rowsMax} for update skip locked)
      delete from record_reads r using old where r.id = old.id
      returning 1`;
    most = Math.max(most, deleted.length);
  }
  return most;
}

/** Removes the reasons that were written about an erased customer. */
export async function eraseReadReasons(tx: Tx, { resources }: Pick<Traces, 'resources'>): Promise<void> {
  await tx.sql`
    update record_reads set reason = null
     where platform_id = ${tx.platformId} and resource = any(${[...resources]}::text[]) and reason is not null`;
}
