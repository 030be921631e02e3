/**
 * A connector without dependencies; docs/rules/connectors.md has its duties. The bank behind it is bank.mjs.
 *
 *     SECRET_FILE=secrets DATABASE=bank.sqlite PORT=9400 node connector.mjs
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import * as bank from './bank.mjs';

const NAME = (process.env.SERVICE_NAME ?? 'Svc').toLowerCase();
/** Such as https://corridor.example/connectors/nordbank/nudge. */
const { NUDGE_URL } = process.env;
const CODES = {
  ...{ 400: 'INVALID', 401: 'UNAUTHORIZED', 404: 'NOT_FOUND', 409: 'CONFLICT', 410: 'UNKNOWN_CURSOR' },
  503: 'UNAVAILABLE',
};

function carryOut(method, url, sent) {
  const body = parse(sent);
  bank.need(body && sent.length <= 65_536, 400, 'the body is a JSON object of up to 64 KiB');
  const [what, id, more] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const query = (name, otherwise) => url.searchParams.get(name) ?? otherwise;
  const parts = url.pathname.split('/').length - 1;
  switch (`${method} ${what} ${parts}`) {
    case 'GET capabilities 1':
      return [200, bank.CAPABILITIES];
    case 'PUT orders 2':
      return bank.putOrder(id, body);
    case 'GET orders 2':
      return [200, bank.show('order', id)];
    case 'POST orders 3':
      if (more === 'cancel') return [200, bank.cancel(id)];
      break;
    case 'PUT accounts 2':
      return bank.putAccount(id, body);
    case 'GET accounts 2':
      return [200, bank.show('account', id)];
    case 'DELETE accounts 2':
      return [200, bank.closeAccount(id)];
    case 'GET events 1':
      return [200, bank.listEvents(query('after', '0'), query('limit', '500'))];
    case 'GET statements 1':
      return [200, bank.statement(query('settlementAccount', ''), query('date', ''))];
    case 'POST name-checks 1':
      return [200, bank.checkName(body)];
    case 'POST test 2':
      if (id === 'play') return [200, bank.play(body)];
      if (id === 'credit') return [200, bank.credit(body)];
  }
  throw new bank.Refusal(404, 'there is no such call');
}

function parse(sent) {
  try {
    const value = sent.length === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(sent));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Read at every call: the file has a second line during a rotation. */
function readKeys() {
  const lines = readFileSync(process.env.SECRET_FILE, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return new Map(lines.map((line) => line.trim().split(/\s+/)));
}

function mac(secret, ...lines) {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(lines.join('\n')).digest();
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

const SKEW_MS = 5 * 60_000;

function isSigned(secret, header, linesAt) {
  try {
    const { v, t, s } = JSON.parse(header);
    const isTimely = Math.abs(Date.now() - Date.parse(t)) <= SKEW_MS;
    return v === '2' && isTimely && timingSafeEqual(Buffer.from(s, 'base64'), mac(secret, ...linesAt(t)));
  } catch {
    return false;
  }
}

/** Says that there are events. It may be lost: Corridor reads them every few seconds anyway. */
async function nudge(key, secret) {
  const [id, t] = [randomUUID(), new Date().toISOString()];
  const s = mac(secret, 'nudge', 'POST', new URL(NUDGE_URL).pathname, id, t, sha256('')).toString('base64');
  const headers = {
    [`x-${NAME}-request-id`]: id,
    [`x-${NAME}-signature-key-id`]: key,
    [`x-${NAME}-signature`]: JSON.stringify({ v: '2', t, s }),
  };
  const { ok, status } = await fetch(NUDGE_URL, {
    method: 'POST',
    headers,
    signal: AbortSignal.timeout(5_000),
  });
  if (!ok) throw new Error(`the nudge was answered with ${status}`);
}

async function handle(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const sent = Buffer.concat(chunks);
  const { method, url: path, headers } = request;
  const id = headers[`x-${NAME}-request-id`] ?? '';
  const keys = readKeys();
  const key = headers[`x-${NAME}-signature-key-id`];
  const secret = keys.get(key);
  let status, answer;
  try {
    const lines = (t) => ['request', method, path, id, t, sha256(sent)];
    bank.need(secret && isSigned(secret, headers[`x-${NAME}-signature`], lines), 401, 'bad signature');
    const before = bank.lastEvent();
    [status, answer] = bank.transaction(() => carryOut(method, new URL(path, 'http://connector'), sent));
    if (NUDGE_URL && bank.lastEvent() !== before)
      nudge(key, secret).catch((error) => console.error('nudge', error.message));
  } catch (error) {
    // A fault of our own kept nothing, so the call can be repeated.
    if (!(error instanceof bank.Refusal)) console.error(method, path, error);
    status = error.status ?? 503;
    answer = { code: CODES[status], reason: error.status ? error.message : 'an internal fault' };
  }
  const body = JSON.stringify(answer);
  const t = new Date().toISOString();
  const signature = mac(secret ?? [...keys.values()][0], 'answer', id, status, bank.STORE, t, sha256(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    [`x-${NAME}-store`]: bank.STORE,
    [`x-${NAME}-signature`]: JSON.stringify({ v: '2', t, s: signature.toString('base64') }),
    ...(status === 503 && { 'retry-after': '1' }),
  });
  response.end(body);
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy());
});
server.listen(Number(process.env.PORT ?? 9400), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
