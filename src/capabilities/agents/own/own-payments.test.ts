import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { givenCard } from '#tests/given/cards.ts';
import { refusedFields } from '#tests/given/external-accounts.ts';
import {
  advance,
  execute,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
} from '#tests/given/payments.ts';
import { purchaseBody, simulated } from '#tests/given/purchases.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('the transactions that an agent sees', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let bob: Payer;
  let usd: string;
  let eur: string;
  let outside: string;
  let cardId: string;
  let purchase: string;
  /** Ada's payments, by a description; and payments that are not hers. */
  const made = new Map<string, string>();
  const strange = new Map<string, string>();

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 100_000, { platformCustomerId: 'ada' });
    bob = await givenPayer(platform, 100_000, { platformCustomerId: 'bob' });
    [usd, eur] = [ada.account('USD').id, ada.account('EUR').id];
    outside = await givenOutside(platform, ada.id);
    const given = async (name: string, from: string, to: string) => {
      world.clock.advance(1_000);
      const quote = await quoted(platform, { from, to, send: 1_000 });
      made.set(name, quote.transactionId);
      return quote;
    };
    await givenFunds(platform, eur, 10_000);
    await given('exchange', usd, eur);
    await given('dollars out', usd, outside);
    await given('euros out', eur, outside);
    const paid = await given('to Bob', usd, bob.account('USD').id);
    await execute(platform, paid.id);
    const received = await quoted(platform, { from: bob.account('USD').id, to: usd, send: 500 });
    await execute(platform, received.id);
    await advance(platform, 2);
    strange.set('of Bob', received.transactionId);
    const [own] = (await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } })).body
      .data;
    await givenFunds(platform, own?.id ?? '', 1_000);
    const platforms = await quoted(platform, { from: own?.id ?? '', to: bob.account('USD').id, send: 10 });
    strange.set('of the platform', platforms.transactionId);
    cardId = (await givenCard(platform, ada)).id;
    const bought = await simulated(world, platform, cardId, 'authorization', purchaseBody(100));
    purchase = `Transaction:${bought.id}`;
    strange.set('by card', purchase);
    strange.set('unknown', `Transaction:${randomUUID()}`);
  });

  const agentWith = async (policy: object = {}) => {
    const { accessToken } = await givenConnectedAgent(platform, ada, policy);
    return <Id extends string>(operationId: Id, call: Call = {}) =>
      platform.send(operationId, { ...call, as: `Bearer ${accessToken}` });
  };
  type Send = Awaited<ReturnType<typeof agentWith>>;
  const restrictedTo = (...allowedAccountIds: string[]) =>
    agentWith({ accountRestrictions: { allowedAccountIds } });

  async function listed(send: Send, query: Record<string, string | number> = {}) {
    const reply = await send('agentListTransactions', { query: { limit: 100, ...query } });
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(reply.body.totalCount, reply.body.data.length);
    return reply.body.data as { id: string; customerId: string; type: string }[];
  }
  async function names(send: Send, query: Record<string, string> = {}): Promise<string[]> {
    const byId = new Map([...made].map(([name, id]) => [id, name]));
    const found = (await listed(send, query)).map(({ id }) => byId.get(id));
    return found.filter((name) => name !== undefined).toReversed();
  }
  const get = (send: Send, transactionId: string) =>
    send('agentGetTransaction', { params: { transactionId } });

  it('agents.md §3.13, §3.2: an agent sees its customer’s payments as its platform does, and no others', async () => {
    const send = await agentWith();
    const seen = await listed(send);
    const { body } = await platform.call('listTransactions', {
      query: { customerId: ada.id, limit: 100 },
    });
    assert.deepEqual(
      seen,
      body.data.filter(({ type }) => type !== 'CARD'),
    );
    assert.ok(seen.some(({ type }) => type === 'INCOMING'));
    assert.deepEqual(await listed(send, { sortOrder: 'asc' }), seen.toReversed());
    for (const id of made.values()) {
      const read = await platform.call('getTransactionById', { params: { transactionId: id } });
      assert.deepEqual((await get(send, id)).body, read.body);
    }
  });

  it('agents.md §3.13, §3.2, §3.4: others’ payments, the platform’s and card payments are unknown, with the same answer', async () => {
    const send = await agentWith();
    const ids = (await listed(send)).map(({ id }) => id);
    const answers = new Set<string>();
    for (const [name, id] of strange) {
      assert.ok(!ids.includes(id), name);
      const { status, body, raw } = await get(send, id);
      assert.deepEqual([status, body.code], [404, 'TRANSACTION_NOT_FOUND'], name);
      answers.add(raw);
    }
    assert.equal(answers.size, 1);
    for (const accountIdentifier of [bob.account('EUR').id, `InternalAccount:${randomUUID()}`]) {
      assert.deepEqual(await listed(send, { accountIdentifier }), []);
    }
  });

  it('agents.md §3.4: type=CARD and cardId are 400, and a filter by customer is ignored', async () => {
    const send = await agentWith();
    for (const [field, value] of [
      ['type', 'CARD'],
      ['cardId', cardId],
      ['cardId', 'x'],
    ] as const) {
      const reply = await send('agentListTransactions', { query: { [field]: value } });
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
      assert.deepEqual(refusedFields(reply), [field]);
    }
    const all = await listed(send);
    for (const query of [{ customerId: bob.id }, { customerId: 'x' }, { platformCustomerId: 'bob' }]) {
      assert.deepEqual(await listed(send, query), all);
    }
  });

  it('agents.md §3.13, money.md §6.2–6.4: the filters of the platform’s list apply to an agent’s list', async () => {
    const send = await agentWith();
    assert.deepEqual(await names(send, { senderAccountIdentifier: eur }), ['euros out']);
    assert.deepEqual(await names(send, { receiverAccountIdentifier: outside }), ['dollars out', 'euros out']);
    assert.deepEqual(await names(send, { accountIdentifier: eur }), ['exchange', 'euros out']);
    assert.deepEqual(await names(send, { status: 'COMPLETED', type: 'OUTGOING' }), ['to Bob']);
    assert.deepEqual(await names(send, { reference: 'nothing' }), []);
    for (const query of [
      { status: 'DONE' },
      { startDate: '2026-03-02T00:00:00Z', endDate: '2026-03-01T00:00:00Z' },
      { cursor: 'x' },
    ]) {
      assert.equal((await send('agentListTransactions', { query })).body.code, 'INVALID_INPUT');
    }
  });

  it('agents.md §3.13: if accounts are restricted, only rows with an allowed account on either side are listed, each once', async () => {
    const all = [...made.keys()];
    for (const [accounts, expected] of [
      [[usd], ['exchange', 'dollars out', 'to Bob']],
      [[eur], ['exchange', 'euros out']],
      [[usd, eur], all],
      [[], []],
    ] as const) {
      const send = await restrictedTo(...accounts);
      assert.deepEqual(await names(send), expected);
      const ids = (await listed(send)).map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      for (const [name, id] of made) {
        const { status } = await get(send, id);
        assert.equal(status, (expected as readonly string[]).includes(name) ? 200 : 404, name);
      }
    }
    const send = await restrictedTo(eur);
    assert.deepEqual(await names(send, { accountIdentifier: usd }), ['exchange']);
    assert.deepEqual(await names(send, { receiverAccountIdentifier: outside }), ['euros out']);
    assert.deepEqual(await names(send, { status: 'PENDING', type: 'OUTGOING' }), ['exchange', 'euros out']);
    assert.deepEqual(
      await names(await restrictedTo(usd), { senderAccountIdentifier: bob.account('USD').id }),
      [],
    );
  });

  it('agents.md §3.13, money.md §6.1: pages contain every row once, and a cursor of the platform’s list is invalid for the agent’s', async () => {
    const send = await restrictedTo(usd, eur);
    const all = (await listed(send)).map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor !== undefined && { cursor }) };
      const { body } = await send('agentListTransactions', { query });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(seen, all);
    const { body } = await platform.call('listTransactions', { query: { customerId: ada.id, limit: 1 } });
    const other = await send('agentListTransactions', { query: { limit: 1, cursor: body.nextCursor } });
    assert.deepEqual(refusedFields(other), ['cursor']);
  });

  it('agents.md §3.13, §3.3: it requires VIEW_TRANSACTIONS, even from an agent that pays; it works while the agent is paused', async () => {
    const without = await agentWith({ permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES', 'CREATE_TRANSFERS'] });
    const [mine = ''] = made.values();
    for (const reply of [await without('agentListTransactions'), await get(without, mine)]) {
      assert.deepEqual([reply.status, reply.body.details.violation], [403, 'PERMISSION']);
    }
    const agent = await givenConnectedAgent(platform, ada, { permissions: ['VIEW_TRANSACTIONS'] });
    await platform.send('updateAgent', { params: { agentId: agent.id }, body: { isPaused: true } });
    const as = { as: `Bearer ${agent.accessToken}` };
    assert.equal((await platform.send('agentListTransactions', as)).status, 200);
    const read = await platform.send('agentGetTransaction', { ...as, params: { transactionId: mine } });
    assert.equal(read.status, 200);
  });
});
