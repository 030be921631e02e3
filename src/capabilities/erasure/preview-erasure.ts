import { retentionEnd } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { listPersonRows, loadPerson, type Person } from '#capabilities/erasure/person-rows.ts';
import {
  belongsTo,
  countRows,
  describeTables,
  type TableSchema,
} from '#capabilities/erasure/person-rows-store.ts';
import { GROUNDS, type PersonTable } from '#capabilities/erasure/person-table.ts';
import { PERSON_TABLES } from '#capabilities/erasure/person-tables.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The words about personal data, by table (src/app/personal-data.ts). */
export type Words = Readonly<
  Record<string, { readonly [Word in 'personal' | 'secret' | 'freeText' | 'neither']?: readonly string[] }>
>;

/** The values of one table that an erasure would remove, and those that it would leave. */
export interface PreviewedPart {
  readonly part: string;
  readonly rows: number;
  /** `all`, or the names of the values that would be removed; empty if none would be. */
  readonly goes: string;
  readonly stays: string;
  readonly ground: string;
}

export interface Preview {
  readonly customer: string;
  readonly deletedAt: string | null;
  readonly erasedAt: string | null;
  /** The moment from which the customer can be erased; null if it is not deleted yet. */
  readonly erasableFrom: string | null;
  readonly parts: readonly PreviewedPart[];
}

/**
 * Lists the values that an erasure would remove and those that it would leave, with numbers of rows
 * (customers.md §2.4.26h).
 */
export async function previewErasure(
  work: Work,
  customerId: CustomerId,
  { words, retentionYears }: { readonly words: Words; readonly retentionYears: number },
): Promise<Preview> {
  const customer = publicId('Customer', customerId);
  const person = await work.write(async (tx) => {
    audit(tx, { action: 'previewErasure', resource: customer });
    return loadPerson(tx, customerId);
  });
  const schemas = await work.read(describeTables);
  const parts: PreviewedPart[] = [];
  for (const [table, declared] of Object.entries(PERSON_TABLES)) {
    const schema = schemas.get(table);
    if (!schema) continue;
    const rows = await count(work, { schema, declared, person });
    if (rows > 0) parts.push(describePart(declared, rows, goingValues(schema, declared, words)));
  }
  const { deletedAt, erasedAt } = person;
  return {
    ...{ customer, deletedAt: deletedAt?.toISOString() ?? null, erasedAt: erasedAt?.toISOString() ?? null },
    erasableFrom: deletedAt && retentionEnd(deletedAt, retentionYears).toISOString(),
    parts,
  };
}

interface Counted {
  readonly schema: TableSchema;
  readonly declared: PersonTable;
  readonly person: Person;
}

async function count(work: Work, counted: Counted): Promise<number> {
  const { schema, declared, person } = counted;
  if (typeof declared.ways !== 'string') {
    return work.read((tx) => countRows(tx, schema, belongsTo(schema.table, tx.platformId, person)));
  }
  const read = <T>(steps: (tx: ReadTx) => Promise<T>) => work.read(steps);
  let rows = 0;
  for await (const _row of listPersonRows(read, counted)) rows++;
  return rows;
}

/**
 * Lists the columns, or members of JSON, that an erasure empties: those whose word says that they may describe
 * a person.
 */
export function goingValues({ table, columns }: TableSchema, declared: PersonTable, words: Words): string[] {
  const { personal = [], secret = [], freeText = [] } = words[table] ?? {};
  const going = [...personal, ...secret, ...freeText].map((name) => name.replace(/\.\*$/, ''));
  return going.filter((name) => {
    const [column = ''] = name.split('.');
    return columns.some((one) => one.name === column) && !declared.keeps?.includes(column);
  });
}

function describePart(
  { part, erasure, stays }: PersonTable,
  rows: number,
  going: readonly string[],
): PreviewedPart {
  const [what = '', ground] = stays ?? [];
  const named = going.map((name) => name.replaceAll(/[_.]/g, ' ')).join(', ');
  return {
    ...{ part, rows, goes: { deleted: 'all', emptied: named, kept: '' }[erasure] },
    ...{ stays: what, ground: ground ? GROUNDS[ground] : '' },
  };
}
