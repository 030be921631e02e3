import type { FilterField } from '../../ui/filters.tsx';

export const AT: FilterField = {
  name: 'at',
  label: 'As of (UTC)',
  kind: 'text',
  placeholder: '2026-03-02 10:00',
};

/** `2026-03-02` as the end of that day, `2026-03-02 10:00` as that minute; undefined: now. */
export function momentOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T23:59:59.999Z`;
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** An address of the ledger with these filters. */
export function ledgerAddress(page: string, filters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/console/operator/ledger${page}?${new URLSearchParams(given)}`;
}
