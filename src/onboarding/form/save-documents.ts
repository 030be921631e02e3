import type { Work } from '#database/work.ts';
import { holderOf } from '#documents/present.ts';
import { replaceDocument } from '#documents/replace-document.ts';
import { FILE_MAX_BYTES } from '#documents/rules.ts';
import { type DocumentHolderId, DocumentUploadRequest } from '#documents/schemas.ts';
import { type DocumentRow, documentsOf } from '#documents/store.ts';
import { uploadDocument } from '#documents/upload-document.ts';
import type { Validator } from '#http/validate.ts';
import { type FieldError, Refusal } from '#lib/refusals.ts';
import { schemaProblems } from '#onboarding/form/body.ts';
import { type DocumentBlock, firstOf, type Values } from '#onboarding/form/values.ts';
import type { Upload } from '#uploads/uploads.ts';

/** What is wrong with one document of the form, by its place. */
export interface DocumentProblem {
  readonly index: number;
  readonly problem: FieldError;
}

interface Sent {
  readonly index: number;
  /** The place of the words about it. */
  readonly describedAt: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: Upload;
}

/** The files of one holder, each added or put in place of the one that the holder has of its kind. */
export async function saveDocuments(
  work: Work,
  customerId: string,
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

/** Described but not chosen. */
function withoutFile(blocks: readonly DocumentBlock[]): DocumentProblem[] {
  const message = 'Choose the file of this document.';
  return blocks.flatMap(({ values, file }, index) =>
    file || (firstOf(values, 'documentNumber') === '' && firstOf(values, 'issuingAuthority') === '')
      ? []
      : [{ index, problem: { field: 'file', message } }],
  );
}

/** A block without a type of its own is the other side of the one before it, and is described there. */
function sentDocuments(blocks: readonly DocumentBlock[]): Sent[] {
  return blocks.flatMap(({ values, file }, index) => {
    if (!file) return [];
    const isBack = isOtherSide(values);
    const before = isBack ? blocks[index - 1] : undefined;
    const described = before?.values ?? values;
    const next = blocks[index + 1];
    const hasBack = next?.file !== undefined && isOtherSide(next.values);
    const side = firstOf(values, 'side') || (hasBack ? 'FRONT' : '');
    const describedAt = before ? index - 1 : index;
    return [{ index, describedAt, file, fields: { ...wordsOf(described), ...(side !== '' && { side }) } }];
  });
}

function isOtherSide(values: Values): boolean {
  return firstOf(values, 'side') === 'BACK' && firstOf(values, 'documentType') === '';
}

function wordsOf(values: Values): Record<string, string> {
  const names = ['documentType', 'country', 'documentNumber', 'issuingAuthority'];
  return Object.fromEntries(
    names.map((name) => [name, firstOf(values, name)]).filter(([, text]) => text !== ''),
  );
}

async function saveDocument(
  work: Work,
  customerId: string,
  holder: DocumentHolderId,
  { fields, file }: Sent,
  validate: Validator,
): Promise<FieldError[]> {
  const body = { ...fields, documentHolder: holder, file: file.fileName } as unknown as DocumentUploadRequest;
  const problems = schemaProblems(validate, DocumentUploadRequest, body);
  if (file.isTooLarge) problems.push({ field: 'file', message: TOO_LARGE });
  const request = { body, problems, files: file };
  for (let triesLeft = 2; ; triesLeft--) {
    try {
      await put(work, customerId, holder, fields, request);
      return [];
    } catch (error) {
      // The same form may be on its way twice: then what it finds on file has just changed.
      const isOvertaken =
        error instanceof Refusal && ['DOCUMENT_ALREADY_EXISTS', 'NOT_FOUND'].includes(error.code);
      if (!isOvertaken || triesLeft === 0) return refusedFields(error);
    }
  }
}

async function put(
  work: Work,
  customerId: string,
  holder: DocumentHolderId,
  fields: Sent['fields'],
  request: Parameters<typeof uploadDocument>[1],
): Promise<void> {
  const rows = await work.read((tx) => documentsOf(tx, customerId));
  const former = rows.filter((row) => holderOf(row) === holder && collides(row, fields));
  if (fields.side === 'BACK' && former.some(({ side }) => side === null)) throw new Refusal('CONFLICT', BOTH);
  const [first, ...others] = former;
  if (!first) await uploadDocument(work, request);
  else {
    const superseded = others.map(({ id }) => id);
    await replaceDocument(work, first.id, request, superseded);
  }
}

const TOO_LARGE = `must have at most ${FILE_MAX_BYTES / 1_048_576} MB`;
const OVERTAKEN = 'Another file for this place arrived at the same moment. Please choose it again.';
const BOTH = 'Please choose the front and the back together.';

/** What one document per type and side stands in the way of (customers.md §5.3); an unsided one is both sides. */
function collides({ document_type, side }: DocumentRow, fields: Sent['fields']): boolean {
  if (document_type !== fields.documentType) return false;
  return side === null || fields.side === undefined || side === fields.side;
}

/** A refusal about the document as a whole is shown at its file. */
function refusedFields(error: unknown): FieldError[] {
  if (!(error instanceof Refusal)) throw error;
  const errors = error.details?.errors as FieldError[] | undefined;
  const message = error.code === 'DOCUMENT_ALREADY_EXISTS' ? OVERTAKEN : error.message;
  return errors ?? [{ field: 'file', message }];
}
