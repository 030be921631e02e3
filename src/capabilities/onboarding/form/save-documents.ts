import { documentHolderOf } from '#capabilities/documents/present.ts';
import { replaceDocument } from '#capabilities/documents/replace-document.ts';
import { FILE_MAX_BYTES } from '#capabilities/documents/rules.ts';
import { type DocumentHolderId, DocumentUploadRequest } from '#capabilities/documents/schemas.ts';
import { type DocumentRow, listCustomerDocuments } from '#capabilities/documents/store.ts';
import { uploadDocument } from '#capabilities/documents/upload-document.ts';
import { schemaProblems } from '#capabilities/onboarding/form/body.ts';
import { type DocumentBlock, firstValue, type Values } from '#capabilities/onboarding/form/values.ts';
import type { Work } from '#foundation/database/work.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import { type FieldError, Refusal } from '#foundation/lib/refusals.ts';
import type { Upload } from '#foundation/uploads/uploads.ts';

export interface DocumentProblem {
  readonly index: number;
  readonly problem: FieldError;
}

interface SentDocument {
  readonly index: number;
  /** Index of the block that describes the document. */
  readonly describedAt: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Upload;
}

/** Saves the files of one holder; each replaces the holder's document of the same kind, if there is one. */
export async function saveDocuments(
  work: Work,
  customerId: CustomerId,
  holder: DocumentHolderId,
  blocks: readonly DocumentBlock[],
  validate: Validator,
): Promise<DocumentProblem[]> {
  const found: DocumentProblem[] = [];
  for (const sent of sentDocuments(blocks)) {
    const problems = await saveDocument(work, customerId, holder, sent, validate);
    const placeOf = ({ field }: FieldError) => (field === 'file' ? sent.index : sent.describedAt);
    found.push(...problems.map((problem) => ({ index: placeOf(problem), problem })));
  }
  return [...found, ...withoutFile(blocks)];
}

/** Reports documents that have a description but no file. */
function withoutFile(blocks: readonly DocumentBlock[]): DocumentProblem[] {
  const message = 'Choose the file of this document.';
  return blocks.flatMap(({ values, file }, index) =>
    file || (firstValue(values, 'documentNumber') === '' && firstValue(values, 'issuingAuthority') === '')
      ? []
      : [{ index, problem: { field: 'file', message } }],
  );
}

/** A block without a type is the back of the previous one, which describes it. */
function sentDocuments(blocks: readonly DocumentBlock[]): SentDocument[] {
  return blocks.flatMap(({ values, file }, index) => {
    if (!file) return [];
    const isBack = isOtherSide(values);
    const before = isBack ? blocks[index - 1] : undefined;
    const described = before?.values ?? values;
    const next = blocks[index + 1];
    const hasBack = next?.file !== undefined && isOtherSide(next.values);
    const side = firstValue(values, 'side') || (hasBack ? 'FRONT' : '');
    const describedAt = before ? index - 1 : index;
    return [
      { index, describedAt, file, fields: { ...descriptionOf(described), ...(side !== '' && { side }) } },
    ];
  });
}

function isOtherSide(values: Values): boolean {
  return firstValue(values, 'side') === 'BACK' && firstValue(values, 'documentType') === '';
}

function descriptionOf(values: Values): Record<string, string> {
  const names = ['documentType', 'country', 'documentNumber', 'issuingAuthority'];
  return Object.fromEntries(
    names.map((name) => [name, firstValue(values, name)]).filter(([, text]) => text !== ''),
  );
}

async function saveDocument(
  work: Work,
  customerId: CustomerId,
  holder: DocumentHolderId,
  { fields, file }: SentDocument,
  validate: Validator,
): Promise<FieldError[]> {
  const body = { ...fields, documentHolder: holder, file: file.fileName } as unknown as DocumentUploadRequest;
  const problems = schemaProblems(validate, DocumentUploadRequest, body);
  if (file.isTooLarge) problems.push({ field: 'file', message: TOO_LARGE });
  const request = { body, problems, file };
  for (let triesLeft = 2; ; triesLeft--) {
    try {
      await storeDocument(work, customerId, holder, fields, request);
      return [];
    } catch (error) {
      // The same form may have been sent twice: the other request may just have changed the stored documents.
      const isOvertaken =
        error instanceof Refusal && ['DOCUMENT_ALREADY_EXISTS', 'NOT_FOUND'].includes(error.code);
      if (!isOvertaken || triesLeft === 0) return refusedFields(error);
    }
  }
}

async function storeDocument(
  work: Work,
  customerId: CustomerId,
  holder: DocumentHolderId,
  fields: SentDocument['fields'],
  request: Parameters<typeof uploadDocument>[1],
): Promise<void> {
  const rows = await work.read((tx) => listCustomerDocuments(tx, customerId));
  const former = rows.filter((row) => documentHolderOf(row) === holder && collides(row, fields));
  if (fields.side === 'BACK' && former.some(({ side }) => side === null)) throw new Refusal('CONFLICT', BOTH);
  const [first, ...others] = former;
  if (!first) await uploadDocument(work, request);
  else {
    const superseded = others.map(({ id }) => id);
    await replaceDocument(work, first.id, request, superseded);
  }
}

const TOO_LARGE = `must have at most ${FILE_MAX_BYTES / 1_048_576} MB`;
const OVERTAKEN = 'Another file for this document arrived at the same time. Please choose yours again.';
const BOTH = 'Please choose the front and the back together.';

/** There is one document per type and side (customers.md §5.3); one without a side counts as both. */
function collides({ document_type, side }: DocumentRow, fields: SentDocument['fields']): boolean {
  if (document_type !== fields.documentType) return false;
  return side === null || fields.side === undefined || side === fields.side;
}

/** A refusal of the whole document is shown at its file. */
function refusedFields(error: unknown): FieldError[] {
  if (!(error instanceof Refusal)) throw error;
  const errors = error.details?.errors as FieldError[] | undefined;
  const message = error.code === 'DOCUMENT_ALREADY_EXISTS' ? OVERTAKEN : error.message;
  return errors ?? [{ field: 'file', message }];
}
