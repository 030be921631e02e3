import type { Run } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { CHAIN_START, type ChainedEntry } from '#foundation/journal/entry-hash.ts';

/** How far a platform's journal was read, and its chain up to there. */
export interface JournalMark {
  readonly seq: bigint;
  readonly entryCount: bigint;
  /** In hexadecimal digits. */
  readonly hash: string;
}

/** A span of the journal: after one number and up to another. */
export interface Span {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** Lists the next entries of a span, in their order. Every value is text, so that JSON carries it as well. */
export function listEntries(
  run: Run,
  platformId: PlatformId,
  { after, upTo }: Span,
  limit: number,
): Promise<ChainedEntry[]> {
  return run<ChainedEntry>(sql`
    select e.seq::text as seq, e.id::text as id, e.transaction_id::text as "transactionId",
           e.reverses_seq::text as "reversesSeq", ${timeText(sql`e.created_at`)} as "createdAt",
           ${timeText(sql`e.recorded_at`)} as "recordedAt", e.ordinal::text as ordinal, e.kind, e.step, e.accounts,
           e.currencies, e.amounts::text[] as amounts, e.account_nos::text[] as "accountNos",
           e.balances::text[] as balances
      from ledger_entries e
     where e.platform_id = ${platformId} and e.seq > ${after} and e.seq <= ${upTo}
     order by e.seq limit ${limit}`);
}

function timeText(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** A link of the chain: an entry's number and its hash, perhaps only the first digits of it. */
export interface Link {
  readonly seq: string;
  readonly hash: string;
}

/** Lists the links of a span. */
export function listLinks(run: Run, platformId: PlatformId, { after, upTo }: Span): Promise<Link[]> {
  return run<Link>(sql`
    select c.seq::text as seq, encode(c.hash, 'hex') as hash from journal_chain c
     where c.platform_id = ${platformId} and c.seq > ${after} and c.seq <= ${upTo}
     order by c.seq`);
}

export interface PlatformMark extends JournalMark {
  readonly platformId: PlatformId;
}

/** Finds a platform's mark; undefined if its journal was never read. */
export async function findMark(run: Run, platformId: PlatformId): Promise<PlatformMark | undefined> {
  const [row] = await run<{ seq: string; count: string; hash: string }>(sql`
    select m.seq::text as seq, m.entry_count::text as count, encode(m.hash, 'hex') as hash
      from journal_marks m where m.platform_id = ${platformId}`);
  return row && { platformId, seq: BigInt(row.seq), entryCount: BigInt(row.count), hash: row.hash };
}

/** The stored end of a platform's chain, and the number of its last signed head; 0 if there is none. */
export interface StoredEnd {
  readonly mark: PlatformMark;
  readonly lastHead: bigint;
}

/** Lists the ends of all chains, also of those whose mark is missing although a head was signed. */
export async function listStoredEnds(run: Run): Promise<StoredEnd[]> {
  const rows = await run<{ id: PlatformId; seq: string; count: string; hash: string; head: string }>(sql`
    select p.id::text as id, coalesce(m.seq, 0)::text as seq, coalesce(m.entry_count, 0)::text as count,
           coalesce(encode(m.hash, 'hex'), ${CHAIN_START}) as hash, coalesce(h.seq, 0)::text as head
      from platforms p
      left join journal_marks m on m.platform_id = p.id
      left join lateral (
        select h.seq from journal_heads h where h.platform_id = p.id order by h.seq desc limit 1) h on true
     where m.seq is not null or h.seq is not null
     order by p.id`);
  return rows.map(({ id: platformId, seq, count, hash, head }) => ({
    mark: { platformId, seq: BigInt(seq), entryCount: BigInt(count), hash },
    lastHead: BigInt(head),
  }));
}

/** Adds a platform's mark, before its first entry is read. */
export function insertMark(run: Run, platformId: PlatformId, hash: string): Promise<unknown> {
  return run(sql`
    insert into journal_marks (platform_id, seq, entry_count, hash)
    values (${platformId}, 0, 0, decode(${hash}, 'hex')) on conflict do nothing`);
}

/**
 * Locks a platform's mark, and returns it with the number up to which its journal is complete: the mark of the roll-ups,
 * which no entry that commits later can be below (src/foundation/ledger/roll-up.sql). Returns undefined if another process has locked it.
 */
export async function lockMark(
  run: Run,
  platformId: PlatformId,
): Promise<(JournalMark & { completeUpTo: bigint }) | undefined> {
  const [row] = await run<{ seq: bigint; entry_count: bigint; hash: Buffer; complete: bigint }>(sql`
    select m.seq, m.entry_count, m.hash,
           coalesce((select r.seq from ledger_rollup_marks r where r.platform_id = m.platform_id), 0) as complete
      from journal_marks m where m.platform_id = ${platformId} for update of m skip locked`);
  return (
    row && {
      seq: row.seq,
      entryCount: row.entry_count,
      hash: row.hash.toString('hex'),
      completeUpTo: row.complete,
    }
  );
}

/** The entries that one step of the follower adds to the chain, with the mark before and after them. */
export interface ChainStep {
  readonly platformId: PlatformId;
  readonly from: JournalMark;
  readonly to: JournalMark;
  readonly links: readonly { readonly seq: string; readonly id: string; readonly hash: string }[];
}

/** Returns the statements that add a step: links, lines, and last the mark. */
export function addStep({ platformId, from, to, links }: ChainStep, sharedKinds: readonly string[]): Sql[] {
  return [
    sql`
      insert into journal_chain (platform_id, seq, entry_id, hash)
      select ${platformId}, l.seq, l.id, decode(l.hash, 'hex')
        from unnest(${links.map(({ seq }) => seq)}::bigint[], ${links.map(({ id }) => id)}::uuid[],
                    ${links.map(({ hash }) => hash)}::text[]) as l (seq, id, hash)`,
    sql`select journal_add_lines(${platformId}, ${from.seq}, ${to.seq}, ${sharedKinds})`,
    sql`
      update journal_marks m
         set seq = ${to.seq}, entry_count = ${to.entryCount}, hash = decode(${to.hash}, 'hex')
       where m.platform_id = ${platformId} and m.seq = ${from.seq}`,
  ];
}

/** The last number of the journal that was drawn, committed or not. */
export async function loadLastDrawn(run: Run): Promise<bigint> {
  const [row] = await run<{ last: bigint }>(sql`select last_value as last from ledger_seq`);
  return row?.last ?? 0n;
}

/** Lists platforms with entries that were not read yet, after a platform in the order of their ids. */
export async function listUnreadPlatforms(run: Run, after: PlatformId, limit: number): Promise<PlatformId[]> {
  const rows = await run<{ id: PlatformId }>(sql`
    select p.id
      from platforms p
      left join journal_marks m on m.platform_id = p.id
     cross join lateral (
       select e.seq from ledger_entries e
        where e.platform_id = p.id and e.seq > coalesce(m.seq, 0) order by e.seq limit 1) unread
     where p.id > ${after}
     order by p.id limit ${limit}`);
  return rows.map(({ id }) => id);
}
