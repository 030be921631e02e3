import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** When a second operator has to approve (operator.md §5.1). */
export interface ApprovalSettings {
  readonly approvals: 'off' | 'required';
  /** The amounts that one operator may move alone in a day, in the smallest unit, by currency; others may move none. */
  readonly above: Readonly<Record<string, number>>;
}

interface SettingsRow {
  approvals: ApprovalSettings['approvals'];
  above: Record<string, number>;
}

export async function loadApprovalSettings(tx: ReadTx): Promise<ApprovalSettings> {
  const [row] = await tx.query<SettingsRow>(sql`
    select coalesce(operator_approvals,
                    case when (select count(*) from operators where active_since is not null) < 2 then 'off'
                         else 'required' end) as approvals,
           operator_approval_above as above
      from installation_settings`);
  return row ?? { approvals: 'required', above: {} };
}

/** Sets what is given, and leaves the rest. */
export async function setApprovalSettings(
  tx: Tx,
  { approvals, above }: Partial<ApprovalSettings>,
): Promise<void> {
  await tx.sql`
    update installation_settings
       set operator_approvals = coalesce(${approvals ?? null}::text, operator_approvals),
           operator_approval_above = coalesce(${above ? JSON.stringify(above) : null}::jsonb, operator_approval_above)`;
}
