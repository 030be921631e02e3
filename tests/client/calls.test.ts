import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type CorridorError,
  type CorridorOptions,
  createCorridor,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '@corridor/client';
import { type Script, scriptedServer } from '#tests/client/scripted-server.ts';

const TRANSFER = {
  source: { accountId: 'InternalAccount:1' },
  destination: { accountId: 'ExternalAccount:1' },
  amount: 100,
};
const CREDENTIALS = { tokenId: 'token', clientSecret: 'secret' };
const OK = { status: 200, body: { id: 'Transaction:1' } };

/** A client of a server with this script. Instead of waiting it records the delay. */
async function given(t: TestContext, script: Script, options: Partial<CorridorOptions> = {}) {
  const server = await scriptedServer(script);
  t.after(server.close);
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const corridor = createCorridor({ baseUrl: server.url, ...CREDENTIALS, wait, ...options });
  return { corridor, server, waits };
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'x-request-id': 'the-id', ...headers },
  body: { status, code, reason: 'Because.', details: { errors: [{ field: 'a', message: 'Bad.' }] } },
});

describe('the client sends', () => {
  it('platform.md §1.3.1: the credentials of a platform, under the base path, in the address and body that the document describes', async (t) => {
    const { corridor, server } = await given(t, [OK]);
    await corridor.updateCustomerById('Customer:1/2', { customerType: 'INDIVIDUAL', fullName: 'Ada' });
    const [sent] = server.seen;
    assert.equal(sent?.method, 'PATCH');
    assert.equal(sent.url, '/svc/2025-10-13/customers/Customer%3A1%2F2');
    assert.equal(sent.headers.authorization, `Basic ${btoa('token:secret')}`);
    assert.deepEqual(JSON.parse(sent.body), { customerType: 'INDIVIDUAL', fullName: 'Ada' });
  });

  it('platform.md §1.3.3: the token of an agent', async (t) => {
    const server = await scriptedServer([OK]);
    t.after(server.close);
    await createCorridor({ baseUrl: `${server.url}/svc/2025-10-13/`, agentToken: 'sat_1' }).getAgentMe();
    assert.equal(server.seen[0]?.url, '/svc/2025-10-13/agents/me');
    assert.equal(server.seen[0].headers.authorization, 'Bearer sat_1');
  });

  it('query and body separately, if a call has both', async (t) => {
    const { corridor, server } = await given(t, [OK]);
    await corridor.startScaLogin({ customerId: 'Customer:1', factor: 'SMS_OTP' });
    assert.equal(server.seen[0]?.url, '/svc/2025-10-13/sca/login/start?customerId=Customer%3A1');
    assert.deepEqual(JSON.parse(server.seen[0].body), { factor: 'SMS_OTP' });
  });

  it('platform.md §1.2.7: the names of a service with another name, and understands them', async (t) => {
    const body = { code: 'ACME_SWITCH_ERROR', reason: 'Because.' };
    const { corridor, server } = await given(t, [{ status: 500, body }], {
      serviceName: 'Acme',
      maxRetries: 0,
    });
    const options = { walletSignature: 'stamp', requestId: 'Request:1' };
    const failure = corridor.executeQuote('Quote:1', undefined, options);
    await assert.rejects(failure, { code: 'SVC_SWITCH_ERROR' });
    assert.equal(server.seen[0]?.url, '/acme/2025-10-13/quotes/Quote%3A1/execute');
    assert.equal(server.seen[0].headers['acme-wallet-signature'], 'stamp');
    assert.equal(server.seen[0].headers['request-id'], 'Request:1');
  });
});

