import type { TSchema } from 'typebox';
import type { CheckedBody } from '#capabilities/customers/lifecycle/create-customer.ts';
import { findOwner } from '#capabilities/customers/owner-store.ts';
import { fieldsRefusal, withoutInvalidFields } from '#capabilities/customers/profile/check-request.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { numberContext } from '#capabilities/documents/present.ts';
import {
  checkDocumentFields,
  checkFile,
  type HolderKind,
  isSuitable,
  mediaTypeOf,
} from '#capabilities/documents/rules.ts';
import type {
  DocumentHolderId,
  DocumentReplaceRequest,
  DocumentUploadRequest,
} from '#capabilities/documents/schemas.ts';
import type { DocumentRow, DocumentValues } from '#capabilities/documents/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';
import type { DocumentFault, DocumentOffer } from '#foundation/ports/identity.ts';
import type { Upload } from '#foundation/uploads/uploads.ts';

export interface DocumentInput<Fields extends DocumentReplaceRequest = DocumentReplaceRequest> {
  readonly fields: Fields;
  readonly upload: Upload;
}

/** Names all invalid fields and an invalid file in one refusal (customers.md §5.1, §5.2). */
export function readDocumentInput<Fields extends DocumentUploadRequest | DocumentReplaceRequest>(
  tx: ReadTx,
  schema: TSchema,
  { body, problems, file }: CheckedBody<Fields> & { readonly file: Upload | undefined },
): DocumentInput<Fields> {
  const fields = withoutInvalidFields(body, problems);
  const found = checkDocumentFields(fields);
  if (file) found.push(...checkFile(file, tx.ports.identity.checksLeadingBytes));
  const refusal = fieldsRefusal(schema, problems, found);
  if (refusal) throw refusal;
  return { fields, upload: file as Upload };
}

/** Refuses a type of document that this kind of holder cannot have (customers.md §5.4). */
export function requireSuitable({ fields }: DocumentInput, holder: HolderKind): void {
  if (isSuitable(fields.documentType, holder)) return;
  const whose = holder === 'BUSINESS' ? 'a business' : 'a person';
  throw new Refusal('UNSUITABLE_DOCUMENT', `${fields.documentType} cannot be the document of ${whose}.`);
}

const FAULT_TEXTS: Readonly<Record<DocumentFault, string>> = {
  LOW_QUALITY: 'The document cannot be read well enough.',
  DATA_MISMATCH: 'The document does not match its holder’s details.',
  EXPIRED: 'The document has expired.',
  SUSPECTED_FRAUD: 'The document does not look genuine.',
  UNSUITABLE_DOCUMENT: 'The document is not accepted for this holder or country.',
  INCOMPLETE: 'A side or page of the document is missing.',
};

/** Lets the provider check the document before it is stored (customers.md §5.5), outside any transaction. */
export async function precheck(work: Work, holder: DocumentHolderId, input: DocumentInput): Promise<void> {
  const { fields, upload } = input;
  const offer: DocumentOffer = {
    documentHolder: holder,
    documentType: fields.documentType,
    side: fields.side,
    country: fields.country,
    fileName: upload.fileName,
    mediaType: mediaType(upload),
    content: upload.read,
  };
  const fault = await work.read((tx) => tx.ports.identity.precheck(offer));
  if (fault) throw new Refusal(fault, FAULT_TEXTS[fault]);
}

/** Builds the row's values. The document's number is sealed for this row and its customer. */
export function documentValues(
  tx: ReadTx,
  { id, customer_id }: Pick<DocumentRow, 'id' | 'customer_id'>,
  { fields, upload }: DocumentInput,
): DocumentValues {
  const { documentNumber } = fields;
  const seal = (text: string) => tx.vault.sealFor([customer_id], text, numberContext(id));
  return {
    document_type: fields.documentType,
    side: fields.side ?? null,
    country: fields.country,
    document_number: documentNumber === undefined ? null : seal(documentNumber),
    issuing_authority: fields.issuingAuthority ?? null,
    file_name: upload.fileName === '' ? `document.${EXTENSIONS[mediaType(upload)]}` : upload.fileName,
    media_type: mediaType(upload),
    content_id: upload.contentId,
  };
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

function mediaType(upload: Upload): string {
  return mediaTypeOf(upload) ?? upload.mediaType;
}

/** The document's holder, and the customer whose packet it belongs to. */
export interface Holder {
  readonly kind: HolderKind;
  readonly customerId: CustomerId;
  readonly ownerId: Id<'BeneficialOwner'> | undefined;
}

/** Finds a live customer or an owner; any other id is 404 `DOCUMENT_HOLDER_NOT_FOUND`. */
export async function findHolder(tx: ReadTx, id: DocumentHolderId): Promise<Holder> {
  const customerId = parseId('Customer', id, 'full');
  const holder =
    customerId === undefined ? await findOwnerHolder(tx, id) : await findCustomerHolder(tx, customerId);
  if (!holder) throw notFound('DOCUMENT_HOLDER_NOT_FOUND', 'document holder');
  return holder;
}

async function findCustomerHolder(tx: ReadTx, customerId: CustomerId): Promise<Holder | undefined> {
  const customer = await findLiveCustomer(tx, customerId);
  const kind = customer?.customer_type === 'BUSINESS' ? 'BUSINESS' : 'PERSON';
  return customer && { kind, customerId, ownerId: undefined };
}

async function findOwnerHolder(tx: ReadTx, id: DocumentHolderId): Promise<Holder | undefined> {
  const ownerId = parseId('BeneficialOwner', id, 'full');
  const owner = ownerId === undefined ? undefined : await findOwner(tx, ownerId);
  return owner && { kind: 'PERSON', customerId: owner.customer_id, ownerId: owner.id };
}
