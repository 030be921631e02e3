import { openBreak } from '#capabilities/connectors/break-store.ts';
import { bankingDaysBefore } from '#capabilities/reconciliation/banking-days.ts';
import {
  keepProof,
  loadSides,
  lockStaleProofs,
  type Sides,
} from '#capabilities/reconciliation/proof-store.ts';
import { aboutProof, type BankAccount } from '#capabilities/reconciliation/row.ts';
import { closeGap } from '#capabilities/reconciliation/statement-store.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { sayReported } from '#foundation/lib/currencies.ts';
import { newUuid } from '#foundation/lib/ids.ts';

const PROOFS_OF_STEP = 50;
const DUE_AFTER_BANKING_DAYS = 3;

/** P − C less O − T: zero, unless an item is missing on one side (bank-files.md §7.1). */
export function differenceOf({
  ours,
  closing,
  ours_in_transit,
  theirs_in_transit,
}: Omit<Sides, 'has_gap' | 'unexplained'>): bigint {
  return ours - closing - (ours_in_transit - theirs_in_transit);
}

/** Recomputes the proofs that a line or a match has touched. */
export async function proveDays({ database, clock }: Pick<Runtime, 'database' | 'clock'>): Promise<void> {
  const now = new Date(clock.now());
  let made: number;
  do {
    made = await database.transaction(async (run) => {
      const stale = await lockStaleProofs(run, PROOFS_OF_STEP);
      for (const day of stale) await proveDay(run, day, now);
      return stale.length;
    });
  } while (made === PROOFS_OF_STEP);
}

interface Day extends BankAccount {
  readonly day: string;
  readonly currency: string;
}

async function proveDay(run: Run, proof: Day, now: Date): Promise<void> {
  const { connector_id: connectorId, settlement_account: account, day, currency } = proof;
  const sides = await loadSides(run, proof, bankingDaysBefore(day, DUE_AFTER_BANKING_DAYS));
  if (!sides) return;
  const difference = differenceOf(sides);
  const isProven = difference === 0n && !sides.has_gap && sides.unexplained === 0n;
  await keepProof(run, proof, { ...sides, isProven }, now);
  const about = aboutProof(proof);
  if (isProven) return closeGap(run, { connectorId, about }, now);
  const what = sides.has_gap
    ? `The statements of ${account} up to ${day} have a gap.`
    : difference === 0n
      ? `Items of ${account} up to ${day} are due and have no break.`
      : sayDifference(difference, proof);
  const found = { kind: 'UNPROVEN' as const, what, about, amount: difference, currency };
  await openBreak(run, { ...found, id: newUuid(), connectorId, platformId: null }, now);
}

/** What is in transit explains none of it. */
function sayDifference(difference: bigint, { settlement_account: account, day, currency }: Day): string {
  const amount = sayReported({ amount: difference < 0n ? -difference : difference, currency });
  const who = difference < 0n ? 'The bank has' : 'The books have';
  return `${who} ${amount} more in ${account} on ${day} than ${difference < 0n ? 'the books' : 'the bank'}.`;
}
