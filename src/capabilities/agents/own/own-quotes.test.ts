import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { refusedFields } from '#tests/given/external-accounts.ts';
import { execute, givenOutside, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { countTransactions, lookedUp, quoteBody, quoted, type Wish } from '#tests/given/quotes.ts';
import { givenEuropean } from '#tests/given/sca.ts';
import { type Call, TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const SUCCESS = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;

describe('the quotes of an agent', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let bob: Payer;
  let usd: string;
  let outside: string;
  let platforms: string;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 100_000);
    bob = await givenPayer(platform, 100_000, { platformCustomerId: randomUUID() });
    usd = ada.account('USD').id;
    outside = await givenOutside(platform, ada.id);
    const [own] = (await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } })).body
      .data;
    platforms = own?.id ?? '';
  });

  const agentWith = async (policy: object = {}) => {
    const { accessToken } = await givenConnectedAgent(platform, ada, policy);
    return <Id extends string>(operationId: Id, call: Call = {}) =>
      platform.send(operationId, { ...call, as: `Bearer ${accessToken}` });
  };
  type Send = Awaited<ReturnType<typeof agentWith>>;
  const ask = (send: Send, wish: Wish, call: Call = {}) =>
    send('agentCreateQuote', { ...call, body: quoteBody(wish) });
  const get = (send: Send, quoteId: string) => send('agentGetQuote', { params: { quoteId } });

  it('agents.md §3.15, §3.16, §4.8, §4.10: an agent creates quotes, which are valid for 15 minutes and carry its id', async () => {
    const agent = await givenConnectedAgent(platform, ada);
    const send: Send = (id, call = {}) => platform.send(id, { ...call, as: `Bearer ${agent.accessToken}` });
    const { status, body, raw } = await ask(send, { from: usd, to: outside });
    assert.equal(status, 201, raw);
    assert.equal(Date.parse(body.expiresAt) - Date.parse(body.createdAt), 15 * 60_000);
    const seen = await platform.call('getQuoteById', { params: { quoteId: body.id } });
    assert.deepEqual(body, seen.body);
    assert.deepEqual((await get(send, body.id)).body, body);
    const payment = await platform.call('getTransactionById', {
      params: { transactionId: body.transactionId },
    });
    assert.deepEqual([payment.body.agentId, payment.body.customerId], [agent.id, ada.id]);
    world.clock.advance(15 * 60_000 - 1);
    assert.equal((await get(send, body.id)).body.status, 'PENDING');
    world.clock.advance(1);
    assert.equal((await get(send, body.id)).body.status, 'EXPIRED');
    await world.app.worker.settle(platform.id);
    const late = await platform.call('getQuoteById', { params: { quoteId: body.id } });
    assert.equal(late.body.status, 'EXPIRED');
    const own = await quoted(platform, { from: usd, to: outside });
    assert.equal(Date.parse(own.expiresAt) - Date.parse(own.createdAt), 5 * 60_000);
  });

  it('agents.md §3.16: a quote of the platform or of another agent is unknown, whatever the permissions', async () => {
    const [mine, other] = [await agentWith(), await agentWith()];
    const { body } = await ask(mine, { from: usd, to: outside });
    const platformsQuote = await quoted(platform, { from: usd, to: outside });
    const bobs = await quoted(platform, { from: bob.account('USD').id, to: bob.account('EUR').id });
    const answers = new Set<string>();
    for (const [send, id] of [
      [other, body.id],
      [mine, platformsQuote.id],
      [mine, bobs.id],
      [mine, `Quote:${randomUUID()}`],
    ] as const) {
      const reply = await get(send, id);
      assert.deepEqual([reply.status, reply.body.code], [404, 'QUOTE_NOT_FOUND']);
      answers.add(reply.raw);
    }
    assert.equal(answers.size, 1);
  });

  it('agents.md §3.15, §3.4: only accounts pay, and it can neither execute in the same request nor set fees; all invalid fields at once', async () => {
    const send = await agentWith();
    const made = await countTransactions(platform);
    const platformFeeOverride = {
      platformFixedFee: { amount: 0, currency: 'USD' },
      platformVariableFeeBps: 0,
    };
    const refused = async (wish: Wish) => {
      const reply = await ask(send, wish);
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
      return refusedFields(reply).toSorted();
    };
    assert.deepEqual(await refused({ from: { realtime: 'USD' }, to: outside }), ['source.sourceType']);
    for (const more of [{ immediatelyExecute: true }, { platformFeeOverride }]) {
      assert.deepEqual(await refused({ from: usd, to: outside, more }), Object.keys(more));
    }
    const all = { immediatelyExecute: true, platformFeeOverride, lockedCurrencySide: 'BOTH' };
    assert.deepEqual(await refused({ from: { realtime: 'USD' }, to: outside, more: all }), [
      'immediatelyExecute',
      'lockedCurrencySide',
      'platformFeeOverride',
      'source.sourceType',
    ]);
    for (const body of [{}, { source: null }, { source: 'x', immediatelyExecute: 'true' }]) {
      assert.equal((await send('agentCreateQuote', { body })).status, 400);
    }
    assert.equal(await countTransactions(platform), made);
    const plain = await ask(send, { from: usd, to: outside, more: { immediatelyExecute: false } });
    assert.equal(plain.status, 201, plain.raw);
  });

  it('agents.md §3.2: accounts and customers of others, and the platform’s own, are unknown', async () => {
    const send = await agentWith();
    const bobs = await givenOutside(platform, bob.id);
    const internal = [bob.account('USD').id, platforms, `InternalAccount:${randomUUID()}`];
    const external = [bobs, `ExternalAccount:${randomUUID()}`];
    const made = await countTransactions(platform);
    const answers = new Map<string, Set<string>>();
    for (const [side, ids] of [
      ['from', internal],
      ['to', internal],
      ['to', external],
      ['from', external],
    ] as const) {
      for (const id of ids) {
        const { status, body, raw } = await ask(send, { from: usd, to: outside, [side]: id });
        assert.deepEqual([status, body.code], [404, 'ACCOUNT_NOT_FOUND'], `${side} ${id}`);
        answers.set(side, new Set([...(answers.get(side) ?? []), raw]));
      }
    }
    assert.deepEqual(
      [...answers.values()].map(({ size }) => size),
      [1, 1],
    );
    const named = (customerId: string) =>
      send('agentCreateQuote', {
        body: {
          ...quoteBody({ from: usd, to: outside }),
          source: { sourceType: 'ACCOUNT', accountId: usd, customerId },
        },
      });
    for (const id of [bob.id, `Customer:${randomUUID()}`]) {
      const { status, body } = await named(id);
      assert.deepEqual([status, body.code], [404, 'CUSTOMER_NOT_FOUND']);
    }
    assert.equal(await countTransactions(platform), made);
    assert.equal((await named(ada.id)).status, 201);
  });

  it('agents.md §3.4: a look-up must have been made for its customer', async () => {
    const send = await agentWith();
    const lookup = async (query: Record<string, string>) => {
      const reply = await platform.call('lookupUma', { params: { receiverUmaAddress: SUCCESS }, query });
      return reply.body.lookupId;
    };
    for (const lookupId of [
      await lookedUp(platform, SUCCESS),
      await lookup({ customerId: bob.id }),
      `Lookup:${randomUUID()}`,
    ]) {
      const { status, body } = await ask(send, { from: usd, to: SUCCESS, more: { lookupId } });
      assert.deepEqual([status, body.code], [404, 'LOOKUP_REQUEST_NOT_FOUND']);
    }
    const lookupId = await lookup({ customerId: ada.id });
    const own = await ask(send, { from: usd, to: SUCCESS, more: { lookupId } });
    assert.equal(own.status, 201, own.raw);
    const account = async (customerId?: string) => {
      const query = customerId === undefined ? {} : { customerId };
      const reply = await platform.call('lookupExternalAccount', { params: { accountId: outside }, query });
      assert.equal(reply.status, 200, reply.raw);
      return reply.body.lookupId;
    };
    const toAccount = async (id: string) =>
      (await ask(send, { from: usd, to: outside, more: { lookupId: id } })).status;
    assert.equal(await toAccount(await account()), 404);
    assert.equal(await toAccount(await account(ada.id)), 201);
  });

  it('agents.md §3.5: neither limits nor allowed accounts are checked when quoting', async () => {
    const send = await agentWith({
      accountRestrictions: { allowedAccountIds: [] },
      spendingLimits: { currency: 'USD', perTransactionLimit: 0 },
    });
    assert.equal((await ask(send, { from: usd, to: outside })).status, 201);
  });

  it('agents.md §3.15, §3.3: it requires CREATE_QUOTES, before the body is checked; a paused agent creates none but reads its own', async () => {
    const without = await agentWith({ permissions: ['EXECUTE_QUOTES', 'VIEW_TRANSACTIONS'] });
    const refused = await without('agentCreateQuote', { body: {} });
    assert.deepEqual([refused.status, refused.body.details.violation], [403, 'PERMISSION']);
    const agent = await givenConnectedAgent(platform, ada, { permissions: ['CREATE_QUOTES'] });
    const send: Send = (id, call = {}) => platform.send(id, { ...call, as: `Bearer ${agent.accessToken}` });
    const { body } = await ask(send, { from: usd, to: outside });
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const paused = await ask(send, { from: usd, to: outside });
    assert.deepEqual([paused.status, paused.body.details.violation], [403, 'PAUSED']);
    assert.equal((await get(send, body.id)).status, 200);
    await platform.send('updateAgentPolicy', { params: { agentId: agent.id }, body: { permissions: [] } });
    assert.equal((await get(send, body.id)).status, 200, 'reading its own quote requires no permission');
  });

  it('money.md §2.12: a repeated key gives the same quote, and another agent’s key is independent', async () => {
    const [one, two] = [await agentWith(), await agentWith()];
    const key = randomUUID();
    const first = await ask(one, { from: usd, to: outside }, { key });
    assert.equal((await ask(one, { from: usd, to: outside }, { key })).raw, first.raw);
    const changed = await ask(one, { from: usd, to: outside, send: 1 }, { key });
    assert.deepEqual([changed.status, changed.body.code], [409, 'DUPLICATE_PAY_REQUEST']);
    const others = await ask(two, { from: usd, to: outside }, { key });
    assert.equal(others.status, 201);
    assert.notEqual(others.body.id, first.body.id);
  });

  it('agents.md §3.4: the customer’s challenge is not shown to the agent', async () => {
    const own = await givenPlatform(world, { currencies: ['USD', 'EUR'] });
    const european = await givenEuropean(own, { platformCustomerId: randomUUID() });
    const agent = await givenConnectedAgent(own, european);
    const as = { as: `Bearer ${agent.accessToken}` };
    const accounts = await own.send('agentListInternalAccounts', { ...as, query: { currency: 'USD' } });
    const from = accounts.body.data[0]?.id ?? '';
    await own.call('sandboxFundInternalAccount', { params: { accountId: from }, body: { amount: 50_000 } });
    const to = await givenOutside(own, european.id);
    const made = await own.send('agentCreateQuote', { ...as, body: quoteBody({ from, to }) });
    assert.equal(made.status, 201, made.raw);
    assert.equal((await execute(own, made.body.id)).body.status, 'PENDING_AUTHORIZATION');
    const params = { quoteId: made.body.id };
    const { scaChallenge, ...shown } = (await own.call('getQuoteById', { params })).body;
    assert.ok(scaChallenge);
    assert.deepEqual((await own.send('agentGetQuote', { ...as, params })).body, shown);
  });
});
