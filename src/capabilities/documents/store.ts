import type { Document } from '#capabilities/documents/schemas.ts';
import { violates } from '#foundation/database/failures.ts';
import { requireRow } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { KeysetQuery } from '#foundation/http/paging.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** One row of `documents`. The document's number is sealed; present.ts opens it. */
export interface DocumentRow {
  id: Id<'Document'>;
  customer_id: CustomerId;
  owner_id: Id<'BeneficialOwner'> | null;
  document_type: Document['documentType'];
  side: 'FRONT' | 'BACK' | null;
  country: string;
  document_number: Buffer | null;
  issuing_authority: string | null;
  file_name: string;
  media_type: string;
  content_id: Id<'Content'>;
  verification_id: Id<'Verification'> | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * A document as it is stored: its authority and the name of its file are sealed for the customer or, in a row of an
 * earlier version that no job has sealed yet, in clear text.
 */
export type StoredDocument = Omit<DocumentRow, 'file_name'> & {
  readonly file_name: string | null;
  readonly details: Buffer | null;
};

interface SealedDetails {
  readonly issuingAuthority: string | null;
  readonly fileName: string;
}

export type DocumentValues = Omit<
  DocumentRow,
  'id' | 'customer_id' | 'owner_id' | 'verification_id' | 'created_at' | 'updated_at'
>;

const COLUMNS: Sql = sql`t.id, t.customer_id, t.owner_id, t.document_type, t.side, t.country, t.document_number,
  t.issuing_authority, t.file_name, t.details, t.media_type, t.content_id, t.verification_id, t.created_at, t.updated_at`;

/** Documents of a deleted customer are not found, like the customer itself. */
export async function findDocument(tx: ReadTx, id: Id<'Document'>): Promise<DocumentRow | undefined> {
  const rows = await tx.sql<StoredDocument>`
    select ${COLUMNS} from documents t
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null`;
  return (await openDocuments(tx, rows))[0];
}

/** Lock the customer's row first: parent before child. */
export async function lockDocument(tx: Tx, id: Id<'Document'>): Promise<DocumentRow | undefined> {
  const rows = await tx.sql<StoredDocument>`
    select ${COLUMNS} from documents t
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null
       for update`;
  return (await openDocuments(tx, rows))[0];
}

/** Lists all documents of a customer's packet, including its owners', in the order of upload. */
export async function listCustomerDocuments(tx: ReadTx, customerId: CustomerId): Promise<DocumentRow[]> {
  const rows = await tx.sql<StoredDocument>`
    select ${COLUMNS} from documents t
     where t.platform_id = ${tx.platformId} and t.customer_id = ${customerId}
     order by t.created_at, t.id`;
  return openDocuments(tx, rows);
}

/** Opens the documents of one read. The keys of several people are fetched in one trip. */
export async function openDocuments(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly StoredDocument[],
): Promise<DocumentRow[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ details }) => details));
  return rows.map(({ details, ...row }) => {
    // A constraint keeps both forms apart: a row that is not sealed is in clear text.
    if (details === null) return row as DocumentRow;
    const opened = JSON.parse(vault.openText(details, contextOf(row.id))) as SealedDetails;
    return { ...row, issuing_authority: opened.issuingAuthority, file_name: opened.fileName };
  });
}

function sealDetails(
  { vault }: Tx,
  id: Id<'Document'>,
  customerId: CustomerId,
  values: DocumentValues,
): Buffer {
  const { issuing_authority: issuingAuthority, file_name: fileName } = values;
  const details: SealedDetails = { issuingAuthority, fileName };
  return vault.sealFor([customerId], JSON.stringify(details), contextOf(id));
}

function contextOf(id: Id<'Document'>): string {
  return `documents.details:${id}`;
}

/** `holder`: a public id, or the bare UUID of either kind. */
export function documentPage(tx: ReadTx, holder: string | undefined): KeysetQuery {
  const where = [sql`t.platform_id = ${tx.platformId}`, sql`t.withdrawn_at is null`];
  if (holder !== undefined) {
    const [uuid = '', type] = holder.split(':').reverse();
    where.push(sql`t.holder_id = ${uuid}`);
    if (type !== undefined)
      where.push(type === 'Customer' ? sql`t.owner_id is null` : sql`t.owner_id is not null`);
  }
  return { columns: COLUMNS, from: sql`documents t`, where };
}

export async function insertDocument(
  tx: Tx,
  id: Id<'Document'>,
  holder: { readonly customerId: CustomerId; readonly ownerId: Id<'BeneficialOwner'> | undefined },
  values: DocumentValues,
): Promise<DocumentRow> {
  const details = sealDetails(tx, id, holder.customerId, values);
  const rows = await tx.sql<StoredDocument>`
    insert into documents as t (platform_id, id, customer_id, owner_id, document_type, side, country,
      document_number, details, media_type, content_id, created_at, updated_at)
    values (${tx.platformId}, ${id}, ${holder.customerId}, ${holder.ownerId ?? null}, ${values.document_type},
      ${values.side}, ${values.country}, ${values.document_number}, ${details}, ${values.media_type},
      ${values.content_id}, ${tx.now}, ${tx.now})
    returning ${COLUMNS}`.catch(translateConflict);
  return requireRow(await openDocuments(tx, rows));
}

export async function updateDocument(
  tx: Tx,
  { id, customer_id }: Pick<DocumentRow, 'id' | 'customer_id'>,
  values: DocumentValues,
): Promise<DocumentRow> {
  const details = sealDetails(tx, id, customer_id, values);
  const rows = await tx.sql<StoredDocument>`
    update documents t
       set document_type = ${values.document_type}, side = ${values.side}, country = ${values.country},
           document_number = ${values.document_number}, details = ${details}, issuing_authority = null,
           file_name = null, media_type = ${values.media_type}, content_id = ${values.content_id},
           updated_at = ${tx.now}
     where t.platform_id = ${tx.platformId} and t.id = ${id}
    returning ${COLUMNS}`.catch(translateConflict);
  return requireRow(await openDocuments(tx, rows));
}

export async function deleteRow(tx: Tx, id: Id<'Document'>): Promise<void> {
  await tx.sql`delete from documents where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Locks the documents against changes while the verification is open (customers.md §5.7). */
export async function attachDocuments(
  tx: Tx,
  customerId: CustomerId,
  verificationId: Id<'Verification'>,
): Promise<void> {
  await tx.sql`
    update documents set verification_id = ${verificationId}
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
       and verification_id is distinct from ${verificationId}`;
}

/** Called when the verification has ended, or something must be corrected. */
export async function detachDocuments(tx: Tx, verificationId: Id<'Verification'>): Promise<void> {
  await tx.sql`
    update documents set verification_id = null
     where platform_id = ${tx.platformId} and verification_id = ${verificationId}`;
}

/** Called when the customer is deleted. */
export async function withdrawDocuments(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update documents set withdrawn_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and withdrawn_at is null`;
}

/** Called when the customer is erased. Returns the ids of the files, which the caller must discard. */
export async function deleteCustomerDocuments(tx: Tx, customerId: CustomerId): Promise<Id<'Content'>[]> {
  const rows = await tx.sql<{ content_id: Id<'Content'> }>`
    delete from documents where platform_id = ${tx.platformId} and customer_id = ${customerId}
    returning content_id`;
  return rows.map((row) => row.content_id);
}

function translateConflict(error: unknown): never {
  if (violates(error, 'documents_front') || violates(error, 'documents_back')) {
    throw new Refusal(
      'DOCUMENT_ALREADY_EXISTS',
      'The holder already has a document of this type and side. Replace it with PUT.',
    );
  }
  throw error;
}
