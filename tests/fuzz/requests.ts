import { REVEAL_PATH } from '#capabilities/cards/reveal/reveal-card.ts';
import { TOOLS } from '#edge/mcp/tools.ts';
import type { SeededRandom } from '#tests/drills/seeded-random.ts';
import { jsonBody, type Schema } from '#tests/fuzz/bodies.ts';
import type { Sending } from '#tests/fuzz/exchange.ts';
import { cutForms, FORM_TYPE, hostileForm, overfullForms } from '#tests/fuzz/forms.ts';
import type { FuzzTargets } from '#tests/fuzz/known.ts';
import type { Route } from '#tests/fuzz/surface.ts';

/** The seed alone decides what is sent; ids and links are those known at the time. */
export function anySending(routes: readonly Route[], random: SeededRandom, known: FuzzTargets): Sending {
  const roll = random.next();
  if (roll < 0.1) return brokenHttp(random.pick(routes), random, known);
  const route = random.pick(roll < 0.3 ? formTakers(routes) : routes);
  const target = buildTarget(route, random, known);
  const headers = buildHeaders(route, random, known);
  const takesBody = /^(POST|PUT|PATCH)$/.test(route.method);
  if (!takesBody && random.next() < 0.9) return send(route.method, target, headers, undefined, random);
  const isForm = random.next() < (takesForm(route) ? 0.85 : 0.15);
  const schema = (route.operation?.body ?? {}) as Schema;
  const json = () => (route.path === '/mcp' ? mcpMessage(random, known) : jsonBody(schema, random, known));
  const body = isForm ? hostileForm(random) : Buffer.from(json());
  const type = random.next() < 0.05 ? random.pick(ODD_TYPES) : isForm ? FORM_TYPE : 'application/json';
  return send(route.method, target, { ...headers, 'content-type': type }, body, random);
}

/** To everything that takes forms: forms with too many parts, and forms that are cut at every place that matters. */
export function formSendings(routes: readonly Route[], random: SeededRandom, known: FuzzTargets): Sending[] {
  return formTakers(routes).flatMap((route) =>
    [...overfullForms(), ...cutForms()].map((body) => {
      const access = isOfConsole(route) ? consoleHeaders(known) : { authorization: known.authorization };
      const headers = { ...access, 'content-type': FORM_TYPE };
      return framed(route.method, fillAddress(route, known), headers, body, random);
    }),
  );
}

/** Operations that take a form, and every page that accepts a body. Doors of providers read bytes, whatever their type. */
function formTakers(routes: readonly Route[]): Route[] {
  return routes.filter((route) => /^(POST|PUT)$/.test(route.method) && takesForm(route));
}

function takesForm({ path, operation }: Route): boolean {
  if (operation) return operation.multipart !== undefined;
  return path !== '/mcp' && !isOfConsole({ path }) && !path.startsWith('/connectors/');
}

function isOfConsole({ path }: Pick<Route, 'path'>): boolean {
  return path.startsWith('/console/api');
}

/** What the console's own page sends with every request. */
function consoleHeaders({ consoleCookie: cookie }: FuzzTargets): Record<string, string> {
  return { cookie, 'sec-fetch-site': 'same-origin', 'x-corridor-console': '1' };
}

const ODD_TYPES = [
  '',
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  `multipart/form-data; boundary=${'b'.repeat(9_000)}`,
  'multipart/mixed; boundary=b',
  'application/json; charset=utf-16',
  ';',
  'a/b/c',
];
const ODD_PIECES = [
  'x',
  '%00',
  '%zz',
  '..',
  '%2F',
  'é',
  '%E2%82%AC',
  ':',
  'Customer:',
  'a'.repeat(5_000),
  '019542f5-b3e7-7d02-8000-0000000000ff',
];
const ODD_QUERIES = [
  '%00',
  '%ED%A0%80',
  '-1',
  '1e9',
  '99999999999999999999',
  '2026-13-45',
  '',
  'a,b,,c',
  'true',
  '2026-01-01T00:00:00Z',
  '=&=',
  'USD',
];

function buildTarget(route: Route, random: SeededRandom, known: FuzzTargets): string {
  const isReal = route.method !== 'DELETE' && random.next() < 0.7;
  const path = isReal
    ? fillAddress(route, known)
    : route.path.replace(/:\w+/g, () => random.pick(ODD_PIECES));
  const needed = neededQuery(route, known);
  if (needed.length > 0 && random.next() < 0.7) return `${path}?${needed.join('&')}`;
  const names = Object.keys((route.operation?.query as Schema | undefined)?.properties ?? { q: {} });
  if (random.next() < (route.operation?.query ? 0.2 : 0.8)) return path;
  const query = Array.from(
    { length: random.between(1, 3) },
    () => `${random.pick(names)}=${random.pick(ODD_QUERIES)}`,
  );
  return `${path}?${query.join('&')}`;
}

