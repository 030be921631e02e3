import { isPresentedAmount, showPresented, withAmounts } from '#cli/amounts.ts';
import type { PresentedAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';

/** A value that can be printed. An amount is itself in JSON, and `750.00 USD` for people. */
export type Cell = string | number | bigint | boolean | Date | PresentedAmount | null | undefined;

/** Prints rows as a table with a heading, or one JSON document. */
export function printRows(
  rows: readonly Readonly<Record<string, Cell>>[],
  { json, none }: { json: boolean; none: string },
): void {
  if (json) printJson(rows);
  else if (rows.length === 0) printLine(none);
  else printTable(rows);
}

function printTable(rows: readonly Readonly<Record<string, Cell>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const table = [
    names.map(heading),
    ...rows.map((row) => names.map((name) => escapeControls(oneLine(row[name])))),
  ];
  const widths = names.map((_name, i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)));
  for (const cells of table) {
    printLine(
      cells
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Prints one object as names and values, nested ones indented, or as JSON. */
export function printObject(thing: Readonly<Record<string, unknown>>, { json }: { json: boolean }): void {
  if (json) printJson(thing);
  else for (const line of outline(thing, '')) printLine(line);
}

/** The same for a resource of the API. Its amounts, with or without their currency, are printed as `750.00 USD`. */
export function printResource(
  resource: Readonly<Record<string, unknown>>,
  { json }: { json: boolean },
): void {
  printObject(json ? resource : (withAmounts(resource) as Record<string, unknown>), { json });
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? item.toString() : item), 2));
}

export function printLine(line: string): void {
  process.stdout.write(`${escapeControls(line)}\n`);
}

/** Name, environment and id. */
export function describePlatform({
  id,
  name,
  environment,
}: Pick<Platform, 'id' | 'name' | 'environment'>): string {
  return `${name} (${environment.toLowerCase()}, ${publicId('Platform', id)})`;
}

/** Goes to standard error, so that standard output stays readable for programs. */
export function reportProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Printed text may come from outside: control characters, which could steer the terminal, and characters that change
 * the direction of text are escaped as in JSON. New lines stay.
 */
export function escapeControls(line: string): string {
  return line.replace(/(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** For a cell: a new line in it could imitate a row of the table. */
function oneLine(value: Cell | Record<string, unknown>): string {
  return text(value).replaceAll('\n', '\\n');
}

function outline(thing: Readonly<Record<string, unknown>>, indent: string): string[] {
  const present = Object.entries(thing).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present.flatMap(([name, value]) => {
    if (isObject(value)) return [`${indent}${name}`, ...outline(value, `${indent}  `)];
    const lines = Array.isArray(value)
      ? value.map(outlineItem)
      : text(value as Cell)
          .trimEnd()
          .split('\n');
    const [first = '–', ...more] = lines;
    const margin = ' '.repeat(indent.length + width + 2);
    return [`${indent}${name.padEnd(width)}  ${first}`, ...more.map((line) => margin + line)];
  });
}

function outlineItem(item: unknown): string {
  return isObject(item)
    ? Object.values(item)
        .map((value) => oneLine(value as Cell))
        .join('  ')
    : oneLine(item as Cell);
}

/** Whether a value has names and values of its own to print. */
function isObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return !(value instanceof Date) && !isPresentedAmount(value);
}

function text(value: Cell | Record<string, unknown>): string {
  if (value === undefined || value === null) return '–';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && isPresentedAmount(value)) return showPresented(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `createdAt` → `CREATED AT` */
function heading(name: string): string {
  return name.replace(/([A-Z])/g, ' $1').toUpperCase();
}
