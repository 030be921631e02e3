import { MIMEType } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badFormat } from '#foundation/http/read/body.ts';
import { formParts, type Part, unreadable } from '#foundation/http/read/form-parts.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';
import type { FilePart, Upload } from '#foundation/uploads/uploads.ts';

export interface Form {
  /** The text fields, and the file's name under its field. */
  readonly fields: Record<string, string>;
  readonly file: Upload | undefined;
  /** The fields of files that were skipped. */
  readonly skipped: readonly string[];
}

export interface FieldPart {
  readonly fieldName: string;
  readonly text: string;
  readonly isTruncated: boolean;
}

export interface FormLimits {
  readonly parts: number;
  /** A longer field is truncated. */
  readonly fieldBytes: number;
  readonly fileBytes: number;
}

const FIELD_MAX_BYTES = 65_536;
const PARTS_MAX = 200;
/** RFC 2046 §5.1.1. About as many bytes of every chunk are held back, because they could begin a delimiter. */
const BOUNDARY_MAX_CHARACTERS = 70;

/** Leaves the body of a form unread: its operation reads it part by part. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
}

/**
 * Reads a multipart form to its end. The file goes to `receive` as it arrives, so fields may come before or after it;
 * other file parts are skipped like unknown fields.
 */
export async function readUploadForm(
  request: FastifyRequest,
  { fileField, fileMaxBytes }: { fileMaxBytes: number; fileField: string },
  receive: (part: FilePart) => Promise<Upload>,
): Promise<Form> {
  const fields: Record<string, string> = {};
  const skipped: string[] = [];
  const errors: FieldError[] = [];
  let file: Upload | undefined;
  const limits = { parts: PARTS_MAX, fieldBytes: FIELD_MAX_BYTES, fileBytes: fileMaxBytes };
  for await (const part of readParts(request, limits, (name) => name === fileField)) {
    const { fieldName } = part;
    if ('content' in part) {
      if (fieldName !== fileField) {
        skipped.push(fieldName);
        continue;
      }
      if (file) throw badFormat(`The form has more than one file in ${fileField}.`);
      file = await receive(part);
      fields[fileField] = file.fileName;
    } else {
      fields[fieldName] = part.text;
      if (part.isTruncated) errors.push(tooLong(fieldName));
    }
  }
  if (errors.length > 0) throw invalidFields(errors);
  return { fields, file, skipped };
}

/**
 * Yields the parts of a form as they arrive; a part of a file field is a file even if it names neither type nor file
 * name. A file is received or skipped before the next part follows. A form that is refused half way is still read to its
 * end: unread bytes would block the connection.
 */
export async function* readParts(
  request: FastifyRequest,
  limits: FormLimits,
  isFileField: (name: string) => boolean,
): AsyncGenerator<FilePart | FieldPart> {
  const boundary = readBoundary(request.headers['content-type']);
  const bytes = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  let count = 0;
  try {
    for await (const part of formParts(bytes, boundary)) {
      if (++count > limits.parts) throw unreadable(`it has more than ${limits.parts} parts`);
      const { name } = part;
      if (name === undefined) continue;
      if (name in Object.prototype) throw unreadable(`a field cannot be called ${name}`);
      yield isFileField(name) || isFile(part)
        ? filePart(name, part, limits)
        : await fieldPart(name, part, limits);
    }
  } finally {
    await bytes.return?.();
    request.raw.resume();
  }
}

function readBoundary(contentType = ''): string {
  let type: MIMEType | undefined;
  try {
    type = new MIMEType(contentType);
  } catch {}
  if (type?.essence !== 'multipart/form-data')
    throw badFormat('The body must be sent as multipart/form-data.');
  const boundary = type.params.get('boundary');
  if (!boundary) throw unreadable('its Content-Type names no boundary');
  if (boundary.length > BOUNDARY_MAX_CHARACTERS)
    throw unreadable(`its boundary has more than ${BOUNDARY_MAX_CHARACTERS} characters`);
  return boundary;
}

function isFile({ fileName, mediaType }: Part): boolean {
  return fileName !== undefined || mediaType === 'application/octet-stream';
}

async function fieldPart(
  fieldName: string,
  { content }: Part,
  { fieldBytes }: FormLimits,
): Promise<FieldPart> {
  const text = new Truncated(content, fieldBytes);
  const pieces = await Array.fromAsync(text);
  return { fieldName, text: Buffer.concat(pieces).toString('utf8'), isTruncated: text.wasLonger };
}

function filePart(
  fieldName: string,
  { fileName = '', mediaType, content }: Part,
  { fileBytes }: FormLimits,
): FilePart {
  const bytes = new Truncated(content, fileBytes);
  return { fieldName, fileName, mediaType, content: bytes, wasTruncated: () => bytes.wasLonger };
}

/** The beginning of a content up to a limit; the rest is read and discarded. */
class Truncated implements AsyncIterable<Buffer> {
  readonly #content: AsyncIterable<Buffer>;
  #left: number;
  wasLonger = false;

  constructor(content: AsyncIterable<Buffer>, maxBytes: number) {
    this.#content = content;
    this.#left = maxBytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const piece of this.#content) {
      this.wasLonger ||= piece.length > this.#left;
      const taken = piece.subarray(0, this.#left);
      this.#left -= taken.length;
      if (taken.length > 0) yield taken;
    }
  }
}

function tooLong(field: string): FieldError {
  const constraint = { maxLength: FIELD_MAX_BYTES };
  return { field, constraint, message: `must have at most ${FIELD_MAX_BYTES} bytes` };
}
