import type { TSchema } from 'typebox';
import { refusalFor, withoutBadFields } from '#customers/check-request.ts';
import type { CheckedBody } from '#customers/create-customer.ts';
import type { ReadTx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { numberContext } from '#documents/present.ts';
import { fieldProblems, fileProblems, type HolderKind, isSuitable, mediaTypeOf } from '#documents/rules.ts';
import type { DocumentHolderId, DocumentReplaceRequest, DocumentUploadRequest } from '#documents/schemas.ts';
import type { DocumentValues } from '#documents/store.ts';
import { Refusal } from '#lib/refusals.ts';
import type { DocumentFault, DocumentOffer } from '#rails/identity.ts';
import type { Upload } from '#uploads/uploads.ts';

/** A document as a request brings it: what is said about it, and the file. */
export interface Offer<Fields extends DocumentReplaceRequest = DocumentReplaceRequest> {
  readonly fields: Fields;
  readonly upload: Upload;
}

/** Every bad field and what is wrong with the file, in one refusal (customers.md §5.1, §5.2). */
export function readOffer<Fields extends DocumentUploadRequest | DocumentReplaceRequest>(
  tx: ReadTx,
  schema: TSchema,
  { body, problems, files }: CheckedBody<Fields> & { readonly files: Upload | undefined },
): Offer<Fields> {
  const fields = withoutBadFields(body, problems);
  const found = fieldProblems(fields);
  if (files) found.push(...fileProblems(files, tx.ports.identity.matchesLeadingBytes));
  const refusal = refusalFor(schema, problems, found);
  if (refusal) throw refusal;
  return { fields, upload: files as Upload };
}

/** A paper that this kind of holder cannot have (customers.md §5.4). */
export function checkSuitable({ fields }: Offer, holder: HolderKind): void {
  if (isSuitable(fields.documentType, holder)) return;
  const whose = holder === 'BUSINESS' ? 'a business' : 'a person';
  throw new Refusal('UNSUITABLE_DOCUMENT', `${fields.documentType} cannot be the document of ${whose}.`);
}

const FAULTS: Readonly<Record<DocumentFault, string>> = {
  LOW_QUALITY: 'The document cannot be read well enough.',
  DATA_MISMATCH: 'The document does not match what is known about its holder.',
  EXPIRED: 'The document has expired.',
  SUSPECTED_FRAUD: 'The document does not look genuine.',
  UNSUITABLE_DOCUMENT: 'The document is not accepted for this holder or country.',
  INCOMPLETE: 'A side or page of the document is missing.',
};

/**
 * The provider's look at the document before anything of it is kept (customers.md §5.5). Outside any
 * transaction.
 */
export async function precheck(work: Work, holder: DocumentHolderId, offer: Offer): Promise<void> {
  const { fields, upload } = offer;
  const shown: DocumentOffer = {
    documentHolder: holder,
    documentType: fields.documentType,
    side: fields.side,
    country: fields.country,
    fileName: upload.fileName,
    mediaType: mediaType(upload),
    content: upload.read,
  };
  const fault = await work.read((tx) => tx.ports.identity.precheck(shown));
  if (fault) throw new Refusal(fault, FAULTS[fault]);
}

/** As it is stored: the number sealed to the document's row, the rest open. */
export function documentValues(tx: ReadTx, id: string, { fields, upload }: Offer): DocumentValues {
  const { documentNumber } = fields;
  return {
    document_type: fields.documentType,
    side: fields.side ?? null,
    country: fields.country,
    document_number: documentNumber === undefined ? null : tx.vault.seal(documentNumber, numberContext(id)),
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
