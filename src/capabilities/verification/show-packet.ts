import type { Readable } from 'node:stream';
import { loadOwners } from '#capabilities/customers/present-owner.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { customerNotFound, findLiveCustomer } from '#capabilities/customers/store.ts';
import { documentHolderOf, openDocumentNumber } from '#capabilities/documents/present.ts';
import { type DocumentRow, findDocument, listCustomerDocuments } from '#capabilities/documents/store.ts';
import { presentVerification } from '#capabilities/verification/present.ts';
import { listNewestVerifications } from '#capabilities/verification/store.ts';
import { findPacketErrors } from '#capabilities/verification/submit-customer.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { readContent } from '#foundation/uploads/contents.ts';

const VERIFICATIONS_SHOWN = 5;

/**
 * Shows all data for a decision, with identification numbers in clear text, so the caller records who looks
 * (customers.md §4.4.10a).
 */
export async function showPacket(tx: ReadTx, customerId: CustomerId) {
  const customer = await findLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  const { identifier } = openProfile(tx.vault, customer).person;
  const owners = await loadOwners(tx, [customerId]);
  const documents = await listCustomerDocuments(tx, customerId);
  const verifications = await listNewestVerifications(tx, customerId, VERIFICATIONS_SHOWN);
  return {
    customer: { ...(await presentCustomer(tx, customer)), ...(identifier !== undefined && { identifier }) },
    verifications: verifications.map(presentVerification),
    problemsFoundByUs: await findPacketErrors(tx, customer),
    beneficialOwners: owners.get(customerId) ?? [],
    documents: documents.map((row) => presentFile(tx, row)),
  };
}

/** Opens a document's file for an operator. The caller records who looks; no operation of platforms returns it. */
export async function openDocument(
  tx: ReadTx,
  documentId: Id<'Document'>,
): Promise<{ file: FileReply; customerId: CustomerId; content: Readable }> {
  const row = await findDocument(tx, documentId);
  if (!row) throw notFound('NOT_FOUND', 'Document');
  const file = presentFile(tx, row);
  return { file, customerId: row.customer_id, content: await readContent(tx, row.content_id) };
}

type FileReply = ReturnType<typeof presentFile>;

function presentFile(tx: ReadTx, row: DocumentRow) {
  return {
    id: publicId('Document', row.id),
    documentHolder: documentHolderOf(row),
    documentType: row.document_type,
    side: row.side ?? undefined,
    country: row.country,
    documentNumber: openDocumentNumber(tx.vault, row),
    issuingAuthority: row.issuing_authority ?? undefined,
    fileName: row.file_name,
    mediaType: row.media_type,
    uploadedAt: row.updated_at.toISOString(),
  };
}