describe('when the client tries again', () => {
  it('platform.md §2.3: a call with a key after no answer and after a failure of the service, under one key', async (t) => {
    const { corridor, server, waits } = await given(t, ['hang up', { status: 502 }, OK]);
    assert.deepEqual(await corridor.createTransferOut(TRANSFER), OK.body);
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 3);
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
    assert.equal(new Set(keys).size, 1);
    assert.ok(waits[0] !== undefined && waits[0] > 370 && waits[0] <= 500, `${waits}`);
    assert.ok(waits[1] !== undefined && waits[1] > 740 && waits[1] <= 1_000, `${waits}`);
    await corridor.createTransferOut(TRANSFER);
    assert.notEqual(server.seen[3]?.headers['idempotency-key'], keys[0]);
  });

  it('platform.md §2.1: a key of the caller is sent as it is, and none to calls that honour none', async (t) => {
    const { corridor, server } = await given(t, [OK]);
    await corridor.createTransferOut(TRANSFER, { idempotencyKey: 'mine' });
    await corridor.redeemAgentDeviceCode('CODE');
    await corridor.getPlatformConfig({ idempotencyKey: 'mine' });
    assert.deepEqual(
      server.seen.map(({ headers }) => headers['idempotency-key']),
      ['mine', undefined, undefined],
    );
  });

  it('not a POST without a key, and not one with a stamp, after no answer: it may have been carried out', async (t) => {
    const { corridor, server, waits } = await given(t, ['hang up']);
    await assert.rejects(corridor.redeemAgentDeviceCode('CODE'), ConnectionError);
    await assert.rejects(
      corridor.revokeAuthSession('Session:1', { walletSignature: 'stamp' }),
      ConnectionError,
    );
    assert.equal(server.seen.length, 2);
    assert.deepEqual(waits, []);
  });

  it('any call after a 429, when the service says', async (t) => {
    const tooOften = refusal(429, 'RATE_LIMITED', { 'retry-after': '7' });
    const { corridor, waits } = await given(t, [tooOften, OK]);
    await corridor.redeemAgentDeviceCode('CODE');
    assert.deepEqual(waits, [7_000]);
  });

  it('not if the service asks for more than a minute', async (t) => {
    const { corridor, waits } = await given(t, [refusal(429, 'RATE_LIMITED', { 'retry-after': '61' })]);
    await assert.rejects(corridor.getPlatformConfig(), { retryAfterSeconds: 61 });
    assert.deepEqual(waits, []);
  });

  it('platform.md §1.1.7: never if the service says that a retry cannot help, and always if it says that it may', async (t) => {
    const final = { 'x-should-retry': 'false' };
    const stopped = await given(t, [refusal(429, 'DAILY_VOLUME_LIMIT_EXCEEDED', final)]);
    await assert.rejects(stopped.corridor.createTransferOut(TRANSFER), RateLimitError);
    assert.equal(stopped.server.seen.length, 1);
    const used = refusal(409, 'CONFLICT', { 'x-should-retry': 'true', 'retry-after': '1' });
    const busy = await given(t, [used, OK]);
    await busy.corridor.createTransferOut(TRANSFER);
    assert.deepEqual(busy.waits, [1_000]);
  });

  it('at most twice, or as often as configured, and then reports the failure of the last try', async (t) => {
    const { corridor, server } = await given(t, ['hang up', 'hang up', { status: 503 }]);
    await assert.rejects(corridor.getPlatformConfig(), { name: 'ServerError', status: 503 });
    assert.equal(server.seen.length, 3);
    await assert.rejects(corridor.getPlatformConfig({ maxRetries: 0 }));
    assert.equal(server.seen.length, 4);
  });

  it('not once the caller has ended the call, also while it waits', async (t) => {
    const ended = new AbortController();
    const server = await scriptedServer([{ status: 503 }]);
    t.after(server.close);
    const onReply = () => ended.abort(new Error('enough'));
    const corridor = createCorridor({ baseUrl: server.url, ...CREDENTIALS, onReply });
    await assert.rejects(corridor.getPlatformConfig({ signal: ended.signal }), { message: 'enough' });
    await assert.rejects(corridor.getPlatformConfig({ signal: ended.signal }), { message: 'enough' });
    assert.equal(server.seen.length, 1);
  });
});

