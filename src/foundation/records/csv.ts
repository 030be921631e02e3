import { stringify } from 'csv-stringify/sync';
import type { TSchema } from 'typebox';
import { isObject } from '#foundation/lib/is-object.ts';

/** A program that opens the file would take such a cell for a formula (operator.md §6.2). */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

export function csvCell(value: unknown): string {
  const text = cellText(value);
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(cellText).join(' ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}

type Described = TSchema & { readonly 'x-component'?: string };

/** The columns of a list: its fields, where an amount has one more for its currency. */
export function csvColumns(properties: Readonly<Record<string, TSchema>>): string[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    isAmount(schema) ? [name, `${name}Currency`] : [name],
  );
}

function isAmount(schema: TSchema): boolean {
  const { anyOf = [] } = schema as { anyOf?: Described[] };
  return [schema as Described, ...anyOf].some((one) => one['x-component'] === 'CurrencyAmount');
}

export function csvLine(columns: readonly string[]): string {
  return stringify([[...columns]], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** One row of a list, in the order of its columns. */
export function csvRow(properties: Readonly<Record<string, TSchema>>, row: Record<string, unknown>): string {
  const cells = Object.entries(properties).flatMap(([name, schema]) => {
    const value = row[name];
    if (!isAmount(schema)) return [csvCell(value)];
    const { amount, currency } = (isObject(value) ? value : {}) as {
      amount?: number;
      currency?: { code?: string };
    };
    return [csvCell(amount), csvCell(currency?.code)];
  });
  return csvLine(cells);
}
