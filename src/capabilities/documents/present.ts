import type { Document, DocumentHolderId } from '#capabilities/documents/schemas.ts';
import type { DocumentRow } from '#capabilities/documents/store.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { describing } from '#foundation/person-keys/people.ts';

export function presentDocument(vault: Vault, row: DocumentRow): Document {
  const { side, issuing_authority: issuingAuthority } = row;
  const documentNumber = openDocumentNumber(vault, row);
  const shown: Document = {
    id: publicId('Document', row.id),
    documentHolder: documentHolderOf(row),
    documentType: row.document_type,
    ...(side !== null && { side }),
    country: row.country,
    ...(documentNumber !== undefined && { documentNumber }),
    ...(issuingAuthority !== null && { issuingAuthority }),
    fileName: row.file_name,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
  // Marked with the customer, because the holder that the reply names may be an owner.
  return describing(shown, [row.customer_id]);
}

export function documentHolderOf({ owner_id, customer_id }: DocumentRow): DocumentHolderId {
  return owner_id === null ? publicId('Customer', customer_id) : publicId('BeneficialOwner', owner_id);
}

export function openDocumentNumber(vault: Vault, row: DocumentRow): string | undefined {
  const { document_number: sealed } = row;
  return sealed === null ? undefined : vault.openText(sealed, numberContext(row.id));
}

/** The sealed number can be opened for this document only. */
export function numberContext(documentId: Id<'Document'>): string {
  return `documents.document_number:${documentId}`;
}
