import { customerNotFound, findCustomer } from '#capabilities/customers/store.ts';
import { loadTraces } from '#capabilities/erasure/erase-traces.ts';
import {
  belongsTo,
  describeTables,
  listIds,
  listRows,
  type NamedPerson,
  ofPlatform,
  type StoredRow,
  type TableSchema,
} from '#capabilities/erasure/person-rows-store.ts';
import type { PersonTable, Search, Ways } from '#capabilities/erasure/person-table.ts';
import { PERSON_TABLES } from '#capabilities/erasure/person-tables.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sealContext } from '#foundation/database/sealed-columns.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { isNamedIn } from '#foundation/lib/erasure-traces.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** A customer, and all ids and texts by which rows, replies and logs name the customer. */
export interface Person extends NamedPerson {
  readonly deletedAt: Date | null;
  readonly erasedAt: Date | null;
  /** The platform's reference. */
  readonly reference: string;
  /** Contacts and codes of invitations. */
  readonly texts: readonly string[];
  /** Bare ids of payments by others to the customer. */
  readonly paidByOthers: readonly string[];
}

/** A row with its sealed values opened; undefined for a value that names an erased person. */
export interface OpenedRow {
  readonly row: StoredRow;
  readonly opened: ReadonlyMap<string, string | undefined>;
}

/** Finds all ids and texts by which rows name a customer, from the tables of `PERSON_TABLES`. */
export async function loadPerson(tx: ReadTx, customerId: CustomerId): Promise<Person> {
  const customer = await findCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  const traces = await loadTraces(tx, customer);
  const paid = new Set([...traces.paidByOthers].map((id) => id.slice(id.indexOf(':') + 1)));
  const own = { customerId, resources: [...traces.resources], ids: [...traces.ids] };
  const more = await listResources(tx, own);
  return {
    customerId,
    ...{ deletedAt: customer.deleted_at, erasedAt: customer.erased_at },
    reference: customer.platform_customer_id,
    texts: traces.texts,
    paidByOthers: [...paid],
    resources: [...new Set([...own.resources, ...more.map(({ type, id }) => publicId(type, id))])],
    ids: [...new Set([...own.ids, ...more.map(({ id }) => id)])].filter((id) => !paid.has(id)),
  };
}

/**
 * Lists the resources in tables whose columns lead to the customer. Other tables refer to these resources by their ids.
 */
async function listResources(tx: ReadTx, person: NamedPerson) {
  const tables = await describeTables(tx);
  const found = [];
  for (const [name, { type, ways }] of Object.entries(PERSON_TABLES)) {
    const schema = tables.get(name);
    if (!schema || type === undefined || !isStructural(ways)) continue;
    const ids = await listIds(tx, schema, belongsTo(name, tx.platformId, person));
    found.push(...ids.map((id) => ({ type, id })));
  }
  return found;
}

function isStructural(ways: Ways | Search): ways is Ways {
  return typeof ways !== 'string' && !Object.values(ways).some((way) => /^@(?!customer)/.test(way));
}

const PAGE = 500;

/** Lists a customer's rows of one table, opened, a page at a time. */
export async function* listPersonRows(
  read: <T>(steps: (tx: ReadTx) => Promise<T>) => Promise<T>,
  { schema, declared, person }: { schema: TableSchema; declared: PersonTable; person: Person },
): AsyncGenerator<OpenedRow> {
  let after: readonly string[] | undefined;
  do {
    const page = await read(async (tx) => {
      const isSearched = typeof declared.ways === 'string';
      const isWanted = isSearched
        ? ofPlatform(tx.platformId)
        : belongsTo(schema.table, tx.platformId, person);
      const { rows, next } = await listRows(tx, schema, isWanted, { after, limit: PAGE });
      const opened = await openRows(tx, schema, rows);
      return { rows: isSearched ? opened.filter((row) => isAbout(row, declared, person)) : opened, next };
    });
    yield* page.rows;
    after = page.next;
  } while (after);
}

async function openRows(
  tx: ReadTx,
  { sealed }: TableSchema,
  rows: readonly StoredRow[],
): Promise<OpenedRow[]> {
  const values = rows.flatMap((row) => sealed.map(({ column }) => row[column] as Buffer | null));
  await tx.runtime.personKeys.loadFor(values);
  return rows.map((row) => {
    const present = sealed.filter(({ column }) => row[column] !== null);
    const opened = present.map((column): [string, string | undefined] => [
      column.column,
      tx.vault.openKept(row[column.column] as Buffer, sealContext(column, row)),
    ]);
    return { row, opened: new Map(opened) };
  });
}

/** Whether a row of a searched table describes the customer. */
function isAbout({ row, opened }: OpenedRow, { ways }: PersonTable, person: Person): boolean {
  if (ways === 'reference') {
    const values = [...Object.values(row), ...opened.values()];
    return values.includes(person.reference);
  }
  const names = { ids: new Set([...person.ids, ...person.paidByOthers]), texts: person.texts };
  const isSealedFor = [...opened.keys()].some((column) =>
    readReferences(row[column] as Buffer).some((one) => one.person === person.customerId),
  );
  return isSealedFor || isNamedIn([row.scope, ...opened.values()].join(' '), names);
}
