import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { PROTOCOL_FORMATS } from '#foundation/connector-protocol/values.ts';
import { codesOf, keyRuleOf, type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import { errorSchemas } from '#foundation/http/document/error-schemas.ts';
import { createCompile } from '#foundation/http/read/compile-schema.ts';
import { CODES, type Code } from '#foundation/lib/refusals.ts';

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

const ajv = new Ajv2020({ allErrors: true, strict: false, formats: PROTOCOL_FORMATS });
const compile = createCompile(ajv);
/** The worlds of a process share compiled schemas, which are mostly the same objects. */
const compiled = new WeakMap<object, ValidateFunction>();
const errors = errorSchemas();

/**
 * Checks a reply in a test against its operation's declaration: an undeclared status, code or field fails the test.
 */
export function checkReply(operation: NamedOperation, status: number, body: unknown): void {
  const name = `${operation.id} ${status}`;
  const schema = status >= 400 ? errors.get(status) : successSchema(operation, status);
  assert.ok(schema !== undefined, `${name} is not declared`);
  if (schema === null) {
    assert.equal(body, undefined, `${name} must be empty`);
    return;
  }
  const validate = compiled.get(schema) ?? compile(closed(schema) as object);
  compiled.set(schema, validate);
  const explain = () => `${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`;
  assert.ok(validate(body), explain());
  if (status < 400) return;
  assertDeclared(operation, (body as { code: string }).code);
  assertSaidOnce(body as RefusedBody);
}

interface RefusedBody {
  readonly details?: { readonly errors?: readonly { readonly field: string; readonly message: string }[] };
}

/** platform.md §10.0.2a: the message must not repeat the field's name, which precedes it. */
function assertSaidOnce({ details }: RefusedBody): void {
  for (const { field, message } of details?.errors ?? []) {
    const name = field.split('.').at(-1) ?? field;
    assert.ok(!message.startsWith(`${name} `), `${field}: ${message}`);
  }
}

function successSchema(operation: NamedOperation, status: number): object | null | undefined {
  if (status === statusOf(operation)) return operation.reply ?? null;
  return operation.otherReplies?.[status];
}

function assertDeclared(operation: NamedOperation, code: string): void {
  const ofParams = Object.values(operation.params ?? {}).flatMap((rule) =>
    'id' in rule ? [rule.missing] : [],
  );
  const ofKey: Code[] = keyRuleOf(operation) === 'ignored' ? [] : ['CUSTOMER_DELETED'];
  const declared = [...codesOf(operation), ...ofParams, ...ofKey].some((known) => known === code);
  assert.ok(declared || EVERYWHERE.has(code), `${operation.id} answered ${code}, which it does not declare`);
  assert.ok(code in CODES);
}

/** The same schema without additional properties. */
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
