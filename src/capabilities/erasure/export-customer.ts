import {
  listPersonRows,
  loadPerson,
  type OpenedRow,
  type Person,
} from '#capabilities/erasure/person-rows.ts';
import {
  describeTables,
  ledgerNames,
  listPaymentsByOthers,
  type StoredRow,
  type TableSchema,
} from '#capabilities/erasure/person-rows-store.ts';
import type { PersonTable } from '#capabilities/erasure/person-table.ts';
import { PERSON_TABLES } from '#capabilities/erasure/person-tables.ts';
import type { Words } from '#capabilities/erasure/preview-erasure.ts';
import type { Private, TransactionDetails } from '#capabilities/payments/details.ts';
import { audit } from '#foundation/audit/audit.ts';
import { UNSEALED_BYTES } from '#foundation/database/sealed-columns.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { isNamedIn } from '#foundation/lib/erasure-traces.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import { peopleIn } from '#foundation/person-keys/people.ts';

/** A row as the export shows it. */
export type ExportedRow = Readonly<Record<string, unknown>>;

/** One file of the export. */
export interface ExportedPart {
  readonly part: string;
  /** Columns with secrets, which are not exported. */
  readonly withheld: readonly string[];
  rows(): AsyncIterable<ExportedRow>;
}

export interface CustomerExport {
  readonly customer: string;
  readonly parts: readonly ExportedPart[];
  /** The files of the exported documents, by the id of the document. */
  readonly files: readonly ExportedFile[];
}

export interface ExportedFile {
  readonly documentId: Id<'Document'>;
  readonly contentId: Id<'Content'>;
  readonly mediaType: string;
}

/**
 * Opens all data about a customer, table by table as the schema describes them, so that new tables and columns are
 * exported as well (customers.md §2.4.26i). The export is audited before any data is read. Secrets are left out, and so
 * is the content of shared rows about other customers.
 */
export async function openExport(
  work: Work,
  customerId: CustomerId,
  { words, reason }: { readonly words: Words; readonly reason: string },
): Promise<CustomerExport> {
  const customer = publicId('Customer', customerId);
  const person = await work.write(async (tx) => {
    const found = await loadPerson(tx, customerId);
    if (found.erasedAt !== null) {
      const at = found.erasedAt.toISOString();
      refuse('CONFLICT', `The customer was erased at ${at}; nothing personal is left to export.`);
    }
    audit(tx, { action: 'exportCustomer', resource: customer, details: { reason } });
    return found;
  });
  const schemas = await work.read(describeTables);
  const parts = Object.entries(PERSON_TABLES).flatMap(([table, declared]) => {
    const schema = schemas.get(table);
    // The content of files is exported as files.
    return schema && table !== 'contents' ? [exportTable(work, { schema, declared, person, words })] : [];
  });
  const byOthers = { part: 'payments by others', withheld: [], rows: () => listOthers(work, person) };
  const documents = schemas.get('documents');
  return {
    ...{ customer, parts: [...parts, byOthers] },
    files: documents ? await listFiles(work, documents, person) : [],
  };
}

interface Exported {
  readonly schema: TableSchema;
  readonly declared: PersonTable;
  readonly person: Person;
  readonly words: Words;
}

function exportTable(work: Work, exported: Exported): ExportedPart {
  const { schema, declared } = exported;
  const withheld = withheldColumns(exported);
  return {
    part: declared.part,
    withheld,
    async *rows() {
      for await (const opened of listPersonRows(reading(work), exported)) {
        const shown = presentRow(opened, exported, withheld);
        yield PRESENTERS[schema.table]?.(shown, exported.person) ?? shown;
      }
    },
  };
}

function reading(work: Work) {
  return <T>(steps: (tx: ReadTx) => Promise<T>): Promise<T> => work.read(steps);
}

/**
 * Lists the columns with secrets, and the columns of bytes or sealed values without a word: these may be secrets, too.
 */
function withheldColumns({ schema: { table, columns, sealed }, declared, words }: Exported): string[] {
  const { personal = [], freeText = [], neither = [], secret = [] } = words[table] ?? {};
  const known = new Set([...personal, ...freeText, ...neither].map((name) => name.split('.')[0]));
  const isBytes = (name: string, type: string) =>
    type === 'bytea' || sealed.some(({ column }) => column === name);
  return columns
    .filter(
      ({ name, type }) =>
        secret.includes(name) ||
        declared.withholds?.includes(name) ||
        (isBytes(name, type) && !known.has(name)),
    )
    .map(({ name }) => name);
}

