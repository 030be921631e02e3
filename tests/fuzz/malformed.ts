import fc from 'fast-check';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string };
};

/** Sent as it is. */
export interface MalformedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: string;
}

/** Where operations are served, and how to get in. */
export interface MalformedTarget {
  readonly operations: readonly NamedOperation[];
  readonly prefix: string;
  /** The address of an operation, with well-formed ids. */
  urlOf(operation: NamedOperation): string;
  /** What lets a caller in. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that let nobody in. */
  readonly wrong: fc.Arbitrary<Readonly<Record<string, string>>>;
}

/** Requests that must all be refused, whatever they name. */
export function malformed({
  operations,
  prefix,
  urlOf,
  headers,
  wrong,
}: MalformedTarget): fc.Arbitrary<MalformedRequest> {
  const json = { ...headers, 'content-type': 'application/json' };
  const withBody = operations.filter((operation) => operation.body && !operation.multipart);
  const withQuery = operations.filter((operation) => operation.query);
  const body = (
    operation: NamedOperation,
    payload: string,
    headers: Record<string, string> = json,
  ): MalformedRequest => ({
    method: operation.method,
    url: urlOf(operation),
    headers,
    payload,
  });
  const anyWithBody = fc.constantFrom(...withBody);
  return fc.oneof(
    fc
      .tuple(anyWithBody, notJson)
      // An empty body is valid if the body is optional.
      .filter(([operation, text]) => !operation.bodyOptional || text.trim() !== '')
      .map(([operation, text]) => body(operation, text)),
    fc
      .tuple(anyWithBody, fc.nat())
      .map(([operation, pick]) => body(operation, JSON.stringify(wrongField(operation, pick)))),
    fc
      .tuple(anyWithBody, storableNot)
      .map(([operation, text]) => body(operation, JSON.stringify({ [text]: text }))),
    fc
      .tuple(anyWithBody, fc.integer({ min: 65, max: 5_000 }))
      .map(([operation, depth]) => body(operation, nested(depth))),
    anyWithBody.map((operation) => body(operation, '{}', { ...headers, 'content-type': 'application/xml' })),
    fc.tuple(fc.constantFrom(...withQuery), badQuery).map(([operation, query]) => ({
      method: operation.method,
      url: `${urlOf(operation)}?${query(operation)}`,
      headers: json,
      ...(operation.body && { payload: '[]' }),
    })),
    fc
      .tuple(fc.constantFrom(...operations), fc.constantFrom('PURGE', 'TRACE', 'OPTIONS'))
      .map(([operation, method]) => ({
        method,
        url: urlOf(operation),
        headers: json,
      })),
    oddPath.map((path) => ({ method: 'GET', url: `${prefix}/${path}`, headers: json })),
    fc.tuple(fc.constantFrom(...operations), wrong).map(([operation, credentials]) => ({
      method: operation.method,
      url: urlOf(operation),
      headers: { ...credentials, 'content-type': 'application/json' },
      ...(operation.method !== 'GET' && { payload: '{}' }),
    })),
    fc
      .tuple(
        fc.constantFrom(...withBody.filter((operation) => operation.method === 'POST')),
        fc.constantFrom('', 'é', 'x'.repeat(256)),
      )
      .map(([operation, key]) => body(operation, '[]', { ...json, 'idempotency-key': key })),
  );
}

const notJson = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '12',
    'true',
    '{"a":}',
    "{'a':1}",
    '{"a":1}}',
    '\u{feff}[]',
    '{"a":01}',
    'undefined',
    'NaN',
  ),
  fc.string({ unit: CODE_POINT }).filter((text) => !text.trim().startsWith('{')),
  fc.string().map((text) => `{"${text.replaceAll('"', '')}`),
);

const storableNot = fc.constantFrom('a\0b', '\ud800', 'x\udfff', '\0');

function nested(depth: number): string {
  return `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

const badQuery = fc
  .tuple(
    fc.nat(),
    fc.constantFrom(
      '%00',
      '%ED%A0%80',
      'non-sense',
      '-1',
      '1.5e9',
      '99999999999999999999',
      '2026-13-45',
      '%20',
      '[]',
    ),
  )
  .map(([pick, value]) => (operation: NamedOperation) => {
    const properties = (operation.query as Schema).properties ?? {};
    const strict = Object.keys(properties).filter((name) => isWrongFor(properties[name] as Schema, value));
    // A free-text filter takes anything but NUL.
    const name = strict[pick % strict.length];
    return name === undefined ? `${Object.keys(properties)[0]}=%00` : `${name}=${value}`;
  });

/** Whether nonsense is certainly wrong: numbers, booleans, lists of values, formats, and ids but not every name. */
function isWrongFor(schema: Schema & { format?: string; pattern?: string }, value: string): boolean {
  return (
    schema.type === 'integer' ||
    schema.type === 'boolean' ||
    schema.enum !== undefined ||
    schema.format !== undefined ||
    (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
  );
}

const oddPath = fc
  .string({
    unit: fc.constantFrom('a', '/', '%', '..', '%2F', '%00', '%zz', ':', 'é', '?', '-', '%E2%82%AC'),
  })
  .filter((path) => !path.startsWith('?'))
  .map((path) => `nowhere/${path}`)
  // With enough `..` it would be the path of a page, which exists.
  .filter((path) => new URL(path, 'http://service/prefix/').pathname.startsWith('/prefix/'));

/** A value that throws when it is converted to a text or a number. */
const UNCONVERTIBLE = { toString: 1, valueOf: 1 };

const WRONG: Record<string, unknown[]> = {
  string: [12, true, {}, [], 1e308, UNCONVERTIBLE],
  integer: ['12', 1.5, {}, [], true, 2 ** 53, 1e308, -1e308, UNCONVERTIBLE],
  number: ['12', {}, [], true],
  boolean: ['true', 1, {}, [], UNCONVERTIBLE],
  object: ['x', 5, [], true],
  array: ['x', 5, {}, true],
};

/** A body with one known field of a type it cannot have. */
function wrongField(operation: NamedOperation, pick: number): unknown {
  const root = operation.body as Schema;
  const branches = root.oneOf ?? [root];
  const branch = branches[pick % branches.length] as Schema;
  const tag = root.discriminator?.propertyName;
  if (tag !== undefined && pick % 11 === 0) return { [tag]: UNCONVERTIBLE };
  const tagSchema = tag === undefined ? undefined : branch.properties?.[tag];
  const tagged = tag === undefined ? {} : { [tag]: tagSchema?.const ?? tagSchema?.enum?.[0] };
  const names = Object.keys(branch.properties ?? {}).filter(
    (name) => name !== tag && typeOf(branch.properties?.[name]) !== undefined,
  );
  const name = names[pick % Math.max(1, names.length)];
  if (name === undefined) return [];
  const wrong = WRONG[typeOf(branch.properties?.[name]) as string] ?? [];
  return { ...tagged, [name]: wrong[pick % wrong.length] };
}

function typeOf(schema: Schema | undefined): string | undefined {
  const one = schema?.anyOf?.find((part) => part.type !== 'null') ?? schema;
  return typeof one?.type === 'string' && one.type in WRONG ? one.type : undefined;
}
