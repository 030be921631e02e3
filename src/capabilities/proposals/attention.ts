import { attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface UsedRow {
  readonly id: string;
  readonly operation: string;
  readonly made_by: string;
}

/** What a command did without a second operator, and nobody has acknowledged (operator.md §7.2). */
export const unacknowledgedBreakGlass = attentionKind<UsedRow>({
  name: 'break-glass',
  title: 'changes without a second operator that another operator has to acknowledge',
  concerns: 'service',
  scope: 'installation',
  time: 'real',
  find: ({ limit }) => sql`
    select t.created_at as since, t.id, t.operation, t.made_by from break_glass_uses t
     where t.acknowledged_at is null order by t.created_at, t.id limit ${limit}`,
  present: ({ id, operation, made_by }) => ({
    subject: publicId('BreakGlass', id),
    why: `${made_by} did ${operation}; an operator acknowledges it by POST /console/api/break-glass/{id}/acknowledge`,
    commands: [`corridor audit list --resource ${publicId('BreakGlass', id)}`],
  }),
});