/** Query parameters that are checked first, such as `customerId` of `/sca/*` or the token of a page. */
function neededQuery({ path, operation }: Route, { ids, links }: FuzzTargets): string[] {
  if (path === REVEAL_PATH) return [`t=${links.get('reveal')}`];
  const { required = [], properties = {} } = (operation?.query ?? {}) as Schema;
  return required.map((name) => `${name}=${ids.get(String(properties[name]?.['x-id'])) ?? ''}`);
}

/** The route's path with known ids. */
function fillAddress({ path, operation }: Route, { ids, links }: FuzzTargets): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const rule = operation?.params?.[name];
    const found =
      rule && 'id' in rule
        ? ids.get(path.includes('/internal-accounts/') && operation?.signed ? 'Wallet' : rule.id)
        : links.get(name === 'invitationCode' ? 'i' : (path.split('/')[1] ?? ''));
    return found ?? '019542f5-b3e7-7d02-8000-0000000000ff';
  });
}

function buildHeaders(
  { path, operation }: Route,
  random: SeededRandom,
  known: FuzzTargets,
): Record<string, string> {
  const isMcp = path === '/mcp';
  const authorization =
    random.next() < 0.94
      ? isMcp || operation?.access === 'agent'
        ? known.agentAuthorization
        : known.authorization
      : random.pick(['Basic', 'Basic !!', 'Bearer x', `Basic ${'A'.repeat(4_000)}`, '']);
  return {
    ...((operation || isMcp) && authorization !== '' && { authorization }),
    ...(isMcp && mcpHeaders(random)),
    // The sessions have to last.
    ...(isOfConsole({ path }) &&
      !path.endsWith('/sign-out') &&
      random.next() < 0.94 &&
      consoleHeaders(known)),
    ...(random.next() < 0.05 && { 'idempotency-key': random.pick(['', 'k', 'é', 'x'.repeat(300)]) }),
    ...(random.next() < 0.03 && { 'x-svc-signature': random.pick(['', '{}', '{"v":"1","s":"AAAA"}', 'x']) }),
    ...(operation?.signed && random.next() < 0.5 && buildSignature(random, known)),
    ...(random.next() < 0.03 && { expect: random.pick(['100-continue', 'a miracle']) }),
    ...(random.next() < 0.03 && { 'content-encoding': 'gzip' }),
    ...(random.next() < 0.03 && { upgrade: 'websocket', connection: 'close, upgrade' }),
    ...(random.next() < 0.03 && { 'x-forwarded-for': '1.2.3.4, é' }),
  };
}

function mcpHeaders(random: SeededRandom): Record<string, string> {
  return {
    accept:
      random.next() < 0.9
        ? 'application/json, text/event-stream'
        : random.pick(['', '*/*', 'text/html', ',']),
    ...(random.next() < 0.1 && {
      'mcp-protocol-version': random.pick(['2025-06-18', '1999-01-01', 'é', '']),
    }),
    ...(random.next() < 0.1 && { 'mcp-session-id': random.pick(['x', 'é', 's'.repeat(4_000)]) }),
    ...(random.next() < 0.05 && { origin: random.pick(['null', 'x', 'https://evil.example']) }),
  };
}

/** Tool calls with broken arguments, and malformed messages. */
function mcpMessage(random: SeededRandom, known: FuzzTargets): string {
  const { name, input } = random.pick(TOOLS);
  const args = jsonBody(input as Schema, random, known);
  const params = `{"name":${random.next() < 0.95 ? JSON.stringify(name) : '7'},"arguments":${args}}`;
  const method = random.pick(['tools/call', 'tools/call', 'tools/call', 'tools/list', 'initialize', 'x', '']);
  const id = random.pick(['1', '1', '1', '"a"', 'null', '{}', '1e400']);
  return `{"jsonrpc":"${random.next() < 0.95 ? '2.0' : '1'}","id":${id},"method":"${method}","params":${params}}`;
}

