import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { isTooLong } from '#foundation/http/field-errors.ts';
import {
  badFormat,
  decodeText,
  requireJsonObject,
  requireStorable,
  withoutNulls,
} from '#foundation/http/read/body.ts';
import { readUploadForm } from '#foundation/http/read/multipart.ts';
import type { UnknownFields } from '#foundation/http/read/unknown-fields.ts';
import { checkSchema, ERRORS_MAX, type Validator } from '#foundation/http/read/validate.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { RequestUploads, Upload } from '#foundation/uploads/uploads.ts';

export interface BodyParts {
  readonly validate: Validator;
  readonly names: WireNames;
}

export interface ReadBody {
  readonly body: unknown;
  /** Schema violations, for an operation that declares `checksBody`. */
  readonly problems?: readonly FieldError[];
  readonly file?: Upload | undefined;
}

/** The body as its operation declares it: JSON, or a form whose file goes into storage as it arrives. */
export async function readBody(
  operation: NamedOperation,
  request: FastifyRequest,
  parts: BodyParts,
  uploads: RequestUploads | undefined,
  unknown: UnknownFields,
): Promise<ReadBody> {
  if (!operation.body) return { body: undefined };
  const read =
    operation.multipart && uploads
      ? await readMultipart(operation.multipart, request, uploads)
      : { body: readJson(operation, request, parts.names), found: [] };
  // Set before validation: developers look for refused bodies in the request log.
  request.sent = { body: read.body };
  unknown.lookAtBody(operation.body, read.body);
  if ('skipped' in read) unknown.lookAtBody(operation.body, read.skipped);
  const found = [...read.found, ...unknown.problems(parts.names)];
  return checkBody(operation, operation.body, { ...read, found }, parts.validate);
}

/** Reads the body of a call that is not an HTTP request of its own. */
export function readPlainBody(
  operation: NamedOperation,
  body: unknown,
  { validate, names }: BodyParts,
): ReadBody {
  if (!operation.body) return { body: undefined };
  const parsed = parseJson(operation, JSON.stringify(body ?? {}), names);
  return checkBody(operation, operation.body, { body: parsed, found: [] }, validate);
}

function checkBody(
  operation: NamedOperation,
  schema: TSchema,
  read: { readonly body: unknown; readonly file?: Upload | undefined; readonly found: readonly FieldError[] },
  validate: Validator,
): ReadBody {
  const problems = [...checkSchema(schema, read.body, validate), ...read.found];
  // If the list of problems was truncated, or entries were skipped, unreported values may be of any type: no rule can
  // check such a body.
  const isCheckable = operation.checksBody && problems.length < ERRORS_MAX && !problems.some(isTooLong);
  if (!isCheckable && problems.length > 0) throw invalidFields(problems);
  const { body, file } = read;
  return { problems, body, file };
}

function readJson(operation: NamedOperation, request: FastifyRequest, names: WireNames): unknown {
  const raw = request.body as Buffer | undefined;
  const isEmpty = raw === undefined || raw.length === 0;
  if (isEmpty && !operation.bodyOptional) throw badFormat('A JSON body is required.');
  if (!isEmpty && !request.headers['content-type']?.match(/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i)) {
    throw badFormat('The body must be sent as application/json.');
  }
  return isEmpty ? {} : parseJson(operation, decodeText(raw), names);
}

function parseJson(operation: NamedOperation, text: string, names: WireNames): unknown {
  const parsed = requireJsonObject(names.incoming(text));
  return operation.method === 'PATCH' ? parsed : withoutNulls(parsed);
}

async function readMultipart(
  rule: NonNullable<NamedOperation['multipart']>,
  request: FastifyRequest,
  uploads: RequestUploads,
): Promise<{ body: unknown; file: Upload | undefined; found: FieldError[]; skipped: object }> {
  const { fields, file, skipped } = await readUploadForm(request, rule, (part) => uploads.receive(part));
  requireStorable(fields);
  const message = `must have at most ${rule.fileMaxBytes} bytes`;
  const found = file?.isTooLarge ? [{ field: rule.fileField, message }] : [];
  return { body: fields, file, found, skipped: Object.fromEntries(skipped.map((name) => [name, ''])) };
}
