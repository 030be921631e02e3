import { OURS, THEIRS } from '#capabilities/reconciliation/match-store.ts';
import type { BankAccount, OursRow, TheirsRow } from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** One row of `bank_proofs`. */
export interface ProofRow extends BankAccount {
  day: string;
  currency: string;
  /** P: what the books have in the account. */
  ours: bigint;
  /** C: what the bank says. */
  closing: bigint;
  /** O and T. */
  ours_in_transit: bigint;
  theirs_in_transit: bigint;
  /** How many items in transit are due and in no break. */
  unexplained: bigint;
  is_proven: boolean;
  proven_at: Date;
}

interface Touched {
  readonly from: string;
  /** A day that gets a proof if it has none: the last day of a statement. */
  readonly at?: string;
  readonly currency: string;
  readonly now: Date;
}

/** Marks the proofs of this day and of all later ones to be computed again. */
export async function staleProofs(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  { from, at, currency, now }: Touched,
): Promise<void> {
  if (at !== undefined)
    await run(sql`
      insert into bank_proofs
        (connector_id, settlement_account, day, currency, ours, closing, ours_in_transit, theirs_in_transit, unexplained,
         is_proven, is_stale, proven_at)
      values (${connector_id}, ${settlement_account}, ${at}, ${currency}, 0, 0, 0, 0, 0, false, true, ${now})
          on conflict do nothing`);
  await run(sql`
    update bank_proofs set is_stale = true
     where connector_id = ${connector_id} and settlement_account = ${settlement_account} and day >= ${from} and not is_stale`);
}

/** Locks proofs that have to be computed again, the oldest first. */
export function lockStaleProofs(
  run: Run,
  proofsMax: number,
): Promise<(BankAccount & { day: string; currency: string })[]> {
  return run(sql`
    select connector_id, settlement_account, day::text as day, currency from bank_proofs
     where is_stale order by day limit ${proofsMax} for update skip locked`);
}

export interface Sides {
  ours: bigint;
  closing: bigint;
  ours_in_transit: bigint;
  theirs_in_transit: bigint;
  has_gap: boolean;
  unexplained: bigint;
}

/**
 * Both sides of the equation of bank-files.md §7.1. A match counts from the day on which its last line was booked. An item in
 * transit is explained if it was matched since, is not due, or has a break.
 */
export async function loadSides(
  run: Run,
  { connector_id, settlement_account, day }: BankAccount & { readonly day: string },
  due: string,
): Promise<Sides | undefined> {
  const account = sql`connector_id = ${connector_id} and settlement_account = ${settlement_account}`;
  const isOpen = sql`coalesce(matched_on, 'infinity'::date) > ${day}::date and booked_on <= ${day}::date`;
  const [row] = await run<Record<keyof Sides, string>>(sql`
    select (select coalesce(sum(ours), 0)::text from bank_days where ${account} and day <= ${day}::date) as ours,
           (select closing::text from bank_statements where ${account} and last_day = ${day}::date
             order by first_day desc, received_at desc limit 1) as closing,
           (select exists (select from bank_statements where ${account} and has_gap and last_day <= ${day}::date))::text as has_gap,
           (select coalesce(sum(amount), 0)::text from bank_ours where ${account} and ${isOpen}) as ours_in_transit,
           (select coalesce(sum(amount), 0)::text from bank_lines where ${account} and ${isOpen}) as theirs_in_transit,
           ((select count(*) from bank_ours o where ${account} and ${isOpen} and match is null and expected_on <= ${due}::date
               and not exists (select from connector_breaks b where b.connector_id = o.connector_id
                                and b.about = 'entry ' || o.entry_id || ' ' || o.line_no))
          + (select count(*) from bank_lines t where ${account} and ${isOpen} and match is null and not is_new
               and not exists (select from connector_breaks b where b.connector_id = t.connector_id
                                and b.about = 'line ' || t.id)))::text as unexplained`);
  if (!row || row.closing === null) return undefined;
  const { has_gap, ours, closing, ours_in_transit, theirs_in_transit, unexplained } = row;
  return {
    ...{ ours: BigInt(ours), closing: BigInt(closing), unexplained: BigInt(unexplained) },
    ...{ ours_in_transit: BigInt(ours_in_transit), theirs_in_transit: BigInt(theirs_in_transit) },
    has_gap: has_gap === 'true',
  };
}

export async function keepProof(
  run: Run,
  { connector_id, settlement_account, day }: BankAccount & { readonly day: string },
  {
    ours,
    closing,
    ours_in_transit,
    theirs_in_transit,
    unexplained,
    isProven,
  }: Sides & { readonly isProven: boolean },
  now: Date,
): Promise<void> {
  await run(sql`
    update bank_proofs
       set ours = ${ours}, closing = ${closing}, ours_in_transit = ${ours_in_transit},
           theirs_in_transit = ${theirs_in_transit}, unexplained = ${unexplained}, is_proven = ${isProven},
           is_stale = false, proven_at = ${now}
     where connector_id = ${connector_id} and settlement_account = ${settlement_account} and day = ${day}`);
}

export const PROOF = sql`
  p.connector_id, p.settlement_account, p.day::text as day, p.currency, p.ours::bigint as ours, p.closing,
  p.ours_in_transit::bigint as ours_in_transit, p.theirs_in_transit::bigint as theirs_in_transit,
  p.unexplained, p.is_proven and not p.is_stale as is_proven, p.proven_at`;

export async function findProof(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  day: string | undefined,
): Promise<ProofRow | undefined> {
  const [row] = await run<ProofRow>(sql`
    select ${PROOF} from bank_proofs p
     where p.connector_id = ${connector_id} and p.settlement_account = ${settlement_account}
       and (${day ?? null}::date is null or p.day = ${day ?? null}::date)
     order by p.day desc limit 1`);
  return row;
}

export interface ProvenAccount extends BankAccount {
  readonly connector: string;
  readonly last_statement: string;
  readonly last_proven: string | null;
  readonly unproven_days: bigint;
}

/** Each account with its last proven day; every day before an unproven one may be proven too. */
export function listProvenAccounts(run: Run): Promise<ProvenAccount[]> {
  return run<ProvenAccount>(sql`
    select p.connector_id, p.settlement_account, c.name as connector, max(p.day)::text as last_statement,
           max(p.day) filter (where p.is_proven and not p.is_stale)::text as last_proven,
           count(*) filter (where not p.is_proven or p.is_stale) as unproven_days
      from bank_proofs p join connectors c on c.id = p.connector_id
     group by 1, 2, 3 order by c.name, p.settlement_account`);
}

/** The items in transit at the end of a day. */
export async function listItems(
  run: Run,
  { connector_id, settlement_account }: BankAccount,
  day: string,
  itemsMax: number,
): Promise<{ ours: OursRow[]; theirs: TheirsRow[] }> {
  const ours = await run<OursRow>(sql`
    select ${OURS} from bank_ours o
     where o.connector_id = ${connector_id} and o.settlement_account = ${settlement_account}
       and coalesce(o.matched_on, 'infinity'::date) > ${day}::date and o.booked_on <= ${day}::date
     order by o.booked_on, o.seq limit ${itemsMax}`);
  const theirs = await run<TheirsRow>(sql`
    select ${THEIRS} from bank_lines t
     where t.connector_id = ${connector_id} and t.settlement_account = ${settlement_account}
       and coalesce(t.matched_on, 'infinity'::date) > ${day}::date and t.booked_on <= ${day}::date
     order by t.booked_on, t.place limit ${itemsMax}`);
  return { ours, theirs };
}
