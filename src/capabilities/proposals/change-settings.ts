import {
  type ApprovalSettings,
  loadApprovalSettings,
  lockApprovalSettings,
  setApprovalSettings,
} from '#capabilities/proposals/settings-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** The settings that the command line may change. Amounts are merged into those that are set; 0 removes one. */
export interface SettingsChange extends Partial<ApprovalSettings> {
  readonly reason: string;
}

/** Changes when a second operator has to approve (operator.md §5.1). Only the command line calls it. */
export async function changeApprovalSettings(
  tx: Tx,
  { approvals, above = {}, reason }: SettingsChange,
): Promise<ApprovalSettings> {
  const before = await lockApprovalSettings(tx);
  const merged = Object.entries({ ...before.above, ...above }).filter(([, amount]) => amount > 0);
  const after = { approvals: approvals ?? before.chosen, above: Object.fromEntries(merged) };
  await setApprovalSettings(tx, { ...(approvals && { approvals }), above: after.above });
  const described = { approvals: before.chosen, above: before.above };
  audit(tx, { action: 'settings set', details: { before: described, after, reason } });
  return loadApprovalSettings(tx);
}