function presentRow(
  { row, opened }: OpenedRow,
  { schema, declared, person }: Exported,
  withheld: readonly string[],
): ExportedRow {
  const shown: Record<string, unknown> = {};
  for (const { name } of schema.columns) {
    const value = row[name];
    if (value === null || name === 'platform_id' || withheld.includes(name)) continue;
    if (opened.has(name)) {
      const content = parseText(opened.get(name));
      shown[name] = declared.isShared ? partAbout(content, row, person) : content;
    } else if (!(value instanceof Uint8Array)) {
      shown[name] = value;
    } else if (!isHash(schema.table, name)) {
      shown[name] = Buffer.from(value).toString('base64url');
    }
  }
  if (declared.type && typeof shown.id === 'string') shown.id = publicId(declared.type, shown.id);
  return shown;
}

/**
 * Whether the column has bytes that say nothing to a person: a hash or a wrapped key, but not the public data of
 * a passkey.
 */
function isHash(table: string, column: string): boolean {
  return UNSEALED_BYTES.test(`${table}.${column}`) && !/(webauthn_id|cose_key)$/.test(column);
}

function parseText(text: string | undefined): unknown {
  if (text === undefined) return 'erased together with another customer';
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const REPEATED =
  'withheld: it repeats other parts of this export, and may contain a credential; deleted after a day';
const WITHHELD = 'withheld: it describes other customers as well';

/** Returns only the part of a shared row's content, such as a page of a list, that describes this customer. */
function partAbout(content: unknown, row: StoredRow, person: Person): unknown {
  // The event of an import lists the failed rows of a file.
  if (String(row.resource_id).startsWith('Job:')) return WITHHELD;
  if (isObject(content) && isObject(content.response ?? content.request)) {
    return Object.fromEntries(
      Object.entries(content).map(([name, value]) => [name, partAbout(value, {}, person)]),
    );
  }
  if (isObject(content) && Array.isArray(content.data)) {
    const names = { ids: new Set(person.ids), texts: person.texts };
    const own = content.data.filter((item) => {
      const text = JSON.stringify(item);
      return isNamedIn(text, names) && !describesOthers(text, person);
    });
    return { ...content, data: own };
  }
  return describesOthers(JSON.stringify(content), person) ? WITHHELD : content;
}

function describesOthers(text: string, { customerId }: Person): boolean {
  return peopleIn(text).some((id) => id !== customerId);
}

const PRESENTERS: Readonly<Record<string, (row: ExportedRow, person: Person) => ExportedRow>> = {
  /** The account and the references of another customer who is paid are data of that customer. */
  transactions(row, { customerId }) {
    const { details, private: facts } = row as { details: TransactionDetails; private?: Private | string };
    const { receiver, holder, depositAccount: _account, ...others } = details;
    const paid = [receiver?.customerId ?? customerId, holder ?? customerId];
    if (paid.every((id) => id === customerId)) return row;
    return { ...row, details: others, ...(isObject(facts) && { private: withoutReceiver(facts) }) };
  },
  /** The other lines of an entry belong to other accounts. */
  ledger_entries(
    { accounts, currencies, amounts, balances: _balances, account_nos: _numbers, ...row },
    person,
  ) {
    const names = new Set(ledgerNames(person));
    const lines = (accounts as readonly string[]).map((account, i) => ({
      account,
      currency: (currencies as readonly unknown[])[i],
      amount: (amounts as readonly unknown[])[i],
    }));
    return { ...row, lines: lines.filter(({ account }) => names.has(account)) };
  },
  /** A reply may contain the credential that its call created. */
  idempotency_keys({ reply, ...row }) {
    return { ...row, ...(reply !== undefined && { reply: REPEATED }) };
  },
  /** Names of operators and addresses of the platform's servers are not data of the customer. */
  audit_log({ actor_id: actor, remote_address: address, ...row }) {
    return {
      ...row,
      ...(row.actor_kind !== 'operator' && { actor_id: actor }),
      ...(row.actor_kind === 'page' && { remote_address: address }),
    };
  },
};

function withoutReceiver(facts: Private): Private {
  const { destination: _, receiverPlatformCustomerId: __, receiverCustomerInfo: ___, ...own } = facts;
  return own;
}

async function* listOthers(work: Work, { paidByOthers }: Person): AsyncGenerator<ExportedRow> {
  const rows = await work.read((tx) => listPaymentsByOthers(tx, paidByOthers));
  for (const row of rows) yield { ...row, id: publicId('Transaction', String(row.id)) };
}

async function listFiles(work: Work, schema: TableSchema, person: Person): Promise<ExportedFile[]> {
  const declared = PERSON_TABLES.documents as PersonTable;
  const files: ExportedFile[] = [];
  for await (const { row } of listPersonRows(reading(work), { schema, declared, person })) {
    if (row.content_id === null) continue;
    files.push({
      documentId: row.id as Id<'Document'>,
      contentId: row.content_id as Id<'Content'>,
      mediaType: String(row.media_type),
    });
  }
  return files;
}
