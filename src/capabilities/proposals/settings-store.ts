import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** When a second operator has to approve (operator.md §5.1). */
export interface ApprovalSettings {
  readonly approvals: 'off' | 'required';
  /** The amounts that one operator may move alone in a day, in the smallest unit, by currency; others may move none. */
  readonly above: Readonly<Record<string, number>>;
}

/** The stored choice: without a choice, approvals are required once two operators were active. */
export interface ChosenSettings {
  readonly chosen: ApprovalSettings['approvals'] | null;
  readonly above: ApprovalSettings['above'];
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

/** Whether `corridor settings set` has switched approvals off, however many operators there are. */
export async function isSwitchedOff({ query }: Pick<Database, 'query'>): Promise<boolean> {
  const rows = await query(sql`select from installation_settings where operator_approvals = 'off'`);
  return rows.length > 0;
}

/** Locks the settings until the commit, so that of two changes at the same time none is lost. */
export async function lockApprovalSettings(tx: Tx): Promise<ChosenSettings> {
  const [row] = await tx.sql<ChosenSettings>`
    select operator_approvals as chosen, operator_approval_above as above
      from installation_settings for no key update`;
  if (!row) throw new Error('the row of the installation is never removed');
  return row;
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
