import type { Profile } from '#capabilities/bank-files/profile.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** The connector's own row, the files that came, and what statements and credits they brought. */

export interface FilesConnectorRow {
  readonly connector_id: string;
  readonly name: string;
  readonly store: string;
  readonly profile: Profile | null;
  readonly paused_because: string | null;
  readonly adopt_wanted_at: Date | null;
}

const COLUMNS = sql`f.connector_id, c.name, f.store, f.profile, c.paused_because, f.adopt_wanted_at`;

export async function findFilesConnector(run: Run, id: string): Promise<FilesConnectorRow | undefined> {
  const [row] = await run<FilesConnectorRow>(sql`
    select ${COLUMNS} from bank_file_connectors f join connectors c on c.id = f.connector_id
     where f.connector_id = ${id} and c.removed_at is null`);
  return row;
}

export async function insertFilesConnector(run: Run, id: string, store: string, now: Date): Promise<void> {
  await run(sql`
    insert into bank_file_connectors (connector_id, store, work_due_at) values (${id}, ${store}, ${now})`);
}

/** Its capabilities are read again at once. */
export async function keepProfile(run: Run, id: string, profile: Profile, now: Date): Promise<void> {
  await run(sql`
    update bank_file_connectors set profile = ${JSON.stringify(profile)}::jsonb, work_due_at = ${now}
     where connector_id = ${id}`);
}

export async function wishAdopted(run: Run, id: string, at: Date | null): Promise<void> {
  await run(sql`
    update bank_file_connectors set adopt_wanted_at = ${at}, work_due_at = coalesce(${at}, work_due_at)
     where connector_id = ${id}`);
}

/** Leases the connectors whose files are due to be looked at, each for one worker. */
export function claimWork(
  run: Run,
  { worker, now, until }: { worker: string; now: Date; until: Date },
): Promise<FilesConnectorRow[]> {
  return run<FilesConnectorRow>(sql`
    update bank_file_connectors f set worker = ${worker}, worker_until = ${until}
      from connectors c
     where c.id = f.connector_id and f.connector_id in (
       select w.connector_id from bank_file_connectors w join connectors k on k.id = w.connector_id
        where k.removed_at is null and w.profile is not null and w.work_due_at <= ${now}
          and (w.worker_until is null or w.worker_until <= ${now})
        for update of w skip locked)
    returning ${COLUMNS}`);
}

/** Renews the lease. Returns false if another worker has it now. */
export async function keepLease(
  run: Run,
  id: string,
  { worker, until }: { worker: string; until: Date },
): Promise<boolean> {
  const rows = await run(sql`
    update bank_file_connectors set worker_until = ${until}
     where connector_id = ${id} and worker = ${worker}
    returning connector_id`);
  return rows.length > 0;
}

export async function endWork(run: Run, id: string, worker: string, nextAt: Date): Promise<void> {
  await run(sql`
    update bank_file_connectors set worker = null, worker_until = null, work_due_at = ${nextAt}
     where connector_id = ${id} and worker = ${worker}`);
}

/** Returns the latest time for the next look at its files: the next turn, or the end of a worker's lease. */
export async function findWorkDue(run: Run, id: string): Promise<Date | undefined> {
  const [row] = await run<{ due: Date }>(sql`
    select greatest(f.work_due_at, f.worker_until) as due from bank_file_connectors f where f.connector_id = ${id}`);
  return row?.due;
}

export interface NewFile {
  readonly connectorId: string;
  readonly id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly size: number;
  readonly message: string | null;
  /** Why it was not taken. */
  readonly fault?: { readonly reason: string; readonly line: number | undefined } | undefined;
}

/** Records a file. Returns false if the same bytes were taken, or are in quarantine, already. */
export async function insertFile(run: Run, file: NewFile, now: Date): Promise<boolean> {
  const outcome = file.fault ? 'QUARANTINED' : 'READ';
  const rows = await run(sql`
    insert into bank_files (connector_id, id, name, content_hash, size, outcome, message, reason, line, received_at)
    values (${file.connectorId}, ${file.id}, ${file.name}, ${file.hash}, ${file.size}, ${outcome}, ${file.message},
            ${file.fault?.reason ?? null}, ${file.fault?.line ?? null}, ${now})
        on conflict do nothing
    returning id`);
  return rows.length > 0;
}

/** Finds the newest file with this content, taken or not. */
export async function findFileId(run: Run, connectorId: string, hash: Buffer): Promise<string | undefined> {
  const [row] = await run<{ id: string }>(sql`
    select f.id from bank_files f
     where f.connector_id = ${connectorId} and f.content_hash = ${hash} order by f.received_at desc limit 1`);
  return row?.id;
}

/** Stores the orders and credits in a file, so that an erasure finds the file. */
export async function insertSubjects(
  run: Run,
  { connectorId, fileId }: { readonly connectorId: string; readonly fileId: string },
  abouts: readonly string[],
): Promise<void> {
  await run(sql`
    insert into bank_file_subjects (connector_id, about, file_id)
    select ${connectorId}, named.about, ${fileId} from unnest(${[...abouts]}::text[]) as named (about)
        on conflict do nothing`);
}

export async function wasRead(run: Run, connectorId: string, hash: Buffer): Promise<boolean> {
  const rows = await run(sql`
    select f.id from bank_files f
     where f.connector_id = ${connectorId} and f.content_hash = ${hash} and f.outcome = 'READ'`);
  return rows.length > 0;
}

