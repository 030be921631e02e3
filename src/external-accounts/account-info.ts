import type { Beneficiary } from '#external-accounts/beneficiary-schemas.ts';

/** `accountInfo`: which fields it has beside these, the row of its type in account-table.ts says. */
export interface AccountInfo {
  readonly accountType: string;
  readonly beneficiary?: Beneficiary;
  readonly vaspName?: string;
  readonly [field: string]: unknown;
}

/** A field's text; undefined where it is missing or something else. */
export function textOf(info: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = Object.hasOwn(info, field) ? info[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function has(info: Readonly<Record<string, unknown>>, field: string): boolean {
  return Object.hasOwn(info, field) && info[field] !== undefined;
}
