import type { Corridor } from '@corridor/client';
import { OPERATIONS } from '@corridor/client/operations';
import { corridor } from './session.ts';

type Method = (...given: never[]) => PromiseLike<unknown>;

/** One call of the API as a value: it can be shown as text, and then be done exactly as it was shown. */
export interface Call<Reply = unknown> {
  readonly operation: keyof Corridor;
  /** Path parameters, in the order of the path. */
  readonly params: readonly string[];
  /** Query and body in one object. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  /** The same as a `corridor` command, if there is one. */
  readonly command?: string | undefined;
  /** Only for its type. */
  readonly reply?: Reply;
}

/** Takes the same arguments as the method of the client: `callOf('executeQuote', quoteId)`. */
export function callOf<Name extends keyof Corridor>(
  operation: Name,
  ...given: Parameters<Corridor[Name]>
): Call<Awaited<ReturnType<Corridor[Name]>>> {
  const { path } = OPERATIONS[operation];
  const inPath = path.match(/\{/g)?.length ?? 0;
  const input = given[inPath] as Record<string, unknown> | undefined;
  return { operation, params: given.slice(0, inPath) as string[], input: input && withoutUndefined(input) };
}

/** The call at an address of the API, as explanations and documents name it; undefined if there is no such operation. */
export function callAt(
  method: string,
  path: string,
  input?: Readonly<Record<string, unknown>>,
): Call | undefined {
  const [best] = Object.entries(OPERATIONS)
    .flatMap(([operation, { method: its, path: template }]) => {
      const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)');
      const found = its === method ? new RegExp(`^${pattern}$`).exec(path) : null;
      return found ? [{ operation, params: found.slice(1).map(decodeURIComponent) }] : [];
    })
    // `/customers/bulk` is no customer.
    .toSorted((a, b) => a.params.length - b.params.length);
  return best && { operation: best.operation as keyof Corridor, params: best.params, input };
}

/** Names the command that does the same. */
export function withCommand<Reply>(call: Call<Reply>, command: string): Call<Reply> {
  return { ...call, command };
}

export async function perform<Reply>(call: Call<Reply>): Promise<Reply> {
  const method = corridor[call.operation] as unknown as Method;
  const { query, body } = OPERATIONS[call.operation] as { query?: unknown; body?: unknown };
  const given = query === undefined && body === undefined ? call.params : [...call.params, call.input];
  return (await method(...(given as never[]))) as Reply;
}

function withoutUndefined(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

const keys = new WeakMap<Call, string>();

/** A key of its own for each call that is shown: to repeat the command is safe, because the first reply comes again. */
function keyOf(call: Call): string {
  const known = keys.get(call);
  if (known !== undefined) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  keys.set(call, key);
  return key;
}

/** The call for a shell in which the line that the service prints has set `API` and `AUTH`. */
export function curlOf(call: Call): string {
  const { method, path, query, body, hasKey } = describe(call);
  const lines = [
    `curl -sS -u "$AUTH"${method === 'GET' ? '' : ` -X ${method}`} ${quoteUrl(path, query)}`,
    ...(hasKey ? [`-H 'Idempotency-Key: ${keyOf(call)}'`] : []),
    ...(body.kind === 'json'
      ? ["-H 'Content-Type: application/json'", `-d ${quoteShell(pretty(body.value))}`]
      : []),
    ...(body.kind === 'form'
      ? Object.entries(body.value).map(([name, value]) => formField(name, value))
      : []),
  ];
  return lines.join(' \\\n  ');
}

/** The call with the client of packages/client. */
export function typescriptOf(call: Call): string {
  const given = [
    ...call.params.map((param) => JSON.stringify(param)),
    ...(call.input && Object.keys(call.input).length > 0 ? [literal(call.input)] : []),
  ];
  return `await corridor.${call.operation}(${given.join(', ')});`;
}

type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json' | 'form'; readonly value: Readonly<Record<string, unknown>> };

function describe(call: Call) {
  const operation: {
    method: string;
    path: string;
    query?: readonly string[];
    body?: 'json' | 'form';
    hasKey?: boolean;
  } = OPERATIONS[call.operation];
  const left = [...call.params];
  const path = operation.path.replace(/\{\w+\}/g, () =>
    encodeURIComponent(left.shift() ?? '').replaceAll('%3A', ':'),
  );
  const entries = Object.entries(call.input ?? {});
  const isQuery = (name: string) => operation.body === undefined || operation.query?.includes(name) === true;
  const inBody = Object.fromEntries(entries.filter(([name]) => !isQuery(name)));
  const body: Body =
    operation.body === undefined || call.input === undefined
      ? { kind: 'none' }
      : { kind: operation.body, value: inBody };
  const query = new URLSearchParams(
    entries
      .filter(([name]) => isQuery(name))
      .flatMap(([name, value]) => [value].flat().map((item): [string, string] => [name, String(item)])),
  );
  return { method: operation.method, path, query, body, hasKey: operation.hasKey === true };
}

function quoteUrl(path: string, query: URLSearchParams): string {
  const text = path + (query.size > 0 ? `?${query}` : '');
  return `"$API${text.replaceAll(/["$`\\]/g, (character) => `\\${character}`)}"`;
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** With `-F`, a text that begins with `@` would make curl send a file. */
function formField(name: string, value: unknown): string {
  return value instanceof File
    ? `-F ${quoteShell(`${name}=@${value.name}`)}`
    : `--form-string ${quoteShell(`${name}=${value}`)}`;
}

function pretty(value: unknown): string {
  const short = JSON.stringify(value);
  return short.length <= 60 ? short : JSON.stringify(value, null, 2);
}

/** Like JSON, with bare names where JavaScript allows them, and in one line if that is short. */
function literal(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, `${indent}  `))
    : Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${literal(item, `${indent}  `)}`);
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  const short = items.length === 0 ? (isList ? '[]' : '{}') : `${open}${items.join(', ')}${close}`;
  if (short.length <= 60 && !short.includes('\n')) return short;
  return `${open.trim()}\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}${close.trim()}`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