const STAMP = {
  publicKey: '0225576f894a46e948716764e6a63a88b5fd454d27747cad2fadd2c243b297c9d4',
  scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  signature: '3006020101020101',
};
const STAMPS = [
  'x',
  '=',
  'e30',
  'é',
  'bnVsbA',
  'sandbox-valid-signature',
  ...[STAMP, { ...STAMP, signature: '30' }].map((one) =>
    Buffer.from(JSON.stringify(one)).toString('base64url'),
  ),
];

/** The headers of a signed call; sometimes one of the two is missing. */
function buildSignature(random: SeededRandom, { ids }: FuzzTargets): Record<string, string> {
  const request = random.pick(['x', 'Request:', ids.get('Request') ?? 'Request:none']);
  return {
    ...(random.next() < 0.8 && { 'svc-wallet-signature': random.pick(STAMPS) }),
    ...(random.next() < 0.8 && { 'request-id': request }),
  };
}

type Headers = Readonly<Record<string, string>>;

/** Complete most of the time; otherwise truncated, or with a wrong length. */
function send(
  method: string,
  target: string,
  headers: Headers,
  body: Buffer | undefined,
  random: SeededRandom,
): Sending {
  const roll = random.next();
  if (body === undefined) return whole(method, target, headers, Buffer.alloc(0), random);
  if (roll < 0.7) return framed(method, target, headers, body, random);
  const declared = roll < 0.85 ? body.length + random.between(1, 5_000) : random.between(0, body.length);
  const bytes = Buffer.concat([
    buildHead(method, target, { ...headers, 'content-length': String(declared) }),
    body,
  ]);
  return {
    what: `${method} ${target}`,
    pieces: split(bytes, random),
    end: random.pick(['half-close', 'destroy']),
  };
}

function framed(
  method: string,
  target: string,
  headers: Headers,
  body: Buffer,
  random: SeededRandom,
): Sending {
  if (random.next() < 0.6)
    return whole(method, target, { ...headers, 'content-length': String(body.length) }, body, random);
  const chunked = split(body, random).map((piece) =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
  );
  const all = Buffer.concat([...chunked, Buffer.from('0\r\n\r\n')]);
  return whole(method, target, { ...headers, 'transfer-encoding': 'chunked' }, all, random);
}

function whole(
  method: string,
  target: string,
  headers: Headers,
  body: Buffer,
  random: SeededRandom,
): Sending {
  const bytes = Buffer.concat([buildHead(method, target, headers), body]);
  return { what: `${method} ${target}`, pieces: split(bytes, random), end: 'wait' };
}

function buildHead(method: string, target: string, headers: Headers): Buffer {
  const all = { host: 'x', connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'utf8');
}

/** In one piece as often as in several. */
function split(bytes: Buffer, random: SeededRandom): Buffer[] {
  const count = random.pick([0, 0, 0, 1, 2, 5]);
  const cuts = Array.from({ length: count }, () => random.between(0, bytes.length)).sort((a, b) => a - b);
  return [0, ...cuts]
    .map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

/** Bytes that are not HTTP, two requests in one, or less than one. */
function brokenHttp(route: Route, random: SeededRandom, known: FuzzTargets): Sending {
  const target = fillAddress(route, known);
  const line = `${route.method} ${target} HTTP/1.1\r\nhost: x\r\nauthorization: ${known.authorization}\r\n`;
  const text = random.pick([
    'NONSENSE\r\n\r\n',
    '\r\n\r\n\0\0',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    `CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `${route.method} ${target} HTTP/9.9\r\n\r\n`,
    `${route.method} ${target}\r\n\r\n`,
    `${line}`,
    `${line}bad header\r\n\r\n`,
    `${line}x: ${'y'.repeat(70_000)}\r\n\r\n`,
    `${line}content-length: ten\r\n\r\n`,
    `${line}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`,
    `${line}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${line}transfer-encoding: chunked\r\n\r\nzz\r\n`,
    `${line}transfer-encoding: chunked\r\n\r\n5\r\nhel`,
    `${line}content-type: ${FORM_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n5\r\n--b\r\n\r\nzz\r\n`,
    `${line}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}${line}\r\n`,
    `${line}\r\n`.repeat(20),
    `${line}content-type: ${FORM_TYPE}\r\ncontent-length: 3\r\n\r\n--b${line}\r\nNONSENSE`,
  ]);
  const bytes = Buffer.from(text, 'latin1');
  return {
    what: `broken ${JSON.stringify(text.slice(0, 80))}`,
    pieces: split(bytes, random),
    end: random.pick(['half-close', 'destroy', 'half-close']),
  };
}
