import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { PlatformMark, Span } from '#foundation/journal/chain-store.ts';

export interface JournalKeyRow {
  readonly id: number;
  /** SPKI PEM. */
  readonly publicKey: string;
  /** Sealed. */
  readonly privateKey: Buffer;
  readonly createdAt: Date;
}

/** Lists all keys, the newest first. */
export function listKeys(run: Run): Promise<JournalKeyRow[]> {
  return run<JournalKeyRow>(sql`
    select id, public_key as "publicKey", private_key as "privateKey", created_at as "createdAt"
      from journal_keys order by id desc`);
}

/** Adds a key. If another process has added one with this id, that one stays. */
export function insertKey(
  run: Run,
  { id, publicKey, privateKey, createdAt }: JournalKeyRow,
): Promise<unknown> {
  return run(sql`
    insert into journal_keys (id, public_key, private_key, created_at)
    values (${id}, ${publicKey}, ${privateKey}, ${createdAt}) on conflict (id) do nothing`);
}

/** The end of a platform's chain at a moment, signed. */
export interface SignedHead extends PlatformMark {
  /** Real time. */
  readonly madeAt: Date;
  readonly keyId: number;
  /** Ed25519, base64url. */
  readonly signature: string;
}

/** Adds a head. If another process has signed the same end of the chain, its head stays. */
export function insertHead(run: Run, head: SignedHead): Promise<unknown> {
  return run(sql`
    insert into journal_heads (platform_id, seq, entry_count, hash, made_at, key_id, signature)
    values (${head.platformId}, ${head.seq}, ${head.entryCount}, decode(${head.hash}, 'hex'), ${head.madeAt},
            ${head.keyId}, ${head.signature}) on conflict (platform_id, seq) do nothing`);
}

/** Lists the marks that have no head, of these or all platforms whose last head is from before this time. */
export async function listMarksDue(
  run: Run,
  lastHeadBefore: Date,
  platforms?: readonly PlatformId[],
): Promise<PlatformMark[]> {
  const isChosen = platforms ? sql`m.platform_id = any(${platforms}::uuid[])` : sql`true`;
  const rows = await run<{ platformId: PlatformId; seq: bigint; entryCount: bigint; hash: Buffer }>(sql`
    select m.platform_id as "platformId", m.seq, m.entry_count as "entryCount", m.hash
      from journal_marks m
      left join lateral (
        select h.seq, h.made_at from journal_heads h
         where h.platform_id = m.platform_id order by h.seq desc limit 1) last on true
     where m.seq > coalesce(last.seq, 0) and coalesce(last.made_at, '-infinity') < ${lastHeadBefore}
       and ${isChosen}
     order by m.platform_id`);
  return rows.map((row) => ({ ...row, hash: row.hash.toString('hex') }));
}

/** Lists the heads of a platform in a span, in the order of its chain. Every value is sent as text or a number. */
export async function listHeads(
  run: Run,
  platformId: PlatformId,
  { after, upTo }: Span,
): Promise<SignedHead[]> {
  return present(
    await run<HeadRow>(sql`
      select ${HEAD} from journal_heads h
       where h.platform_id = ${platformId} and h.seq > ${after} and h.seq <= ${upTo} order by h.seq`),
  );
}

const PAGE = 1_000;

/** Lists the next heads of all platforms, after one of them, in the order of each chain. */
export async function listAllHeads(run: Run, after?: SignedHead): Promise<SignedHead[]> {
  const isNext = after
    ? sql`(h.platform_id, h.seq) > (${after.platformId}::uuid, ${after.seq}::bigint)`
    : sql`true`;
  return present(
    await run<HeadRow>(sql`
      select ${HEAD} from journal_heads h where ${isNext} order by h.platform_id, h.seq limit ${PAGE}`),
  );
}

/** Lists the last head of each day of these platforms, in the order of each chain. */
export async function listDailyHeads(run: Run, platforms: readonly PlatformId[]): Promise<SignedHead[]> {
  const rows = await run<HeadRow>(sql`
    select distinct on (h.platform_id, (h.made_at at time zone 'UTC')::date) ${HEAD}
      from journal_heads h where h.platform_id = any(${platforms}::uuid[])
     order by h.platform_id, (h.made_at at time zone 'UTC')::date, h.seq desc`);
  return present(rows);
}

const HEAD = sql`
  h.platform_id::text as "platformId", h.seq::text as seq, h.entry_count::text as "entryCount",
  encode(h.hash, 'hex') as hash, h.made_at as "madeAt", h.key_id as "keyId", h.signature`;

function present(rows: readonly HeadRow[]): SignedHead[] {
  return rows.map(({ seq, entryCount, madeAt, ...head }) => ({
    ...head,
    seq: BigInt(seq),
    entryCount: BigInt(entryCount),
    madeAt: new Date(madeAt),
  }));
}

interface HeadRow extends Pick<SignedHead, 'platformId' | 'hash' | 'keyId' | 'signature'> {
  readonly seq: string;
  readonly entryCount: string;
  readonly madeAt: Date | string;
}
