// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { listActionsAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { fetchBalance, givenOutside, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const JSON_TYPE = 'application/json';
const ACCEPT = 'application/json, text/event-stream';
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('/mcp', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let agent: Awaited<ReturnType<typeof givenConnectedAgent>>;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 1_000_000);
    agent = await givenConnectedAgent(platform, ada);
  });

  const send = (
    payload: string | Buffer,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' = 'POST',
  ) =>
    world.app.http.inject({
      method,
      url: '/mcp',
      headers: {
        authorization: `Bearer ${agent.accessToken}`,
        'content-type': JSON_TYPE,
        accept: ACCEPT,
        ...headers,
      },
      ...(method !== 'GET' && method !== 'HEAD' && { payload }),
    });

  it('agents.md §6.1: there is no stream and no session: every method but POST is 405 with Allow, with and without a token', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      for (const headers of [{}, { authorization: 'Bearer x' }, { 'mcp-session-id': 'abc' }]) {
        const reply = await send('', headers, method);
        assert.equal(reply.statusCode, 405, method);
        assert.equal(reply.headers.allow, 'POST');
        if (method !== 'HEAD') assert.equal(reply.json().code, 'METHOD_NOT_ALLOWED');
      }
    }
  });

  it('agents.md §6.1: an invalid or unsupported message is refused with a reason, never as an internal error', async () => {
    const call = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const list = JSON.stringify(LIST);
    const odd: [payload: string | Buffer, headers?: Record<string, string>][] = [
      [''],
      ['{'],
      ['null'],
      ['7'],
      ['"tools/list"'],
      ['{}'],
      ['[]'],
      [`[${list}]`],
      [Buffer.from([0x7b, 0xff, 0x7d])],
      [`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
      [`"${'x'.repeat(2_000_000)}"`],
      [JSON.stringify({ ...LIST, jsonrpc: '1.0' })],
      [JSON.stringify({ ...LIST, method: 7 })],
      [JSON.stringify({ ...LIST, id: { a: 1 } })],
      [list, { 'content-type': 'text/plain' }],
      [list, { 'content-type': 'application/xml' }],
      [list, { accept: 'text/html' }],
      [list, { 'mcp-protocol-version': '1999-01-01' }],
      [list, { 'mcp-protocol-version': 'é' }],
      [list, { 'content-encoding': 'gzip', 'content-type': 'text/csv' }],
      [list, { origin: 'https://evil.example' }],
      [list, { origin: 'x' }],
    ];
    for (const [payload, headers] of odd) {
      const reply = await send(payload, headers);
      const what = `${String(payload).slice(0, 60)} ${JSON.stringify(headers)}: ${reply.body}`;
      assert.ok(reply.statusCode >= 400 && reply.statusCode < 500, `${reply.statusCode} to ${what}`);
      const { code, reason, error } = reply.json();
      assert.ok((code && reason) || (error.code && error.message), what);
    }
    const bad: unknown[] = [
      undefined,
      null,
      {},
      { name: 7 },
      { name: '__proto__' },
      { name: 'pay_quote', arguments: [] },
      { name: 'pay_quote', arguments: 'x' },
      { name: 'pay_quote', arguments: { quoteId: '../../agents' } },
      { name: 'pay_quote', arguments: { quoteId: '\u0000' } },
      { name: 'get_transaction', arguments: { transactionId: 'é'.repeat(50) } },
      { name: 'list_transactions', arguments: { status: '\ud800', startDate: 'yesterday', limit: -1 } },
      { name: 'list_accounts', arguments: { currency: '\u0000' } },
      { name: 'add_payee', arguments: { currency: 'EUR', accountInfo: { accountType: '__proto__' } } },
      { name: 'create_quote', arguments: { amount: { minorUnits: 1e300, decimal: '1 USD' } } },
    ];
    for (const params of bad) {
      const reply = await send(call(params));
      assert.ok(reply.statusCode < 500, `${reply.statusCode} to ${JSON.stringify(params)}: ${reply.body}`);
      const data = reply.body.startsWith('{') ? reply.body : reply.body.slice(reply.body.indexOf('{'));
      const { error, result } = JSON.parse(data.trim());
      assert.ok(error ? error.message : result.isError, `${JSON.stringify(params)}: ${reply.body}`);
      assert.ok(
        !/INTERNAL_ERROR|Internal error/.test(reply.body),
        `${JSON.stringify(params)}: ${reply.body}`,
      );
    }
    assert.equal((await send(list)).statusCode, 200);
    assert.deepEqual(await listActionsAs(platform, agent), []);
  });

  /** The parameters of a valid `initialize`, and of a valid request of the protocol without it. */
  const INITIALIZE = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const ENVELOPE = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const WRONG = [
    undefined,
    null,
    7,
    -1.5,
    '',
    'x'.repeat(300),
    true,
    [],
    [{}],
    {},
    { a: { b: [null] } },
    '\u0000',
  ];

  it('agents.md §6.7: invalid parameters are -32602 with our own message, never an internal error or a validator’s text', async () => {
    const paths = (value: unknown): string[][] =>
      value !== null && typeof value === 'object'
        ? Object.entries(value).flatMap(([name, member]) => [
            [name],
            ...paths(member).map((path) => [name, ...path]),
          ])
        : [];
    const changed = (value: unknown, [name = '', ...rest]: string[], to: unknown): unknown => ({
      ...(value as object),
      [name]: rest.length === 0 ? to : changed((value as Record<string, unknown>)[name], rest, to),
    });
    const tool = { name: 'get_my_policy', arguments: {} };
    const bases: [method: string, params: object][] = [
      ['initialize', INITIALIZE],
      ['tools/list', { cursor: 'x', _meta: { progressToken: 1 } }],
      ['tools/call', { ...tool, _meta: { progressToken: 1 } }],
      ['ping', { _meta: { progressToken: 1 } }],
      ['server/discover', { _meta: ENVELOPE }],
      ['tools/list', { _meta: ENVELOPE }],
      ['tools/call', { ...tool, _meta: ENVELOPE }],
    ];
    let malformed = 0;
    for (const [method, params] of bases) {
      const requests = [
        ...WRONG.map((wrong) => ({ jsonrpc: '2.0', id: 1, method, params: wrong })),
        ...paths(params).flatMap((path) =>
          WRONG.map((wrong) => ({ jsonrpc: '2.0', id: 1, method, params: changed(params, path, wrong) })),
        ),
      ];
      for (const request of requests) {
        const reply = await send(JSON.stringify(request));
        const what = `${JSON.stringify(request)}: ${reply.statusCode} ${reply.body}`;
        assert.ok(reply.statusCode < 500, what);
        if (!reply.body.includes('{')) continue;
        const { error } = JSON.parse(reply.body.slice(reply.body.indexOf('{')).trim());
        if (error === undefined) continue;
        assert.notEqual(error.code, -32603, what);
        assert.doesNotMatch(
          JSON.stringify(error),
          /expected|received|invalid_|Invalid input|unrecognized|too_small|too_big|\[\\n/i,
          what,
        );
        if (method === 'initialize') {
          // Without a parameters object it is not a message at all.
          const isMessage = request.params === undefined || Object(request.params) === request.params;
          const isNoMessage = !isMessage || Array.isArray(request.params);
          assert.equal(error.code, isNoMessage ? -32600 : -32602, what);
          malformed += 1;
        }
      }
    }
    assert.ok(malformed > 20, `${malformed} were malformed`);
  });

  it('agents.md §6.1: the protocol version is negotiated: the client’s, else a supported one', async () => {
    const initialize = async (protocolVersion: string) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const reply = await send(JSON.stringify({ ...LIST, method: 'initialize', params }));
      assert.equal(reply.statusCode, 200, reply.body);
      assert.equal(reply.headers['mcp-session-id'], undefined, 'nothing is kept');
      return JSON.parse(reply.body.slice(reply.body.indexOf('{')).trim()).result;
    };
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const { protocolVersion, serverInfo, instructions } = await initialize(version);
      assert.equal(protocolVersion, version);
      assert.equal(serverInfo.name, 'corridor');
      assert.match(instructions, /untrustedText/);
    }
    assert.match((await initialize('1999-01-01')).protocolVersion, /^202\d-\d\d-\d\d$/);
  });

  it('agents.md §6.1, §6.2: a client that disconnects during a call breaks nothing, and still pays once', async () => {
    const bank = await givenOutside(platform, ada.id, '999', 'USD_ACCOUNT');
    const origin = await world.app.http.listen({ port: 0, host: '127.0.0.1' });
    const before = await fetchBalance(platform, ada, 'USD');
    const args = {
      fromAccountId: ada.account('USD').id,
      toPayeeId: bank,
      amount: { minorUnits: 1_000, decimal: '10.00 USD' },
      idempotencyKey: 'gone',
    };
    const message = JSON.stringify({
      ...LIST,
      method: 'tools/call',
      params: { name: 'transfer_out', arguments: args },
    });
    const head =
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${agent.accessToken}\r\n` +
      `Content-Type: ${JSON_TYPE}\r\nAccept: ${ACCEPT}\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n`;
    for (const sent of [head, head + message.slice(0, 20), head + message, head + message]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1');
        socket.on('error', () => undefined).on('close', () => resolve());
        socket.write(sent, () => socket.destroy());
      });
    }
    const reply = await send(message);
    assert.equal(reply.statusCode, 200, reply.body);
    assert.equal((await listActionsAs(platform, agent)).length, 1);
    assert.equal(await fetchBalance(platform, ada, 'USD'), before - 1_000);
  });
});
