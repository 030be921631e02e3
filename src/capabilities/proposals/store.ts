import { PROPOSALS, type ProposalId, type StoredProposal } from '#capabilities/proposals/row.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';

export async function findProposal(tx: ReadTx, id: ProposalId): Promise<StoredProposal | undefined> {
  const [row] = await tx.query<StoredProposal>(sql`
    select ${PROPOSALS.columns('t')} from proposals t where t.platform_id = ${tx.platformId} and t.id = ${id}`);
  return row;
}

export async function lockProposal(tx: Tx, id: ProposalId): Promise<StoredProposal | undefined> {
  const [row] = await tx.query<StoredProposal>(sql`
    select ${PROPOSALS.columns('t')} from proposals t where t.platform_id = ${tx.platformId} and t.id = ${id}
       for no key update`);
  return row;
}

/** The undecided proposal for a subject, which may have expired. */
export async function lockUndecided(
  tx: Tx,
  { operation, subject_hash }: Pick<StoredProposal, 'operation' | 'subject_hash'>,
): Promise<StoredProposal | undefined> {
  const [row] = await tx.query<StoredProposal>(sql`
    select ${PROPOSALS.columns('t')} from proposals t
     where t.platform_id = ${tx.platformId} and t.operation = ${operation} and t.subject_hash = ${subject_hash}
       and t.status in ('UNCLAIMED', 'PENDING')
       for no key update`);
  return row;
}

/** An operator's undecided proposals, across platforms. */
export function lockUndecidedOf(tx: Tx, maker: string, now: Date): Promise<StoredProposal[]> {
  return tx.query<StoredProposal>(sql`
    select ${PROPOSALS.columns('t')} from proposals t
     where t.maker = ${maker} and t.status in ('UNCLAIMED', 'PENDING') and t.expires_at > ${now}
     order by t.platform_id, t.id
       for no key update`);
}

export interface ProposalFilter {
  /** Whose proposals: those of others to check, or an operator's own. */
  readonly checker?: string | undefined;
  readonly maker?: string | undefined;
  /** Only of these operations. */
  readonly operations?: readonly string[] | undefined;
  readonly isOpen?: boolean | undefined;
  readonly resource?: string | undefined;
  readonly now: Date;
}

/** Lists proposals across platforms, the newest first. */
export function listProposals<Item>(
  tx: ReadTx,
  request: PageRequest,
  filter: ProposalFilter,
  present: (row: StoredProposal) => Item,
): Promise<Page<Item>> {
  const query = { columns: PROPOSALS.columns('t'), from: sql`proposals t`, where: conditions(filter) };
  return keysetPage<StoredProposal, Item>(tx, request, query, present);
}

function conditions({ checker, maker, operations, isOpen, resource, now }: ProposalFilter): Sql[] {
  const undecided = sql`t.status in ('UNCLAIMED', 'PENDING')`;
  return [
    sql`true`,
    ...(checker === undefined ? [] : [sql`t.maker <> ${checker}`]),
    ...(maker === undefined ? [] : [sql`t.maker = ${maker}`]),
    ...(operations === undefined ? [] : [sql`t.operation = any(${operations}::text[])`]),
    ...(resource === undefined ? [] : [sql`t.resource = ${resource}`]),
    ...(isOpen === true ? [undecided, sql`t.expires_at > ${now}`] : []),
    ...(isOpen === false ? [sql`(not ${undecided} or t.expires_at <= ${now})`] : []),
  ];
}

/** The most undecided proposals about one resource that its record names. */
const PENDING_MAX = 10;

/** The undecided proposals about a resource, the newest first; by default on the platform. */
export async function findPending(
  tx: ReadTx,
  resource: string,
  platformIds: readonly PlatformId[] = [tx.platformId],
): Promise<PublicId<'Proposal'>[]> {
  const now = new Date(tx.runtime.clock.now());
  const rows = await tx.sql<{ id: ProposalId }>`
    select t.id from proposals t
     where t.platform_id = any(${platformIds}::uuid[]) and t.resource = ${resource}
       and t.status in ('UNCLAIMED', 'PENDING')
       and t.expires_at > ${now}
     order by t.created_at desc, t.id desc limit ${PENDING_MAX}`;
  return rows.map(({ id }) => publicId('Proposal', id));
}

/** Removes a secret that the maker has seen. */
export async function removeSecret(tx: Tx, id: ProposalId): Promise<void> {
  await tx.sql`update proposals set secret = null where platform_id = ${tx.platformId} and id = ${id}`;
}
