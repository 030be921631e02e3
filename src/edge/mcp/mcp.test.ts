// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { TOOLS } from '#edge/mcp/tools.ts';
import { listActionsAs } from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent, givenNewAgent, redeem } from '#tests/given/agents.ts';
import {
  advance,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { callTool as call, McpClients } from '#tests/harness/mcp-clients.ts';

const TEN = { minorUnits: 1_000, decimal: '10.00 USD' };

describe('the MCP server', () => {
  const world = testWorld();
  const clients = new McpClients();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;
  let origin: string;
  let folder: string;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 10_000_000);
    usd = ada.account('USD').id;
    bank = await givenOutside(platform, ada.id, '999', 'USD_ACCOUNT');
    origin = await world.app.http.listen({ port: 0, host: '127.0.0.1' });
    folder = await mkdtemp(join(tmpdir(), 'corridor-mcp-'));
  });
  after(async () => {
    await clients.close();
    await rm(folder, { recursive: true, force: true });
  });

  const agentWith = (policy: object = {}) => givenConnectedAgent(platform, ada, policy);

  const overHttp = (agent: { readonly accessToken: string }, mode?: 'legacy' | 'auto') =>
    clients.overHttp(origin, agent, mode);
  const overStdio = (words: readonly string[], env?: Record<string, string>) =>
    clients.overStdio(origin, words, env);

  const quote = (client: Client, amount = TEN) =>
    call(client, 'create_quote', { fromAccountId: usd, toAccountId: bank, amount, amountIs: 'SENDING' });

  const listToolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

  /** Goes from the policy to a completed payment, like a model. */
  async function payAll(client: Client): Promise<void> {
    const { data: policy } = await call(client, 'get_my_policy');
    assert.deepEqual(policy.limits.perTransaction, { minorUnits: 100_000, decimal: '1000.00 USD' });
    const { data: accounts } = await call(client, 'list_accounts', { currency: 'USD' });
    assert.equal(accounts.items[0].accountId, usd);
    assert.match(accounts.items[0].canSpend.decimal, /^\d+\.\d\d USD$/);
    const { data: payees } = await call(client, 'list_payees', { currency: 'USD' });
    assert.equal(payees.items[0].payeeId, bank);
    const { data: priced, text } = await quote(client);
    assert.match(text, /moves nothing/);
    assert.deepEqual(priced.totalToPay, TEN);
    const paid = await call(client, 'pay_quote', { quoteId: priced.quoteId });
    assert.ok(!paid.isError, paid.text);
    assert.match(paid.text, /^STARTED/);
    await advance(platform, 7 * 24 * 3600);
    const { text: became } = await call(client, 'get_transaction', { transactionId: priced.transactionId });
    assert.match(became, /^COMPLETED/);
  }

  it('agents.md §6.1, §6.2, §6.4: over HTTP, from a device code to a completed payment', async () => {
    const { deviceCode } = await givenNewAgent(platform, ada);
    const { body } = await redeem(platform, deviceCode.code);
    await payAll(await overHttp(body));
  });

  it('agents.md §6.1, §6.2: clients of the current protocol, which has no handshake, pay like those of the previous one', async () => {
    const client = await overHttp(await agentWith(), 'auto');
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    await payAll(client);
  });

  it('agents.md §6.2: each call counts against the platform’s request rate, and batches are refused', async () => {
    const slow = await givenPlatform(world, { settings: { requestRate: { perSecond: 1, burst: 50 } } });
    const payer = await givenPayer(slow, 0);
    const { accessToken } = await givenConnectedAgent(slow, payer);
    const post = (message: unknown) =>
      world.app.http.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          authorization: `Bearer ${accessToken}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        payload: JSON.stringify(message),
      });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    assert.equal((await post([list, { ...list, id: 2 }])).statusCode, 400);
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 60) statuses.push((await post(list)).statusCode);
    assert.equal(statuses[0], 200);
    assert.equal(statuses.at(-1), 429);
  });

  it('agents.md §6.2, §2.13: over stdio, from a device code to a completed payment; the token’s file is readable by its owner only', async () => {
    const { deviceCode } = await givenNewAgent(platform, ada);
    const path = join(folder, 'token');
    await payAll(await overStdio(['--token-file', path, '--code', deviceCode.code]));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.match(await readFile(path, 'utf8'), /^sat_[0-9a-f]{40}\n$/);
    const again = await overStdio(['--token-file', path, '--code', deviceCode.code]);
    assert.ok((await listToolNames(again)).includes('pay_quote'), 'the next start uses the stored token');
    await chmod(path, 0o644);
    await assert.rejects(overStdio(['--token-file', path]), 'a token that others can read is not used');
  });

  it('a device code that is refused leaves no file behind', async () => {
    const path = join(folder, 'refused');
    await assert.rejects(overStdio(['--token-file', path, '--code', 'SVC-AGENT-AAAA-AAAA-AAAA']));
    await assert.rejects(stat(path), { code: 'ENOENT' });
  });

  for (const transport of ['HTTP', 'stdio'] as const) {
    const connect = (agent: { readonly accessToken: string }) =>
      transport === 'HTTP' ? overHttp(agent) : overStdio([], { CORRIDOR_AGENT_TOKEN: agent.accessToken });

    it(`agents.md §4.5, §4.6: over ${transport} a waiting payment says that nothing was paid, even when repeated`, async () => {
      const agent = await agentWith(APPROVAL);
      const client = await connect(agent);
      const { data } = await quote(client);
      const before = await fetchBalance(platform, ada, 'USD');
      const first = await call(client, 'pay_quote', { quoteId: data.quoteId });
      assert.match(first.text, /^NOT PAID YET: this waits for approval/);
      const second = await call(client, 'pay_quote', { quoteId: data.quoteId });
      assert.match(
        second.text,
        /^You made this call before, and nothing was done again. Its current state: NOT PAID YET/,
      );
      assert.equal(second.data.actionId, first.data.actionId);
      assert.equal(await fetchBalance(platform, ada, 'USD'), before);
      const params = { agentId: agent.id, actionId: first.data.actionId };
      assert.equal((await platform.send('approveAgentAction', { params })).status, 200);
      const seen = await call(client, 'get_action', { actionId: first.data.actionId });
      assert.match(seen.text, /^STARTED/);
      assert.equal(seen.data.status, 'APPROVED');
      const { data: listed } = await call(client, 'list_actions', { status: 'PENDING_APPROVAL' });
      assert.deepEqual(listed.items, []);
      await advance(platform, 7 * 24 * 3600);
      const became = await call(client, 'get_action', { actionId: first.data.actionId });
      assert.match(became.text, /^COMPLETED/);
    });

    it(`agents.md §5.1, §6.2: over ${transport} a transfer that is rejected says that nothing was paid`, async () => {
      const agent = await agentWith(APPROVAL);
      const client = await connect(agent);
      const asked = { fromAccountId: usd, toPayeeId: bank, amount: TEN, idempotencyKey: 'rejected' };
      const { text, data } = await call(client, 'transfer_out', asked);
      assert.match(text, /^NOT PAID YET/);
      const params = { agentId: agent.id, actionId: data.actionId };
      assert.equal((await platform.send('rejectAgentAction', { params })).status, 200);
      const seen = await call(client, 'list_actions');
      assert.match(seen.data.items[0].outcome, /^NOT PAID: a person at the platform rejected this/);
      assert.equal(seen.data.items[0].status, 'REJECTED');
    });

    it(`agents.md §4.1: over ${transport} a refusal is an error of the tool, with code, reason and violation`, async () => {
      const agent = await agentWith();
      const client = await connect(agent);
      const { data } = await quote(client, { minorUnits: 200_000, decimal: '2000.00 USD' });
      const paid = await call(client, 'pay_quote', { quoteId: data.quoteId });
      assert.ok(paid.isError);
      assert.match(paid.text, /^REFUSED: FORBIDDEN: /);
      assert.equal(paid.error.details.violation, 'PER_TRANSACTION_LIMIT');
      assert.deepEqual(await listActionsAs(platform, agent), []);
    });

    it(`agents.md §3.3, §6.2: over ${transport} a payment by a paused agent, or one without permission, is refused`, async () => {
      const agent = await agentWith();
      const client = await connect(agent);
      const { data } = await quote(client);
      const pay = () => call(client, 'pay_quote', { quoteId: data.quoteId });
      const listed = await listToolNames(client);
      const params = { agentId: agent.id };
      const pause = (isPaused: boolean) => platform.send('updateAgent', { params, body: { isPaused } });
      assert.equal((await pause(true)).status, 200);
      const paused = await pay();
      assert.ok(paused.isError);
      assert.equal(paused.error.details.violation, 'PAUSED');
      assert.match((await call(client, 'get_my_policy')).text, /^You are PAUSED/);
      assert.deepEqual(await listToolNames(client), listed, 'a pause does not change the list');
      await pause(false);
      const body = { permissions: ['VIEW_TRANSACTIONS'] };
      assert.equal((await platform.send('updateAgentPolicy', { params, body })).status, 200);
      assert.ok(!(await listToolNames(client)).includes('pay_quote'));
      const unlisted = await pay();
      assert.ok(unlisted.isError);
      assert.equal(unlisted.error.details.violation, 'PERMISSION');
      assert.deepEqual(await listActionsAs(platform, agent), []);
    });

    it(`agents.md §6.2: over ${transport} a model that retries pays once`, async () => {
      const agent = await agentWith();
      const client = await connect(agent);
      const { data } = await quote(client);
      const before = await fetchBalance(platform, ada, 'USD');
      const pay = () => call(client, 'pay_quote', { quoteId: data.quoteId });
      const paid = await Promise.all([pay(), pay(), pay()]);
      assert.deepEqual(new Set(paid.map((told) => told.data.actionId)).size, 1);
      const transfer = { fromAccountId: usd, toPayeeId: bank, amount: TEN, idempotencyKey: 'rent' };
      const moved = [
        await call(client, 'transfer_out', transfer),
        await call(client, 'transfer_out', transfer),
      ];
      assert.deepEqual(new Set(moved.map((told) => told.data.actionId)).size, 1);
      assert.equal(await fetchBalance(platform, ada, 'USD'), before - 2_000);
      const other = await call(client, 'transfer_out', { ...transfer, memo: 'other' });
      assert.match(other.text, /^REFUSED: DUPLICATE_PAY_REQUEST/);
    });
  }

  it('agents.md §6.2, §6.4: transfers require a key, and amounts whose forms disagree are refused', async () => {
    const client = await overHttp(await agentWith());
    const transfer = { fromAccountId: usd, toPayeeId: bank, amount: TEN };
    const keyless = await call(client, 'transfer_out', transfer);
    assert.match(keyless.text, /^REFUSED: INVALID_INPUT: idempotencyKey/);
    const wrong = { ...transfer, amount: { minorUnits: 10, decimal: '10.00 USD' }, idempotencyKey: 'x' };
    assert.match((await call(client, 'transfer_out', wrong)).text, /minorUnits 10 is "0.10 USD"/);
  });

  it('agents.md §6.2: tools that the policy does not permit are not listed, and their operations refuse them', async () => {
    for (const permission of [undefined, ...new Set(TOOLS.flatMap(({ needs }) => needs))]) {
      const client = await overHttp(await agentWith({ permissions: permission ? [permission] : [] }));
      const listed = await listToolNames(client);
      for (const tool of TOOLS) {
        const isNeeded = tool.needs.length === 0 || tool.needs.some((need) => need === permission);
        assert.equal(listed.includes(tool.name), isNeeded, `${tool.name} with ${permission}`);
      }
    }
    const poor = await overHttp(await agentWith({ permissions: [] }));
    const transfer = { amount: TEN, idempotencyKey: 'x' };
    const refused: [name: string, args: object][] = [
      ['list_accounts', {}],
      ['list_payees', {}],
      ['add_payee', { currency: 'EUR', accountInfo: { accountType: 'EUR_ACCOUNT' } }],
      ['create_quote', { fromAccountId: usd, toAccountId: bank, amount: TEN, amountIs: 'SENDING' }],
      ['transfer_out', { ...transfer, fromAccountId: usd, toPayeeId: bank }],
      ['transfer_in', { ...transfer, fromPayeeId: bank, toAccountId: usd }],
      ['list_transactions', {}],
      ['get_transaction', { transactionId: usd.replace('InternalAccount', 'Transaction') }],
    ];
    for (const [name, args] of refused) {
      const { error, text } = await call(poor, name, args);
      assert.equal(error.details?.violation, 'PERMISSION', `${name}: ${text}`);
    }
  });

  it('agents.md §6.1: without an agent’s token it is 401, and with the Origin of another page 403', async () => {
    const { accessToken } = await agentWith();
    const send = (headers: Record<string, string>) =>
      fetch(new URL('/mcp', origin), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
    const authorization = `Bearer ${accessToken}`;
    const own = `http://localhost:${new URL(origin).port}`;
    const statuses: [headers: Record<string, string>, status: number][] = [
      [{}, 401],
      [{ authorization: platform.authorization }, 401],
      [{ authorization: `Bearer sat_${'0'.repeat(40)}` }, 401],
      [{ authorization, origin: 'https://evil.example' }, 403],
      [{ authorization, origin: 'null' }, 403],
      [{ authorization, origin: own }, 200],
      [{ authorization }, 200],
    ];
    for (const [headers, status] of statuses) {
      const reply = await send(headers);
      assert.equal(reply.status, status, `${JSON.stringify(headers)} ${await reply.text()}`);
    }
  });
});
