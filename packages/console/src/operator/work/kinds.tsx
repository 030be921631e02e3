import type { WorkKind } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { type Read, useQuery } from '../../api/query.ts';
import type { FilterField, FilterValues } from '../../ui/filters.tsx';

const AGAIN_MS = 10_000;

export type Kinds = Read<{ readonly kinds: readonly WorkKind[] }>;

/** Where to look: a platform, or all of an environment. */
export const SCOPE: readonly FilterField[] = [
  {
    name: 'environment',
    label: 'Environment',
    kind: 'select',
    options: ['PRODUCTION', 'SANDBOX'],
    words: { '': 'Production, if there is any' },
  },
  { name: 'platform', label: 'Platform', kind: 'platform' },
];

export function scopeOf({ values }: FilterValues): Record<string, string> {
  const { environment, platform } = values;
  return { ...(environment !== undefined && { environment }), ...(platform !== undefined && { platform }) };
}

/** What waits for the operator's roles, by kind, and again every ten seconds. */
export function useWork(scope: Readonly<Record<string, string>>): Kinds {
  return useQuery(['listWork', scope], () => operator.listWork(scope as never), { everyMs: AGAIN_MS });
}

/** `reviews waiting` as a heading. */
export function sayKind({ title }: WorkKind): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

export function sayCount({ count, isCapped }: WorkKind): string {
  return `${count.toLocaleString('en')}${isCapped ? '+' : ''}`;
}
