import type { FastifyRequest } from 'fastify';
import { badFormat } from '#http/body.ts';
import type { FilePart, Upload } from '#http/uploads.ts';
import { type FieldError, invalidFields, type Refusal } from '#lib/refusals.ts';

export interface Form {
  /** The text fields, and the file's name under its field. */
  readonly fields: Record<string, string>;
  readonly file: Upload | undefined;
}

const FIELD_MAX_BYTES = 65_536;
const PARTS_MAX = 200;

/**
 * Reads a multipart form to its end. The file goes to `receive` as it arrives, so fields may come before or
 * after it; other file parts are passed over like unknown fields.
 */
export async function readForm(
  request: FastifyRequest,
  rule: { fileMaxBytes: number; fileField: string },
  receive: (part: FilePart) => Promise<Upload>,
): Promise<Form> {
  if (!request.isMultipart()) throw badFormat('The body must be sent as multipart/form-data.');
  const fields: Record<string, string> = {};
  const errors: FieldError[] = [];
  let file: Upload | undefined;
  const limits = { fileSize: rule.fileMaxBytes, fieldSize: FIELD_MAX_BYTES, parts: PARTS_MAX };
  for await (const part of partsOf(request, limits, unreadable)) {
    if (part.type === 'file') {
      if (part.fieldname !== rule.fileField) {
        part.file.resume();
        continue;
      }
      if (file) throw badFormat(`The form has more than one file in ${rule.fileField}.`);
      file = await receiveWhole(filePart(part), receive);
      fields[rule.fileField] = file.fileName;
    } else if (typeof part.value === 'string' && part.fieldname !== rule.fileField) {
      fields[part.fieldname] = part.value;
      if (part.valueTruncated) errors.push(tooLong(part.fieldname));
    }
  }
  if (errors.length > 0) throw invalidFields(errors);
  return { fields, file };
}

/** A part that breaks off is the sender's doing; any other failure is ours and stays what it is. */
async function receiveWhole(part: FilePart, receive: (part: FilePart) => Promise<Upload>): Promise<Upload> {
  let broken: Error | undefined;
  part.content.once('error', (error) => {
    broken = error;
  });
  try {
    return await receive(part);
  } catch (error) {
    throw broken ? unreadable(broken) : error;
  }
}

/**
 * The parts of a form as they arrive; what cannot be read to its end is the sender's doing. A form that is refused half
 * way arrives to its end all the same: what nobody takes would block the connection.
 */
export async function* partsOf(
  request: FastifyRequest,
  limits: FormLimits,
  unreadable: (error: Error) => Refusal,
) {
  const iterator = request.parts({ limits });
  try {
    for (;;) {
      const next = await iterator.next().catch((error: Error) => {
        throw unreadable(error);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    request.raw.unpipe();
    request.raw.resume();
  }
}

type FormLimits = NonNullable<NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']>;

function unreadable(error: Error): Refusal {
  return badFormat(`The multipart body cannot be read: ${error.message}.`);
}

function tooLong(field: string): FieldError {
  const constraint = { maxLength: FIELD_MAX_BYTES };
  return { field, constraint, message: `must have at most ${FIELD_MAX_BYTES} bytes` };
}

function filePart(part: {
  fieldname: string;
  filename: string | undefined;
  mimetype: string;
  file: FilePart['content'] & { truncated?: boolean };
}): FilePart {
  return {
    fieldName: part.fieldname,
    fileName: part.filename ?? '',
    mediaType: part.mimetype,
    content: part.file,
    wasTruncated: () => part.file.truncated === true,
  };
}
