import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { DescribedCheck, LedgerFinding } from '#foundation/ledger/checks.ts';

/** The stored result of a check. */
export interface StoredFinding {
  readonly place: number;
  readonly proves: string;
  readonly rule: string;
  readonly examined: string;
  readonly violations: readonly string[];
}

export interface ProofRow {
  readonly number: bigint;
  readonly made_by: string;
  readonly asked_at: Date;
  readonly begun_at: Date | null;
  readonly finished_at: Date | null;
  readonly place: number;
  readonly findings: readonly StoredFinding[];
  readonly trouble: string | null;
}

const ROW = sql`number, made_by, asked_at, begun_at, finished_at, place, findings, trouble`;
const KEPT = 100n;

/** Asks for a verification, unless one is open. Returns the open one, and whether it is new. */
export async function openProof(tx: Tx, madeBy: string, askedAt: Date): Promise<[ProofRow, boolean]> {
  const [made] = await tx.sql<ProofRow>`
    insert into ledger_proofs (made_by, asked_at) values (${madeBy}, ${askedAt})
    on conflict ((true)) where finished_at is null do nothing
    returning ${ROW}`;
  if (made) {
    await tx.sql`delete from ledger_proofs where number <= ${made.number - KEPT}`;
    return [made, true];
  }
  const [open] = await tx.sql<ProofRow>`select ${ROW} from ledger_proofs where finished_at is null`;
  return open ? [open, false] : openProof(tx, madeBy, askedAt);
}

export function listProofs(tx: ReadTx, limit: number): Promise<ProofRow[]> {
  return tx.sql<ProofRow>`select ${ROW} from ledger_proofs order by number desc limit ${limit}`;
}

export interface Lease {
  readonly number: bigint;
  /** The run in which this process has it: what an earlier one still writes does not count. */
  readonly attempts: number;
}

/** Whether a verification waits for a process. */
export async function isProofDue({ query }: Pick<Database, 'query'>, now: Date): Promise<boolean> {
  const rows = await query(sql`
    select 1 from ledger_proofs where finished_at is null and (leased_until is null or leased_until <= ${now})`);
  return rows.length > 0;
}

/** Takes the open verification, if no other process has it, and begins it again. */
export async function leaseProof(
  { query }: Pick<Database, 'query'>,
  now: Date,
  until: Date,
): Promise<Lease | undefined> {
  const [lease] = await query<Lease>(sql`
    update ledger_proofs
       set attempts = attempts + 1, leased_until = ${until}, begun_at = greatest(asked_at, ${now}), place = 0, findings = '[]'
     where finished_at is null and (leased_until is null or leased_until <= ${now})
    returning number, attempts`);
  return lease;
}

/** Keeps the verification for this process, at this check. Returns false if another process has taken it. */
export async function renewLease(
  { query }: Pick<Database, 'query'>,
  { number, attempts }: Lease,
  { until, place = null }: { readonly until: Date; readonly place?: number | null },
): Promise<boolean> {
  const rows = await query(sql`
    update ledger_proofs set leased_until = ${until}, place = coalesce(${place}::integer, place)
     where number = ${number} and attempts = ${attempts} and finished_at is null
    returning number`);
  return rows.length > 0;
}

export async function addFinding(
  { query }: Pick<Database, 'query'>,
  { number, attempts }: Lease,
  { place }: DescribedCheck,
  { name, rule, examined, violations }: LedgerFinding,
): Promise<void> {
  const finding: StoredFinding = { place, proves: name, rule, examined: examined.toString(), violations };
  await query(sql`
    update ledger_proofs set findings = findings || ${JSON.stringify([finding])}::text::jsonb
     where number = ${number} and attempts = ${attempts} and finished_at is null`);
}

export async function finishProof(
  { query }: Pick<Database, 'query'>,
  { number, attempts }: Lease,
  { at, trouble = null }: { readonly at: Date; readonly trouble?: string | null },
): Promise<void> {
  await query(sql`
    update ledger_proofs
       set finished_at = greatest(asked_at, ${at}), leased_until = null, trouble = ${trouble}
     where number = ${number} and attempts = ${attempts} and finished_at is null`);
}
