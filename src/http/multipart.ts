import type { FastifyRequest } from 'fastify';
import { badFormat } from '#http/body.ts';
import type { FileUpload } from '#http/uploads.ts';

export interface Form {
  readonly fields: Record<string, string>;
  readonly file: FileUpload | undefined;
}

/**
 * Reads a multipart form up to its file part and hands the file on as a stream. Fields must come before
 * the file, as every client library sends them in the order they were added; later ones are not seen.
 */
export async function readForm(
  request: FastifyRequest,
  rule: { fileMaxBytes: number; fileField: string },
): Promise<Form> {
  if (!request.isMultipart()) throw badFormat('The body must be sent as multipart/form-data.');
  const fields: Record<string, string> = {};
  try {
    for await (const part of request.parts({
      limits: { fileSize: rule.fileMaxBytes, files: 1, fieldSize: 65_536 },
    })) {
      if (part.type === 'file') return { fields, file: upload(part) };
      if (typeof part.value === 'string') fields[part.fieldname] = part.value;
    }
  } catch (error) {
    throw badFormat(`The multipart body cannot be read: ${(error as Error).message}`);
  }
  return { fields, file: undefined };
}

function upload(part: {
  fieldname: string;
  filename: string;
  mimetype: string;
  file: FileUpload['content'] & { truncated?: boolean };
}): FileUpload {
  return {
    fieldName: part.fieldname,
    fileName: part.filename,
    mediaType: part.mimetype,
    content: part.file,
    wasTruncated: () => part.file.truncated === true,
  };
}
