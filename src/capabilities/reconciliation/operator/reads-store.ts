import { PROOF, type ProofRow } from '#capabilities/reconciliation/proof-store.ts';
import type { BankAccount } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** Reads reconciliation for operators. */

/** The proofs of an account over a period, the newest first. */
export function listProofs(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ProofRow[]> {
  return run<ProofRow>(sql`
    select ${PROOF} from bank_proofs p
     where p.connector_id = ${connector_id} and p.settlement_account = ${settlement_account}
       and p.day between ${from}::date and ${to}::date
     order by p.day desc`);
}

/** The proof of the first day on which a statement of an account ends. */
export async function findFirstProof(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
): Promise<(ProofRow & { readonly is_stale: boolean; readonly has_gap: boolean }) | undefined> {
  const [row] = await run<ProofRow & { is_stale: boolean; has_gap: boolean }>(sql`
    select ${PROOF}, p.is_stale,
           exists (select from bank_statements s
                    where s.connector_id = p.connector_id and s.settlement_account = p.settlement_account
                      and s.has_gap and s.last_day <= p.day) as has_gap
      from bank_proofs p
     where p.connector_id = ${connector_id} and p.settlement_account = ${settlement_account}
     order by p.day limit 1`);
  return row;
}

export interface AccountBreak {
  readonly id: string;
  readonly about: string;
  readonly kind: string;
  readonly resolved_at: Date | null;
  readonly is_gone: boolean;
}

/** The breaks about these lines: of each line the open one, or else the last. */
export function listBreaksAbout(
  run: Run,
  { connector_id }: Pick<BankAccount, 'connector_id'>,
  abouts: readonly string[],
): Promise<AccountBreak[]> {
  return run<AccountBreak>(sql`
    select distinct on (b.about) b.id, b.about, b.kind, b.resolved_at, b.is_gone
      from connector_breaks b
     where b.connector_id = ${connector_id} and b.about = any(${abouts}::text[])
     order by b.about, b.resolved_at desc nulls first, b.opened_at desc, b.id desc`);
}
