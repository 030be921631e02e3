import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createCompile } from '#http/compile-schema.ts';
import { errorSchemas } from '#http/error-schemas.ts';
import { FORMATS } from '#http/formats.ts';
import { type NamedOperation, statusOf } from '#http/operation.ts';
import { CODES, type Code } from '#lib/refusals.ts';

export type ReplyCheck = (operation: NamedOperation, status: number, body: unknown) => void;

/** Codes any operation may answer without declaring them. */
const EVERYWHERE: ReadonlySet<string> = new Set<Code>([
  'UNAUTHORIZED',
  'INVALID_SIGNATURE',
  'FORBIDDEN',
  'RATE_LIMITED',
  'INVALID_INPUT',
  'INVALID_REQUEST_FORMAT',
  'REQUEST_TIMEOUT',
  'PLATFORM_NOT_FOUND',
  'CONFLICT',
  'SERVICE_UNAVAILABLE',
]);

/**
 * Holds every reply seen in a test against what its operation declares: an undeclared status, code or
 * field fails the test.
 */
export function createReplyCheck(): ReplyCheck {
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: FORMATS });
  const compile = createCompile(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const errors = errorSchemas();
  return (operation, status, body) => {
    const name = `${operation.id} ${status}`;
    const schema = status >= 400 ? errors.get(status) : successSchema(operation, status);
    if (schema === null) return assert.equal(body, undefined, `${name} must be empty`);
    assert.ok(schema, `${name} is not declared`);
    const validate = compiled.get(name) ?? compile(closed(schema) as object);
    compiled.set(name, validate);
    const explain = () => `${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`;
    assert.ok(validate(body), explain());
    if (status >= 400) assertDeclared(operation, (body as { code: string }).code);
  };
}

function successSchema(operation: NamedOperation, status: number): object | null | undefined {
  if (status === statusOf(operation)) return operation.reply ?? null;
  return operation.otherReplies?.[status];
}

function assertDeclared(operation: NamedOperation, code: string): void {
  const ofParams = Object.values(operation.params ?? {}).flatMap((rule) =>
    'id' in rule ? [rule.missing] : [],
  );
  const declared = [...operation.codes, ...ofParams].some((known) => known === code);
  assert.ok(declared || EVERYWHERE.has(code), `${operation.id} answered ${code}, which it does not declare`);
  assert.ok(code in CODES);
}

/** The same schema with no room for fields it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema))
    copy[key] = key === 'x-component' ? undefined : closed(value);
  if (copy.type === 'object' && copy.properties && copy.additionalProperties === undefined) {
    copy.additionalProperties = isFreeDetails(copy);
  }
  return copy;
}

/** `details` of an error may hold whatever that error has to say. */
function isFreeDetails(schema: Record<string, unknown>): boolean {
  const names = Object.keys(schema.properties as object);
  return names.includes('errors') || names.includes('failedAttempts') || names.length === 0;
}