describe('the client’s errors', () => {
  it('platform.md §10.0.2: are classes that a program can react to, with the whole refusal', async (t) => {
    const kinds: [number, string, typeof CorridorError][] = [
      [400, 'INVALID_INPUT', InvalidRequestError],
      [401, 'UNAUTHORIZED', AuthenticationError],
      [403, 'FORBIDDEN', PermissionError],
      [404, 'CUSTOMER_NOT_FOUND', NotFoundError],
      [409, 'CONFLICT', ConflictError],
      [410, 'CUSTOMER_DELETED', NotFoundError],
      [423, 'ACCOUNT_LOCKED', InvalidRequestError],
      [429, 'RATE_LIMITED', RateLimitError],
      [500, 'INTERNAL_ERROR', ServerError],
    ];
    for (const [status, code, Kind] of kinds) {
      const { corridor } = await given(t, [refusal(status, code)], { maxRetries: 0 });
      const error = await corridor.getCustomerById('Customer:1').catch((caught) => caught);
      assert.ok(error instanceof Kind, `${status} gives ${error.name}`);
      const { reason, requestId, errors } = error;
      assert.deepEqual([error.status, error.code, reason, requestId], [status, code, 'Because.', 'the-id']);
      assert.deepEqual(errors, [{ field: 'a', message: 'Bad.' }]);
    }
  });

  it('an answer that is not the API’s, and a missing answer, have codes of their own', async (t) => {
    const { corridor } = await given(t, [{ status: 502, body: 'Bad gateway' }, 'hang up'], { maxRetries: 0 });
    await assert.rejects(corridor.getPlatformConfig(), { name: 'ServerError', code: 'UNEXPECTED_REPLY' });
    await assert.rejects(corridor.getPlatformConfig(), { code: 'CONNECTION_FAILED', status: undefined });
  });
});

describe('the client, used wrongly', () => {
  it('a 200 that is not JSON comes from another server: the error says so, and the call is not retried', async (t) => {
    const { corridor, server } = await given(t, [{ status: 200, text: '<html>' }]);
    await assert.rejects(corridor.getPlatformConfig(), { code: 'UNEXPECTED_REPLY', status: 200 });
    assert.equal(server.seen.length, 1);
  });

  it('an error of the caller’s own onReply goes to the caller, and nothing is sent again', async (t) => {
    const server = await scriptedServer([{ status: 200, body: {} }]);
    t.after(server.close);
    const onReply = () => {
      throw new Error('of the caller');
    };
    const corridor = createCorridor({ baseUrl: server.url, ...CREDENTIALS, onReply });
    await assert.rejects(corridor.createToken({ name: 'x', permissions: ['VIEW'] }), {
      message: 'of the caller',
    });
    assert.equal(server.seen.length, 1);
  });

  it('an id that is missing, or that a URL would resolve, is refused before anything is sent', async (t) => {
    const { corridor, server } = await given(t, [{ status: 204 }]);
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      await assert.rejects(
        async () => corridor.deleteCustomerById(id),
        /^TypeError: customerId must be an id/,
      );
    }
    assert.equal(server.seen.length, 0);
  });
});

describe('the client’s lists', () => {
  it('platform.md §1.4.1: are a page if awaited, and all items if iterated', async (t) => {
    const pages = [
      { status: 200, body: { data: [{ id: 'a' }, { id: 'b' }], hasMore: true, nextCursor: 'next' } },
      { status: 200, body: { data: [{ id: 'c' }], hasMore: false } },
    ];
    const { corridor, server } = await given(t, pages);
    const ids: string[] = [];
    for await (const { id } of corridor.listTokens({ name: 'x', limit: 2 })) ids.push(id);
    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.deepEqual(
      server.seen.map(({ url }) => url.split('?')[1]),
      ['name=x&limit=2', 'name=x&limit=2&cursor=next'],
    );
    const { data } = await corridor.listTokens();
    assert.equal(data.length, 1);
  });

  it('load no page that the caller does not ask for', async (t) => {
    const page = { status: 200, body: { data: [{ id: 'a' }], hasMore: true, nextCursor: 'next' } };
    const { corridor, server } = await given(t, [page]);
    for await (const _token of corridor.listTokens()) break;
    assert.equal(server.seen.length, 1);
  });

  it('fail where a page does', async (t) => {
    const { corridor } = await given(t, [refusal(400, 'INVALID_INPUT')]);
    await assert.rejects(Array.fromAsync(corridor.listTokens()), InvalidRequestError);
    await assert.rejects(corridor.listTokens(), InvalidRequestError);
  });
});
