import type { Upload } from '#foundation/uploads/uploads.ts';

/** Posted texts by field name; a name may be repeated. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** One document of a form: its description, and its file if one was chosen. */
export interface DocumentBlock {
  readonly values: Values;
  readonly file: Upload | undefined;
}

/** The part of a form about the customer, or about one owner; field names are relative to it. */
export interface Block {
  readonly values: Values;
  readonly documents: readonly DocumentBlock[];
}

export interface PostedForm extends Block {
  readonly owners: readonly Block[];
}

/** Maximum number of people on one page: each adds about fifty kilobytes to the page and forty parts to the form. */
export const PEOPLE_MAX = 30;

export function firstValue(values: Values | undefined, name: string): string {
  return values?.get(name)?.find((text) => text !== '') ?? '';
}

/** Counts the people of a form, including blank ones. */
export function countOwners(names: readonly string[]): number {
  return indexes(names, 'owners.').length;
}

/** Groups posted fields and files into blocks by their names (customers.md §6.8). */
export function parseBlocks(fields: Values, files: ReadonlyMap<string, Upload>): PostedForm {
  return { ...buildBlock(fields, files, ''), owners: owners(fields, files) };
}

function owners(fields: Values, files: ReadonlyMap<string, Upload>): Block[] {
  return indexes([...fields.keys(), ...files.keys()], 'owners.').map((index) =>
    buildBlock(fields, files, `owners.${index}.`),
  );
}

function buildBlock(fields: Values, files: ReadonlyMap<string, Upload>, prefix: string): Block {
  const own = fieldsUnder(fields, prefix);
  const values = new Map([...own].filter(([name]) => !/^(owners|documents)\./.test(name)));
  const documents = `${prefix}documents.`;
  return {
    values,
    documents: indexes([...fields.keys(), ...files.keys()], documents).map((index) => ({
      values: fieldsUnder(fields, `${documents}${index}.`),
      file: files.get(`${documents}${index}.file`),
    })),
  };
}

function fieldsUnder(fields: Values, prefix: string): Values {
  return new Map(
    [...fields].flatMap(([name, texts]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), texts] as const] : [],
    ),
  );
}

/** Returns the numbers that follow a prefix, sorted; there may be gaps. */
function indexes(names: readonly string[], prefix: string): number[] {
  const found = new Set<number>();
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const [, digits] = /^(\d{1,3})\./.exec(name.slice(prefix.length)) ?? [];
    if (digits !== undefined) found.add(Number(digits));
  }
  return [...found].sort((a, b) => a - b);
}
