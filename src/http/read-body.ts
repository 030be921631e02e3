import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { badFormat, decodeText, requireJsonObject, requireStorable, withoutNulls } from '#http/body.ts';
import { isTooLong } from '#http/field-errors.ts';
import { readUploadForm } from '#http/multipart.ts';
import type { NamedOperation } from '#http/operation.ts';
import { ERRORS_MAX, type Validator } from '#http/validate.ts';
import { type FieldError, invalidFields, Refusal } from '#lib/refusals.ts';
import type { WireNames } from '#lib/wire-names.ts';
import type { RequestUploads, Upload } from '#uploads/uploads.ts';

export interface ReadBody {
  readonly body: unknown;
  /** What breaks the schema, for an operation that declares `checksBody`. */
  readonly problems?: readonly FieldError[];
  readonly file?: Upload | undefined;
}

/** The body as its operation declares it: JSON, or a form whose file goes into storage as it arrives. */
export async function readBody(
  operation: NamedOperation,
  request: FastifyRequest,
  { validate, names }: { readonly validate: Validator; readonly names: WireNames },
  uploads: RequestUploads | undefined,
): Promise<ReadBody> {
  if (!operation.body) return { body: undefined };
  const read =
    operation.multipart && uploads
      ? await readMultipart(operation.multipart, request, uploads)
      : { body: readJson(operation, request, names), found: [] };
  const problems = [...problemsOf(operation.body, read.body, validate), ...read.found];
  // If the list of problems was truncated, or entries were skipped, unreported values may be of any type: no rule can
  // check such a body.
  const isCheckable = operation.checksBody && problems.length < ERRORS_MAX && !problems.some(isTooLong);
  if (!isCheckable && problems.length > 0) throw invalidFields(problems);
  return { problems, ...read };
}

function readJson(operation: NamedOperation, request: FastifyRequest, names: WireNames): unknown {
  const raw = request.body as Buffer | undefined;
  const isEmpty = raw === undefined || raw.length === 0;
  if (isEmpty && !operation.bodyOptional) throw badFormat('A JSON body is required.');
  if (
    !isEmpty &&
    !/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
  ) {
    throw badFormat('The body must be sent as application/json.');
  }
  const parsed = isEmpty ? {} : requireJsonObject(names.incoming(decodeText(raw)));
  return operation.method === 'PATCH' ? parsed : withoutNulls(parsed);
}

async function readMultipart(
  rule: NonNullable<NamedOperation['multipart']>,
  request: FastifyRequest,
  uploads: RequestUploads,
): Promise<{ body: unknown; file: Upload | undefined; found: FieldError[] }> {
  const { fields, file } = await readUploadForm(request, rule, (part) => uploads.receive(part));
  requireStorable(fields);
  const message = `must have at most ${rule.fileMaxBytes} bytes`;
  const found = file?.isTooLarge ? [{ field: rule.fileField, message }] : [];
  return { body: fields, file, found };
}

function problemsOf(schema: TSchema, body: unknown, validate: Validator): readonly FieldError[] {
  try {
    validate(schema, body);
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_INPUT')
      return error.details?.errors as FieldError[];
    throw error;
  }
}