export interface FileRow {
  readonly id: string;
  readonly connector: string;
  readonly name: string;
  readonly outcome: string;
  readonly message: string | null;
  readonly reason: string | null;
  readonly line: number | null;
  readonly received_at: Date;
  readonly closed_at: Date | null;
}

/** The newest first. */
export function listFiles(run: Run, connectorId: string, limit: number): Promise<FileRow[]> {
  return run<FileRow>(sql`
    select f.id, c.name as connector, f.name, f.outcome, f.message, f.reason, f.line, f.received_at, f.closed_at
      from bank_files f join connectors c on c.id = f.connector_id
     where f.connector_id = ${connectorId} order by f.received_at desc, f.id limit ${limit}`);
}

/** Closes a file in quarantine. Returns false if it was not there. */
export async function closeFile(run: Run, id: string, now: Date): Promise<boolean> {
  const rows = await run(sql`
    update bank_files set closed_at = ${now}
     where id = ${id} and outcome = 'QUARANTINED' and closed_at is null
    returning id`);
  return rows.length > 0;
}

/** The same bytes could be taken after all. */
export async function closeSame(run: Run, connectorId: string, hash: Buffer, now: Date): Promise<void> {
  await run(sql`
    update bank_files set closed_at = ${now}
     where connector_id = ${connectorId} and content_hash = ${hash} and outcome = 'QUARANTINED' and closed_at is null`);
}

export interface NewStatement {
  readonly connectorId: string;
  readonly settlementAccount: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly hash: Buffer;
  readonly content: Buffer;
  /** The file that brought it. */
  readonly fileId: string;
}

export async function findStatementHash(
  run: Run,
  { connectorId, settlementAccount, id }: Pick<NewStatement, 'connectorId' | 'settlementAccount' | 'id'>,
): Promise<Buffer | undefined> {
  const [row] = await run<{ content_hash: Buffer }>(sql`
    select s.content_hash from bank_file_statements s
     where s.connector_id = ${connectorId} and s.settlement_account = ${settlementAccount} and s.statement_id = ${id}`);
  return row?.content_hash;
}

/** Finds the last day and the closing balance of the newest statement that ends before a day, or on it. */
export async function findClosingBefore(
  run: Run,
  { connectorId, settlementAccount, from }: Pick<NewStatement, 'connectorId' | 'settlementAccount' | 'from'>,
): Promise<{ day: string; closing: bigint } | undefined> {
  const [row] = await run<{ day: string; closing: bigint }>(sql`
    select s.last_day::text as day, s.closing from bank_file_statements s
     where s.connector_id = ${connectorId} and s.settlement_account = ${settlementAccount} and s.last_day <= ${from}::date
     order by s.last_day desc, s.seq desc limit 1`);
  return row;
}

export async function insertStatement(run: Run, statement: NewStatement, now: Date): Promise<void> {
  await run(sql`
    insert into bank_file_statements
      (connector_id, settlement_account, statement_id, file_id, first_day, last_day, opening, closing, content_hash, content,
       received_at)
    values (${statement.connectorId}, ${statement.settlementAccount}, ${statement.id}, ${statement.fileId},
            ${statement.from}::date, ${statement.to}::date, ${statement.opening}, ${statement.closing}, ${statement.hash},
            ${statement.content}, ${now})`);
}

/** A stored statement; its content is null once it was destroyed. */
export interface StatementRow {
  readonly statement_id: string;
  readonly first_day: string;
  readonly last_day: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly content: Buffer | null;
}

/** Lists the statements that contain one of these days, in the order in which they came. */
export function listStatementsOf(
  run: Run,
  {
    connectorId,
    settlementAccount,
    from,
    to,
  }: Pick<NewStatement, 'connectorId' | 'settlementAccount' | 'from' | 'to'>,
): Promise<StatementRow[]> {
  return run<StatementRow>(sql`
    select s.statement_id, s.first_day::text as first_day, s.last_day::text as last_day, s.opening, s.closing, s.content
      from bank_file_statements s
     where s.connector_id = ${connectorId} and s.settlement_account = ${settlementAccount}
       and s.last_day >= ${from}::date and s.first_day <= ${to}::date
     order by s.seq`);
}

export interface NewCredit {
  readonly connectorId: string;
  readonly creditId: string;
  readonly amount: bigint;
  readonly statementId: string;
  readonly payer: Buffer | null;
}

/** Records a credit. Returns null if it is new; otherwise the statement that brought it, and its amount. */
export async function insertCredit(
  run: Run,
  credit: NewCredit,
  now: Date,
): Promise<{ statement_id: string; amount: bigint } | null> {
  const rows = await run(sql`
    insert into bank_file_credits (connector_id, credit_id, amount, statement_id, payer, created_at)
    values (${credit.connectorId}, ${credit.creditId}, ${credit.amount}, ${credit.statementId}, ${credit.payer}, ${now})
        on conflict do nothing
    returning credit_id`);
  if (rows.length > 0) return null;
  const [row] = await run<{ statement_id: string; amount: bigint }>(sql`
    select c.statement_id, c.amount from bank_file_credits c
     where c.connector_id = ${credit.connectorId} and c.credit_id = ${credit.creditId}`);
  return row ?? null;
}

/** Finds the sealed account from which a credit came. */
export async function findPayer(
  run: Run,
  connectorId: string,
  creditId: string,
): Promise<Buffer | undefined> {
  const [row] = await run<{ payer: Buffer | null }>(sql`
    select c.payer from bank_file_credits c where c.connector_id = ${connectorId} and c.credit_id = ${creditId}`);
  return row?.payer ?? undefined;
}
