import { type AttentionKind, attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';

interface FailingRow {
  readonly kind: string;
  readonly key: string | null;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly due_at: Date;
}

/** Returns the command that shows the subject of a job, by the job's key; undefined: only the log shows it. */
export type ShowSubject = (kind: string, key: string, onPlatform: string) => string | undefined;

/** Jobs that have failed three times or more. A single failure is usually transient, and is retried within a second. */
export function failingJobs(
  { name, title }: Pick<AttentionKind, 'name' | 'title'>,
  { kinds, isOnly, show }: { kinds: readonly string[]; isOnly: boolean; show?: ShowSubject },
): AttentionKind {
  return attentionKind<FailingRow>({
    name,
    title,
    concerns: 'service',
    scope: 'platform',
    time: 'work',
    find: ({ limit }) => sql`
      select j.created_at as since, j.kind, j.key, j.attempts, j.last_error, j.due_at from jobs j
       where j.platform_id = p.id and j.attempts >= 3 and (j.kind = any(${kinds}::text[])) = ${isOnly}
       order by j.created_at limit ${limit}`,
    present({ kind, key, attempts, last_error, due_at }, { onPlatform }) {
      const command = key === null ? undefined : show?.(kind, key, onPlatform);
      return {
        subject: key === null ? kind : `${kind} ${key}`,
        why: `failed ${attempts} times (${last_error}); it is tried again at ${due_at.toISOString()}`,
        commands: command === undefined ? [] : [command],
      };
    },
  });
}
