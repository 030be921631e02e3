// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { searchSources } from '#capabilities/payments/transactions/list-transactions.ts';
import { paymentSource } from '#capabilities/payments/transactions/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { mixedStatement } from '#foundation/http/mixed-page.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
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
import { lookedUp, quoted } from '#tests/given/quotes.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const SUCCESS = `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`;

describe('GET /transactions', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let bob: Payer;
  let outside: string;
  /** Transactions of one platform, by a description. */
  const made = new Map<string, string>();

  before(async () => {
    platform = await givenPlatform(world);
    await platform.receive();
    ada = await givenPayer(platform, 1_000_000, { platformCustomerId: 'ada' });
    bob = await givenPayer(platform, 0, { platformCustomerId: 'bob' });
    outside = await givenOutside(platform, ada.id);
    const toBank = await quoted(platform, { from: ada.account('USD').id, to: outside });
    made.set('toBank', toBank.transactionId);
    await execute(platform, toBank.id);
    await advance(platform, 2);
    const toBob = await quoted(platform, { from: ada.account('USD').id, to: bob.account('USD').id });
    made.set('toBob', toBob.transactionId);
    await execute(platform, toBob.id);
    await advance(platform, 2);
    const more = { lookupId: await lookedUp(platform, SUCCESS) };
    const toUma = await quoted(platform, { from: ada.account('USD').id, to: SUCCESS, more });
    made.set('toUma', toUma.transactionId);
    const failing = await givenOutside(platform, ada.id, '002');
    const refunded = await quoted(platform, { from: ada.account('USD').id, to: failing });
    made.set('refunded', refunded.transactionId);
    await execute(platform, refunded.id);
    await advance(platform, 3);
    const realtime = await quoted(platform, { from: { realtime: 'USD' }, to: bob.account('USD').id });
    made.set('realtime', realtime.transactionId);
    const received = await platform.call('sandboxReceive', {
      body: {
        senderUmaAddress: SUCCESS,
        customerId: bob.id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 700,
      },
    });
    assert.equal(received.status, 200, received.raw);
    made.set('fromUma', received.body.id);
    const own = (await platform.call('listPlatformInternalAccounts')).body.data;
    await givenFunds(platform, own[0].id, 100);
  });

  async function listed(query: Record<string, string | number> = {}) {
    const reply = await platform.call('listTransactions', { query: { limit: 100, ...query } });
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(reply.body.totalCount, reply.body.data.length);
    return reply.body.data;
  }

  async function names(query: Record<string, string>): Promise<string[]> {
    const byId = new Map([...made].map(([name, id]) => [id, name]));
    return (await listed(query)).map(({ id }) => byId.get(id) ?? 'other').toReversed();
  }

  it('money.md §6.1: newest first, ties by id, and ascending in reverse', async () => {
    const all = await listed();
    const keys = all.map(({ createdAt, id }) => `${createdAt} ${id}`);
    assert.deepEqual(keys, keys.toSorted().toReversed());
    const ascending = await listed({ sortOrder: 'asc' });
    assert.deepEqual(
      ascending.map(({ id }) => id),
      all.map(({ id }) => id).toReversed(),
    );
  });

  for (const sortOrder of ['asc', 'desc']) {
    it(`money.md §6.1: pages in ${sortOrder} order contain every row once, while new rows arrive`, async () => {
      const before = (await listed({ sortOrder })).map(({ id }) => id);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: 2, sortOrder, ...(cursor !== undefined && { cursor }) };
        const { body } = await platform.call('listTransactions', { query });
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        assert.equal(body.hasMore, body.nextCursor !== undefined);
        cursor = body.nextCursor;
        if (seen.length === 2 && sortOrder === 'desc') {
          await givenFunds(platform, bob.account('USD').id, 1);
        }
      } while (cursor !== undefined);
      assert.deepEqual(seen, before);
    });
  }

  it('money.md §6.1: a cursor belongs to its filters', async () => {
    const { body } = await platform.call('listTransactions', { query: { limit: 1 } });
    const query = { limit: 1, cursor: body.nextCursor };
    for (const other of [{ type: 'INCOMING' }, { sortOrder: 'asc' }, { status: 'COMPLETED' }]) {
      const reply = await platform.call('listTransactions', { query: { ...query, ...other } });
      assert.equal(reply.body.code, 'INVALID_INPUT');
    }
    const foreign = await givenPlatform(world);
    assert.equal((await foreign.call('listTransactions', { query })).body.code, 'INVALID_INPUT');
    assert.equal((await platform.call('listTransactions', { query })).status, 200);
  });

  it('money.md §6.1: lists only the platform’s own transactions', async () => {
    const other = await givenPlatform(world);
    const { body } = await other.call('listTransactions', { query: { customerId: ada.id } });
    assert.deepEqual([body.data, body.totalCount, body.hasMore], [[], 0, false]);
  });

  it('money.md §6.2: customerId, also as the platform’s own id', async () => {
    assert.ok((await listed({ customerId: ada.id })).every(({ customerId }) => customerId === ada.id));
    const owns = await listed({ customerId: `Platform:${platform.id}` });
    assert.ok(owns.length > 0);
    for (const { customerId, platformCustomerId } of owns) {
      assert.deepEqual([customerId, platformCustomerId], Array(2).fill(`Platform:${platform.id}`));
    }
    const bare = await listed({ customerId: uuidOf(ada.id) });
    assert.deepEqual(bare, await listed({ customerId: ada.id }));
    assert.deepEqual(await listed({ platformCustomerId: 'ada' }), bare);
    assert.deepEqual(await listed({ platformCustomerId: `Platform:${platform.id}` }), owns);
  });

  it('money.md §2.4: every row names its owner, by our id and by the platform’s own', async () => {
    const own = publicId('Platform', platform.id);
    const references = new Map([
      [ada.id, 'ada'],
      [bob.id, 'bob'],
      [own, own],
    ]);
    const seen = new Set<string>();
    for (const { customerId, platformCustomerId, type } of await listed()) {
      assert.equal(platformCustomerId, references.get(customerId));
      seen.add(`${platformCustomerId} ${type}`);
    }
    const all = ['ada OUTGOING', 'ada INCOMING', 'bob INCOMING', `${own} INCOMING`];
    assert.deepEqual(
      all.filter((kind) => !seen.has(kind)),
      [],
    );
  });

  it('money.md §6.2: accounts and UMA addresses on the source, on the destination, or on either', async () => {
    const adas = ada.account('USD').id;
    const sent = await names({ senderAccountIdentifier: adas });
    assert.deepEqual(
      sent.filter((name) => name !== 'other'),
      ['toBank', 'toBob', 'toUma', 'refunded'],
    );
    assert.deepEqual(await names({ receiverAccountIdentifier: outside }), ['toBank']);
    assert.deepEqual(await names({ senderAccountIdentifier: outside }), []);
    assert.deepEqual(await names({ receiverAccountIdentifier: SUCCESS }), ['toUma']);
    assert.deepEqual(await names({ senderAccountIdentifier: SUCCESS.toUpperCase() }), ['fromUma']);
    assert.deepEqual(await names({ accountIdentifier: SUCCESS }), ['toUma', 'fromUma']);
    const either = await listed({ accountIdentifier: adas });
    assert.ok(either.some(({ type }) => type === 'INCOMING'));
    assert.ok(either.some(({ type }) => type === 'OUTGOING'));
    assert.equal(new Set(either.map(({ id }) => id)).size, either.length);
    const wrongKind = outside.replace('External', 'Internal');
    assert.deepEqual(await names({ accountIdentifier: wrongKind }), []);
    assert.deepEqual(await names({ accountIdentifier: uuidOf(outside) }), ['toBank']);
  });

  it('money.md §6.2: reference matches that of the payment and that of the refund', async () => {
    const all = await listed();
    const refunded = all.find(({ id }) => id === made.get('refunded'));
    const realtime = all.find(({ id }) => id === made.get('realtime'));
    assert.deepEqual(await names({ reference: refunded?.refund.reference ?? '' }), ['refunded']);
    const reference = realtime?.reconciliationInstructions.reference ?? '';
    assert.deepEqual(await names({ reference }), ['realtime']);
  });

  it('money.md §6.2: dates are inclusive, and filters combine with AND', async () => {
    const [first, ...rest] = (await listed()).toReversed();
    const last = rest.at(-1);
    const startDate = first?.createdAt ?? '';
    const endDate = last?.createdAt ?? '';
    assert.equal((await listed({ startDate, endDate })).length, rest.length + 1);
    const after = new Date(Date.parse(startDate) + 1).toISOString();
    assert.ok(!(await listed({ startDate: after })).some(({ id }) => id === first?.id));
    assert.deepEqual(await names({ customerId: bob.id, senderAccountIdentifier: SUCCESS }), ['fromUma']);
    assert.deepEqual(await names({ customerId: ada.id, senderAccountIdentifier: SUCCESS }), []);
    assert.deepEqual(
      await names({ accountIdentifier: SUCCESS, reference: 'x', status: 'EXPIRED', customerId: ada.id }),
      [],
    );
  });

  it('money.md §6.3: type and status', async () => {
    assert.ok((await listed({ type: 'INCOMING' })).every(({ type }) => type === 'INCOMING'));
    assert.ok((await listed({ status: 'FAILED' })).every(({ status }) => status === 'FAILED'));
    assert.deepEqual(await names({ status: 'FAILED' }), ['refunded']);
    for (const status of ['CREATED', 'REFUNDED']) assert.deepEqual(await listed({ status }), []);
    for (const query of [{ type: 'CARD' }, { cardId: `Card:${newUuid()}` }, { cardId: newUuid() }]) {
      assert.deepEqual(await listed(query), []);
    }
    assert.deepEqual(await listed({ type: 'CARD', cardId: newUuid() }), []);
  });

  it('money.md §3.1, §6.3: an overdue quote is found under EXPIRED before its timer has run', async () => {
    const own = await givenPlatform(world);
    const payer = await givenPayer(own, 1_000);
    const quote = await quoted(own, {
      from: payer.account('USD').id,
      to: payer.account('EUR').id,
      send: 100,
    });
    const found = async (status: string) =>
      (await own.call('listTransactions', { query: { status } })).body.data.map(
        ({ id, status: shown }: { id: string; status: string }) => [id, shown],
      );
    assert.deepEqual(await found('PENDING'), [[quote.transactionId, 'PENDING']]);
    world.clock.advance(300_000);
    assert.deepEqual(await found('PENDING'), []);
    assert.deepEqual(await found('EXPIRED'), [[quote.transactionId, 'EXPIRED']]);
    await world.app.worker.settle(own.id);
    assert.deepEqual(await found('EXPIRED'), [[quote.transactionId, 'EXPIRED']]);
  });

  it('money.md §6.3, §6.4: invalid combinations and values are 400 INVALID_INPUT', async () => {
    const cardId = newUuid();
    const wrong = [
      { status: 'COMPLETED', type: 'CARD' },
      { status: 'COMPLETED', cardId },
      { cardId, type: 'INCOMING' },
      { cardId, type: 'OUTGOING' },
      { status: 'DONE' },
      { type: 'card' },
      { startDate: 'yesterday' },
      { endDate: '2026-02-30T00:00:00Z' },
      { startDate: '2026-03-02T00:00:00Z', endDate: '2026-03-01T00:00:00Z' },
      { limit: 0 },
      { limit: 101 },
      { cursor: 'x' },
      { sortOrder: 'up' },
    ];
    for (const query of wrong) {
      const reply = await platform.call('listTransactions', { query });
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], JSON.stringify(query));
    }
  });

  it('platform.md §1.2.2: an id that is malformed, or of another type, is 400 INVALID_INPUT and named', async () => {
    const uuid = newUuid();
    const wrong: Record<string, string[]> = {
      customerId: [
        'nobody',
        `Transaction:${uuid}`,
        `Customer:${uuid.slice(1)}`,
        `Customer:${uuid.toUpperCase()}`,
      ],
      cardId: ['nothing', `Customer:${uuid}`, `Card:${uuid}0`],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const reply = await platform.call('listTransactions', { query: { [name]: value } });
        assert.equal(reply.status, 400, `${name}=${value}`);
        assert.deepEqual(refusedFields(reply), [name]);
      }
    }
  });

  it('money.md §6.4: unknown values give an empty list', async () => {
    const unknown = newUuid();
    const queries = [
      { customerId: `Customer:${unknown}` },
      { customerId: `Platform:${unknown}` },
      { cardId: `Card:${unknown}` },
      { platformCustomerId: 'nobody' },
      { accountIdentifier: `InternalAccount:${unknown}` },
      { accountIdentifier: 'IBAN' },
      { senderAccountIdentifier: '$nobody@nowhere' },
      { receiverAccountIdentifier: '$' },
      { reference: 'nothing' },
    ];
    for (const query of queries) assert.deepEqual(await listed(query), [], JSON.stringify(query));
  });

  it('decision 0014: every filter reads an index in the list’s order', async () => {
    const work = await platform.work();
    const account = ada.account('USD').id;
    const queries: Record<string, string>[] = [
      {},
      { sortOrder: 'asc' },
      { customerId: ada.id },
      { platformCustomerId: 'ada' },
      { accountIdentifier: account },
      { senderAccountIdentifier: account },
      { receiverAccountIdentifier: SUCCESS },
      { status: 'COMPLETED' },
      { status: 'PENDING' },
      { status: 'EXPIRED' },
      { type: 'INCOMING' },
      { reference: 'x' },
    ];
    const own = publicId('Platform', work.platform.id);
    const ownQueries = [{ customerId: own }, { platformCustomerId: own, sortOrder: 'asc' }];
    await work.write(async (tx) => {
      // The tables of a test are small: without these settings the planner would read them whole.
      await tx.query(sql`set local enable_seqscan = off`);
      await tx.query(sql`set local enable_bitmapscan = off`);
      await tx.query(sql`set local enable_sort = off`);
      for (const query of [...queries, ...ownQueries]) {
        const asked = await searchSources(tx, query as never, [paymentSource]);
        const order = query.sortOrder === 'asc' ? 'asc' : 'desc';
        const lines = await tx.query<{ 'QUERY PLAN': string }>(sql`
          explain ${mixedStatement(asked, order, [], 21)}`);
        const plan = lines.map((row) => row['QUERY PLAN']).join('\n');
        assert.doesNotMatch(plan, /Sort {2}|Seq Scan/, `${JSON.stringify(query)}\n${plan}`);
        // In the list's order the platform's own rows may come after all others.
        if (ownQueries.includes(query as never)) assert.match(plan, /transactions_by_customer/);
      }
    });
  });

  it('money.md §6.1: needs only the permission to read', async () => {
    assert.equal((await platform.call('listTransactions', { as: 'nobody' })).status, 401);
  });
});
