// lane: whole — a part of the service that tests bring

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addCurrency } from '#capabilities/platform/add-currency.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { openApiDocument } from '#foundation/http/document/openapi.ts';
import { unauthorized } from '#foundation/http/serve/access.ts';
import { NIL_ID, newUuid, parseId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import {
  clearTab,
  makeTables,
  renderTabs,
  TAB_GATES,
  TAB_OPERATIONS,
  tabJobs,
  tabSource,
} from '#tests/checks/product.ts';
import { inCurrency, platformAccounts, posts, supports } from '#tests/given/accounts.ts';
import { givenFunds, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import type { Answered, BodyOf } from '#tests/harness/api-types.ts';
import { type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const COIN = { code: 'TABCOIN', name: 'Tab Coin', symbol: 'TC', decimals: 3 };
const AGENT = newUuid();
const BEARER = 'Bearer sat_test';

/** Tests what a product adds and what it gets from the service, which product.ts does not change. */
/** A tab, a list of them, a challenge to sign, or an action that waits for approval. */
interface TabReply {
  readonly id: string;
  readonly held: number;
  readonly parts: number;
  readonly requestId: string;
  readonly data: readonly [TabReply, ...TabReply[]];
}

describe('a product of its own', () => {
  let agentsPlatform: PlatformId = NIL_ID;
  const world = testWorld({
    prepare: makeTables,
    journalIsChecked: false,
    capability: {
      name: 'tabs',
      operations: TAB_OPERATIONS,
      jobs: ({ perform }) => tabJobs(perform),
      renderers: { CARD_TRANSACTION: renderTabs },
      gates: TAB_GATES,
      transactionSource: tabSource,
      authenticators: (runtime) => ({
        async agent(authorization) {
          const platform = await findPlatform(runtime.database.query, agentsPlatform);
          return authorization === BEARER && platform
            ? { kind: 'agent', id: AGENT, platform, customerId: NIL_ID, permissions: [], isPaused: false }
            : unauthorized();
        },
      }),
    },
  });
  let platform: TestPlatform;
  let payer: Payer;
  let coins: string;

  before(async () => {
    platform = await givenPlatform(world);
    agentsPlatform = platform.id;
    const work = await platform.work();
    await work.write((tx) => addCurrency(tx, COIN));
    await supports(platform, ['USD', 'EUR', COIN.code]);
    payer = await givenPayer(platform, 20_000);
    const account = inCurrency(await platformAccounts(platform), COIN.code);
    await posts(platform, account, 'deposit', 10_000n);
    coins = account.id;
  });

  /** These operations are not the service's own, so their replies are declared here. */
  const send = (operationId: string, call: Call = {}) =>
    platform.send(operationId, call) as Promise<Answered<BodyOf<string> & TabReply>>;
  const open = (accountId: string, amount: number, more: Call = {}) =>
    send('openTab', { body: { accountId, amount }, ...more });
  const clear = (tabId: string, amount: number, more: Call = {}) =>
    send('clearTab', { params: { tabId }, body: { amount }, ...more });
  const tabs = async () => (await send('listTabs')).body.data;

  async function given(accountId: string, amount: number): Promise<string> {
    const { status, body, raw } = await open(accountId, amount);
    assert.equal(status, 201, raw);
    return body.id;
  }

  async function audited(id: string): Promise<string[]> {
    const rows = await world.database.query<{ actor_kind: string; action: string; details: object }>(sql`
      select actor_kind, action, details from audit_log where resource like ${`%${parseId('Card', id)}%`} order by at, id`);
    return rows.map((row) => `${row.actor_kind} ${row.action} ${JSON.stringify(row.details)}`);
  }

  async function listEntries(id: string): Promise<[string, number, string[]][]> {
    const rows = await world.database.query<{ kind: string; ordinal: number; currencies: string[] }>(sql`
      select kind, ordinal, currencies from ledger_entries where transaction_id = ${parseId('Card', id)} order by seq`);
    return rows.map(({ kind, ordinal, currencies }) => [kind, ordinal, currencies]);
  }

  it('rows, entries of one kind in parts, events and balances are one commit, in a currency that the platform added', async () => {
    const receiver = await platform.receive();
    const tab = await given(coins, 900);
    assert.deepEqual((await clear(tab, 300)).body, { id: tab, currency: COIN.code, held: 600, parts: 1 });
    assert.deepEqual((await clear(tab, 200)).body, { id: tab, currency: COIN.code, held: 400, parts: 2 });
    const lines = [COIN.code, COIN.code];
    assert.deepEqual(await listEntries(tab), [
      ['card.hold_adjusted', 0, lines],
      ['card.cleared', 1, lines],
      ['card.cleared', 2, lines],
    ]);
    const { balance, totalBalance } = inCurrency(await platformAccounts(platform), COIN.code);
    assert.deepEqual([balance.amount, totalBalance?.amount], [9_600, 10_000]);
    await world.app.worker.settle(platform.id);
    const told = receiver.received
      .filter(({ body: { data } }) => data.id === tab)
      .map(({ body: { type, data } }) => [type, data.held]);
    const held = (amount: number) => ({ amount, currency: COIN });
    assert.deepEqual(told, [
      ['CARD_TRANSACTION.AUTHORIZED', held(900)],
      ['CARD_TRANSACTION.PARTIALLY_SETTLED', held(600)],
      ['CARD_TRANSACTION.PARTIALLY_SETTLED', held(400)],
    ]);
  });

  it('a refusal by the commit is reported in the product’s words, and leaves nothing', async () => {
    const usd = payer.account('USD').id;
    const poor = await open(usd, 4_999, { key: 'much' });
    assert.equal(poor.status, 201);
    const other = await givenPayer(platform, 10);
    const none = await open(other.account('USD').id, 11, { key: 'poor' });
    assert.deepEqual([none.status, none.body.code], [400, 'INSUFFICIENT_FUNDS']);
    await givenFunds(platform, other.account('USD').id, 1);
    assert.equal((await open(other.account('USD').id, 11, { key: 'poor' })).status, 201, 'its key is free');
    const tab = poor.body.id;
    assert.equal((await clear(tab, 400)).status, 201);
    const tooMuch = await clear(tab, 601, { key: 'limit' });
    assert.deepEqual([tooMuch.status, tooMuch.body.code], [429, 'DAILY_VOLUME_LIMIT_EXCEEDED']);
    assert.deepEqual((await tabs()).find(({ id }) => id === tab)?.parts, 1);
    const many = await Promise.all(Array.from({ length: 5 }, () => clear(tab, 20)));
    assert.deepEqual(
      many.map(({ status }) => status),
      Array.from({ length: 5 }, () => 201),
      'each finds the tab changed by the others and is prepared again',
    );
    assert.deepEqual((await tabs()).find(({ id }) => id === tab)?.held, 4_499);
  });

  it('a first leg is 202 with the payload to sign, stored under its key; the second leg uses it up with its effect', async () => {
    const usd = payer.account('USD').id;
    const before = (await tabs()).length;
    const first = await open(usd, 5_001, { key: 'leg 1' });
    const again = await open(usd, 5_001, { key: 'leg 1' });
    assert.equal(first.status, 202);
    assert.deepEqual([again.status, again.raw], [202, first.raw]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal((await tabs()).length, before);
    const headers = { 'request-id': first.body.requestId };
    const signed = await Promise.all(['leg 2', 'leg 2 too'].map((key) => open(usd, 5_001, { key, headers })));
    assert.deepEqual(signed.map(({ status }) => status).sort(), [201, 401], 'one signature, one tab');
    assert.equal((await tabs()).length, before + 1);
  });

  it('an agent’s action waits for approval, and the worker executes it once, each under its own name', async () => {
    await world.clock.advance(24 * 60 * 60 * 1000);
    const tab = await given(payer.account('USD').id, 1_000);
    const asAgent = { as: BEARER, key: 'same' };
    assert.equal((await clear(tab, 100, { as: BEARER })).status, 201, 'not above the threshold');
    const held = await clear(tab, 300, asAgent);
    assert.deepEqual([held.status, held.body.status], [202, 'PENDING_APPROVAL']);
    assert.equal((await clear(tab, 300, asAgent)).raw, held.raw);
    // The platform's own key of the same name is a different key.
    assert.equal((await clear(tab, 300, { key: 'same' })).body.held, 600);
    const params = { actionId: held.body.id };
    const decided = await Promise.all([1, 2].map(() => send('approveTabAction', { params })));
    assert.deepEqual(decided.map(({ status }) => status).sort(), [202, 409]);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await loadStatus(held.body.id), 'DONE');
    const after = { id: tab, currency: 'USD', held: 300, parts: 3 };
    assert.deepEqual((await tabs())[0], after);
    for (const hours of [0, 25]) {
      await world.clock.advance(hours * 60 * 60 * 1000);
      await repeat(held.body.id, tab);
      assert.deepEqual((await tabs())[0], after, 'a worker that died before it knew finds what it did');
    }
    // The audit row of a held call names the pending action, which the reply shows; the others name the tab.
    assert.deepEqual(await audited(tab), [
      'token openTab {}',
      'agent clearTab {}',
      'token clearTab {}',
      'worker clearTab {}',
    ]);
    const heldCalls = await world.database.query(sql`
      select from audit_log where action = 'clearTab' and details = '{"heldBy":"approvals"}'`);
    assert.equal(heldCalls.length, 1);
  });

  it('an approved action that is no longer possible fails, and nothing moves', async () => {
    await world.clock.advance(24 * 60 * 60 * 1000);
    const tab = await given(payer.account('USD').id, 200);
    const held = await clear(tab, 150, { as: BEARER });
    assert.equal((await clear(tab, 100)).status, 201);
    await send('approveTabAction', { params: { actionId: held.body.id } });
    await world.app.worker.settle(platform.id);
    assert.deepEqual([await loadStatus(held.body.id), (await tabs())[0].held], ['FAILED', 100]);
  });

  it('decision 0017: each operation accepts the callers that it declares, over HTTP and otherwise', async () => {
    const tab = await given(payer.account('USD').id, 10);
    assert.equal((await open(payer.account('USD').id, 10, { as: BEARER })).status, 401);
    assert.equal((await clear(tab, 1, { as: 'Bearer sat_other' })).status, 401);
    const acting = await findPlatform(world.database.query, platform.id);
    assert.ok(acting);
    const operator: Caller = { kind: 'operator', id: 'test', platform: acting, roles: [] };
    await assert.rejects(world.app.perform(clearTab, { caller: operator }), /not declared for a caller/);
  });

  it('its rows and payments are in one list', async () => {
    const reply = await world.app.http.inject({
      url: `${wireNames('Svc').basePath}/transactions`,
      headers: { authorization: platform.authorization },
    });
    const { data } = reply.json() as { data: { type: string; held?: { currency: { code: string } } }[] };
    assert.deepEqual([...new Set(data.map(({ type }) => type))].sort(), ['CARD', 'INCOMING']);
    assert.ok(data.some(({ held }) => held?.currency.code === COIN.code));
  });

  it('the document states each status with its reply, and the accepted callers', () => {
    const document = openApiDocument(world.app.operations, [], wireNames('Svc')) as unknown as {
      paths: Record<string, { post: { security: object[]; responses: Record<string, object> } }>;
      components: { securitySchemes: object };
    };
    const { post } = document.paths['/tabs/{tabId}/clearings'] ?? assert.fail();
    const schemas = ['201', '202'].map(
      (status) => JSON.stringify(post.responses[status]).match(/schemas\/(\w+)/)?.[1],
    );
    assert.deepEqual(schemas, ['Tab', 'TabAction']);
    assert.deepEqual(post.security, [{ BasicAuth: [] }, { AgentAuth: [] }]);
    assert.ok('AgentAuth' in document.components.securitySchemes);
  });

  async function loadStatus(actionId: string): Promise<string | undefined> {
    const [row] = await world.database.query<{ status: string }>(sql`
      select status from tab_actions where id = ${parseId('AgentAction', actionId)}`);
    return row?.status;
  }

  /** Acts like a worker whose process ended between the effect and the end of its job, or that has lost its lease. */
  async function repeat(actionId: string, tab: string): Promise<void> {
    const acting = await findPlatform(world.database.query, platform.id);
    assert.ok(acting);
    const again = world.app.perform(clearTab, {
      caller: { kind: 'worker', id: parseId('AgentAction', actionId) ?? '', platform: acting },
      params: { tabId: parseId('Card', tab) ?? '' },
      body: { amount: 300 },
    });
    await assert.rejects(again, (error) => error instanceof Refusal && error.code === 'CONFLICT');
  }
});
