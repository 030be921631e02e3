import { type AttentionKind, attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';

interface FailingRow {
  readonly kind: string;
  readonly job_key: string | null;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly due_at: Date;
}

/** Returns the command that shows the subject of a job, by the job's key; undefined: only the log shows it. */
export type ShowSubject = (kind: string, key: string, onPlatform: string) => string | undefined;

/** Jobs that have failed three times or more. A single failure is usually transient, and is retried within a second. */
export function failingJobs(
  { name, title, roles }: Pick<AttentionKind, 'name' | 'title' | 'roles'>,
  { kinds, isOnly, show }: { kinds: readonly string[]; isOnly: boolean; show?: ShowSubject },
): AttentionKind {
  return attentionKind<FailingRow>({
    name,
    title,
    concerns: 'service',
    roles,
    scope: 'platform',
    time: 'work',
    find: ({ limit, after }) => sql`
      select j.created_at as since, j.id::text as key, j.kind, j.key as job_key, j.attempts, j.last_error, j.due_at from jobs j
       where j.platform_id = p.id and j.attempts >= 3 and (j.kind = any(${kinds}::text[])) = ${isOnly}
         and ${after(sql`j.created_at`, sql`j.id::text`)}
       order by j.created_at, j.id::text limit ${limit}`,
    present({ kind, job_key: key, attempts, last_error, due_at }, { onPlatform }) {
      const again = `it is tried again at ${due_at.toISOString()}`;
      const command = key === null ? undefined : show?.(kind, key, onPlatform);
      return {
        subject: key === null ? kind : `${kind} ${key}`,
        why: `failed ${attempts} times (${last_error}); ${again}`,
        plainWhy: `failed ${attempts} times; ${again}`,
        commands: command === undefined ? [] : [command],
      };
    },
  });
}
