import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import type { OursRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** Those of the platforms whose journals have entries, read by the follower, that were not copied; "across platforms". */
export async function listUncopied(run: Run, platforms: readonly PlatformId[]): Promise<PlatformId[]> {
  const rows = await run<{ platform_id: PlatformId }>(sql`
    select m.platform_id
      from journal_marks m
      left join bank_marks b on b.platform_id = m.platform_id
     where m.platform_id = any(${platforms}::uuid[]) and m.seq > coalesce(b.seq, 0)
     order by m.platform_id`);
  return rows.map(({ platform_id }) => platform_id);
}

/** Up to which entry the journal was copied, locked until the commit; undefined if another process copies it. */
export async function lockMark(run: Run, platformId: PlatformId): Promise<bigint | undefined> {
  await run(sql`
    insert into bank_marks (platform_id, seq) values (${platformId}, 0) on conflict do nothing`);
  const [row] = await run<{ seq: bigint }>(sql`
    select seq from bank_marks where platform_id = ${platformId} for update skip locked`);
  return row?.seq;
}

export async function moveMark(run: Run, platformId: PlatformId, seq: bigint): Promise<void> {
  await run(sql`update bank_marks set seq = ${seq} where platform_id = ${platformId}`);
}

export interface RailLine {
  readonly seq: bigint;
  /** Null in the last row, which only says how far the entries were read. */
  readonly line_no: number | null;
  readonly entry_id: Id<'JournalEntry'>;
  readonly transaction_id: TransactionId | null;
  readonly created_at: Date;
  /** `RAIL:<rail>:<connector>.<settlement account>:<currency>` */
  readonly account: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** The next lines on accounts of connectors, in the order of the journal, up to the follower's mark. */
export function listRailLines(
  run: Run,
  platformId: PlatformId,
  after: bigint,
  entriesMax: number,
): Promise<RailLine[]> {
  return run<RailLine>(sql`
    with entries as materialized (
      select e.seq, e.id, e.transaction_id, e.created_at, e.accounts, e.currencies, e.amounts
        from ledger_entries e
       where e.platform_id = ${platformId} and e.seq > ${after}
         and e.seq <= (select m.seq from journal_marks m where m.platform_id = ${platformId})
       order by e.seq limit ${entriesMax})
    select e.seq, l.line_no::smallint as line_no, e.id as entry_id, e.transaction_id, e.created_at, l.account, l.currency, l.amount
      from entries e
     cross join lateral unnest(e.accounts, e.currencies, e.amounts) with ordinality
           as l (account, currency, amount, line_no)
     where l.account like 'RAIL:%.%:%'
    union all
    select max(e.seq), null, null, null, null, null, null, null from entries e having count(*) > 0
     order by 1, 2 nulls last`);
}

export type NamedConnector = Pick<ConnectorRow, 'id' | 'name' | 'capabilities'>;

/** The connectors that accounts of the journal name, also those that were removed since. */
export function listNamed(run: Run, names: readonly string[]): Promise<NamedConnector[]> {
  return run<NamedConnector>(sql`
    select c.id, c.name, c.capabilities from connectors c where c.name = any(${[...new Set(names)]}::text[])`);
}

export interface KnownReferences {
  readonly transaction_id: TransactionId | null;
  readonly entry_id: Id<'JournalEntry'> | null;
  readonly references: string[];
  readonly expected_at: Date | null;
  /** The day on which the entry of an opening balance is booked. */
  readonly opened_on: string | null;
}

/** Everything by which a bank may name these transactions and entries. */
export function listReferences(
  run: Run,
  platformId: PlatformId,
  {
    transactions,
    entries,
  }: { readonly transactions: readonly string[]; readonly entries: readonly string[] },
): Promise<KnownReferences[]> {
  return run<KnownReferences>(sql`
    select o.transaction_id, null::uuid as entry_id,
           array_remove(array[o.reference::text, o.bank_reference, o.transaction_hash], null) as references, o.expected_at,
           null as opened_on
      from connector_orders o
     where o.platform_id = ${platformId} and o.transaction_id = any(${transactions}::uuid[])
    union all
    select o.transaction_id, null, array[b.message_id, b.payment_information_id], null, null
      from connector_orders o
      join bank_file_orders f on f.connector_id = o.connector_id and f.reference = o.reference
      join bank_file_batches b on b.connector_id = f.connector_id and b.id = f.batch_id and b.message_id is not null
     where o.platform_id = ${platformId} and o.transaction_id = any(${transactions}::uuid[])
    union all
    select c.transaction_id, null, array[c.credit_id], null, null from connector_credits c
     where c.platform_id = ${platformId} and c.transaction_id = any(${transactions}::uuid[])
    union all
    select null, c.entry_id, array[c.credit_id], null, null from connector_credits c
     where c.platform_id = ${platformId} and c.entry_id = any(${entries}::uuid[])
    union all
    select null, k.entry_id, array[k.line::text], null, null from bank_bookings k
     where k.platform_id = ${platformId} and k.entry_id = any(${entries}::uuid[]) and k.line is not null
    union all
    select null, b.entry_id, '{}', null, b.day::text from bank_openings b
     where b.platform_id = ${platformId} and b.entry_id = any(${entries}::uuid[])`);
}

export type NewOurs = Omit<OursRow, 'match' | 'matched_on'>;

export async function insertOurs(run: Run, rows: readonly NewOurs[]): Promise<void> {
  for (const row of rows) {
    await run(sql`
      insert into bank_ours
        (platform_id, seq, line_no, entry_id, connector_id, settlement_account, transaction_id, booked_on, expected_on,
         amount, currency, reference_hashes, is_new)
      values (${row.platform_id}, ${row.seq}, ${row.line_no}, ${row.entry_id}, ${row.connector_id},
              ${row.settlement_account}, ${row.transaction_id}, ${row.booked_on}, ${row.expected_on}, ${row.amount},
              ${row.currency}, ${row.reference_hashes}::bytea[], true)`);
    await run(sql`
      insert into bank_days (connector_id, settlement_account, day, ours)
      values (${row.connector_id}, ${row.settlement_account}, ${row.booked_on}, ${row.amount})
          on conflict (connector_id, settlement_account, day) do update set ours = bank_days.ours + excluded.ours`);
  }
}
