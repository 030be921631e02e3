import type { RequestLogSummary } from '@corridor/client';

const KEYS: Readonly<Record<RequestLogSummary['idempotency'], string>> = {
  NONE: '–',
  NEW: 'New',
  REPLAYED: 'Replayed',
  CONFLICT: 'Conflict',
};

const KEY_SENTENCES: Readonly<Record<RequestLogSummary['idempotency'], string>> = {
  NONE: 'None',
  NEW: 'New: the call was carried out',
  REPLAYED: 'Replayed: the first reply was returned again, and nothing was done',
  CONFLICT: 'Conflict: the key belongs to another call, so nothing was done',
};

export function sayKey(verdict: RequestLogSummary['idempotency']): string {
  return KEYS[verdict];
}

export function explainKey({ idempotency, status }: RequestLogSummary): string {
  if (idempotency === 'NEW' && status >= 400)
    return 'New: the call was refused, so the key can be used again';
  return KEY_SENTENCES[idempotency];
}

/** Stands in the log for a value that it does not keep. */
export const HIDDEN = '…';

/** How many values of a stored body are missing. */
export function countHidden(value: unknown): number {
  if (value === HIDDEN) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + countHidden(part), 0);
}

const IDS = /[A-Z][A-Za-z]+:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The ids in a path and in bodies, each once, those of the path first. */
export function idsIn(...parts: unknown[]): string[] {
  return [...new Set(parts.flatMap((part) => JSON.stringify(part ?? '').match(IDS) ?? []))];
}
