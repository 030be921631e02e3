import { assignLines } from '#capabilities/reconciliation/assign-lines.ts';
import { copyOurs } from '#capabilities/reconciliation/copy-ours.ts';
import { matchLines } from '#capabilities/reconciliation/match-lines.ts';
import { proveDays } from '#capabilities/reconciliation/prove-days.ts';
import type { Runtime } from '#foundation/database/tx.ts';

/**
 * Compares the statements of the banks with the books: copies our lines, matches, opens breaks, seals texts about customers
 * for them, and updates proofs. Each step is a commit of its own, from which another process or a later call continues.
 */
export async function reconcile(
  runtime: Pick<Runtime, 'database' | 'clock' | 'vault' | 'personKeys'>,
): Promise<void> {
  await copyOurs(runtime);
  if (!(await matchLines(runtime))) return;
  await assignLines(runtime);
  await proveDays(runtime);
}
