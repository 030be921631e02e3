// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { listTransactions, searchSources } from '#capabilities/payments/transactions/list-transactions.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import {
  combineFilters,
  EXCLUDED,
  optionalFilter,
  type Party,
  type PresentedTransaction,
  type TransactionSource,
} from '#capabilities/payments/transactions/sources.ts';
import { nullOwner, ownerConditions, paymentSource } from '#capabilities/payments/transactions/store.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { mixedStatement } from '#foundation/http/mixed-page.ts';
import { COUNT_MAX, type Page } from '#foundation/http/paging.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { execute, givenFunds, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { BodyOf } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** A purchase of a product with its own table. Its `status` has another type than that of payments. */
interface Purchase {
  platform_id: string;
  id: string;
  customer_id: string | null;
  account: string;
  card: string;
  kind: 'DEBIT' | 'CREDIT';
  status: number;
  created_at: Date;
}

const debited = ({ account }: { account: string }) => sql`t.account = ${account} and t.kind = 'DEBIT'`;
const credited = ({ account }: { account: string }) => sql`t.account = ${account} and t.kind = 'CREDIT'`;

/** The product knows internal accounts only. */
function ofParty(party: Party, condition: typeof debited) {
  return 'uma' in party || party.kind === 'EXTERNAL' ? EXCLUDED : [condition(party)];
}

/** It handles the filters like card transactions: `status` and `reference` match none of its rows. */
const purchaseSource: TransactionSource = {
  table: 'purchases',
  columns: ['platform_id', 'id', 'customer_id', 'account', 'card', 'kind', 'status', 'created_at'],
  search: (_tx, filters) => ({
    alternatives: combineFilters([
      ...optionalFilter(filters.owners, ownerConditions),
      ...optionalFilter(filters.account, (party) =>
        ofParty(party, ({ account }) => sql`t.account = ${account}`),
      ),
      ...optionalFilter(filters.sender, (party) => ofParty(party, debited)),
      ...optionalFilter(filters.receiver, (party) => ofParty(party, credited)),
      ...optionalFilter(filters.type, (type) => (type === 'CARD' ? [sql`true`] : EXCLUDED)),
      ...optionalFilter(filters.cardId, (id) => [sql`t.card = ${id}`]),
      ...optionalFilter(filters.status, () => EXCLUDED),
      ...optionalFilter(filters.reference, () => EXCLUDED),
    ]),
    ...nullOwner(filters),
  }),
  present: (_tx, row: Purchase) =>
    ({
      type: 'CARD',
      id: publicId('Transaction', row.id),
      cardId: publicId('Card', row.card),
      customerId:
        row.customer_id === null
          ? publicId('Platform', row.platform_id)
          : publicId('Customer', row.customer_id),
      accountId: publicId('InternalAccount', row.account),
      direction: row.kind,
      authorizedAmount: { amount: row.status },
      createdAt: row.created_at.toISOString(),
    }) as unknown as PresentedTransaction,
  find: async () => undefined,
};

const BOTH = [paymentSource, purchaseSource];

describe('a list of transactions from two tables', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let bob: Payer;
  const [gold, black] = [randomUUID(), randomUUID()];

  before(async () => {
    await world.database.query(sql`
      create table purchases (
        platform_id uuid not null, id uuid not null, customer_id uuid, account uuid not null, card uuid not null,
        kind text not null, status integer not null, created_at timestamptz not null,
        primary key (platform_id, id))`);
    for (const columns of ['', 'customer_id, ', 'account, ', 'card, ']) {
      const key = rawSql(`platform_id, ${columns}created_at desc, id desc`);
      await world.database.query(sql`create index on purchases (${key})`);
    }
    platform = await givenPlatform(world);
    ada = await givenPayer(platform, 1_000, { platformCustomerId: 'ada' });
    bob = await givenPayer(platform, 1_000, { platformCustomerId: 'bob' });
    for (let moment = 0; moment < 4; moment++) await fill(platform, moment);
  });

  /** Payments and purchases with the same time, so that only their ids order them. */
  async function fill(own: TestPlatform, moment: number): Promise<void> {
    world.clock.advance(1_000);
    await givenFunds(own, ada.account('USD').id, 1 + moment);
    await givenFunds(own, bob.account('USD').id, 1 + moment);
    const { id } = await quoted(own, { from: ada.account('USD').id, to: bob.account('USD').id, send: 10 });
    if (moment % 2 === 0) await execute(own, id);
    const [ours] = (await own.call('listPlatformInternalAccounts')).body.data;
    await buy({ customer_id: bare(ada.id), account: bare(ada.account('USD').id), kind: 'DEBIT' });
    await buy({ customer_id: bare(ada.id), account: bare(ada.account('USD').id), kind: 'CREDIT' });
    await buy({ customer_id: bare(bob.id), account: bare(bob.account('USD').id), card: black });
    await buy({ customer_id: null, account: bare(ours.id), card: black });
    if (moment === 0) await givenFunds(own, ours.id, 5);
  }

  async function buy(facts: Partial<Purchase>): Promise<void> {
    const row = { platform_id: platform.id, id: randomUUID(), card: gold, kind: 'DEBIT', ...facts };
    await world.database.query(sql`
      insert into purchases (platform_id, id, customer_id, account, card, kind, status, created_at)
      values (${row.platform_id}, ${row.id}, ${row.customer_id}, ${row.account}, ${row.card}, ${row.kind}, 7,
              ${row.created_at ?? new Date(world.clock.now())})`);
  }

  function bare(id: string): string {
    return id.slice(id.indexOf(':') + 1);
  }

  type Row = BodyOf<'listTransactions'>['data'][number];

  async function page(query: TransactionQuery, sources = BOTH, own = platform): Promise<Page<Row>> {
    const work = await own.work();
    return work.read((tx) => listTransactions(tx, query, sources)) as Promise<Page<Row>>;
  }

  async function listed(query: TransactionQuery = {}, sources = BOTH): Promise<Row[]> {
    const { data, totalCount, hasMore } = await page({ limit: 100, ...query }, sources);
    assert.deepEqual([totalCount, hasMore], [data.length, false]);
    return data;
  }

  async function walked(query: TransactionQuery, between: () => Promise<void> = async () => {}) {
    const seen: Row[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { data, nextCursor, hasMore } = await page({ ...query, ...(cursor && { cursor }) });
      assert.equal(hasMore, nextCursor !== undefined);
      seen.push(...data);
      cursor = nextCursor;
      await between();
    }
    return seen;
  }

  const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
  const inOrder = (rows: Row[]) => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  const keyOf = ({ createdAt, id }: Row) => `${createdAt} ${id}`;

  it('money.md §6.1: both tables in one order, newest first, ties by id across the tables', async () => {
    const [payments, purchases] = [await listed({}, [paymentSource]), await listed({}, [purchaseSource])];
    assert.ok(payments.length >= 12 && purchases.length === 16);
    const all = await listed();
    assert.deepEqual(all, inOrder([...payments, ...purchases]));
    assert.deepEqual(await listed({ sortOrder: 'asc' }), all.toReversed());
    const mixes = all.filter(({ type }, i) => i > 0 && (type === 'CARD') !== (all[i - 1]?.type === 'CARD'));
    assert.ok(mixes.length > 4, 'the tables are interleaved');
  });

  it('money.md §6.1: pages of any size contain every row once, also if a page ends inside a tie', async () => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      const all = idsOf(await listed({ sortOrder }));
      for (const limit of [1, 2, 3, 5, 7]) {
        assert.deepEqual(idsOf(await walked({ sortOrder, limit })), all, `${sortOrder} ${limit}`);
      }
    }
  });

  it('money.md §6.1: a walk returns each existing row once, while rows are added to both tables', async () => {
    const all = idsOf(await listed());
    let added = 0;
    const between = async () => {
      world.clock.advance(1_000);
      if (added++ % 2 === 0) await givenFunds(platform, ada.account('USD').id, 1);
      else await buy({ customer_id: bare(bob.id), account: bare(bob.account('USD').id) });
    };
    assert.deepEqual(idsOf(await walked({ limit: 4 }, between)), all);
    assert.equal((await listed()).length, all.length + added);
    const known = new Set(all);
    let left = 3;
    const upwards = await walked({ limit: 4, sortOrder: 'asc' }, async () => {
      if (left-- > 0) await between();
    });
    assert.equal(new Set(idsOf(upwards)).size, upwards.length);
    assert.deepEqual(
      idsOf(upwards).filter((id) => known.has(id)),
      all.toReversed(),
    );
    assert.deepEqual(
      idsOf(upwards),
      idsOf(await listed({ sortOrder: 'asc' })),
      'new rows are returned as well',
    );
  });

  it('money.md §6.2, §6.3: every filter applies to both tables, alone, combined and over pages', async () => {
    const all = await listed();
    const account = ada.account('USD').id;
    const middle = all[Math.floor(all.length / 2)]?.createdAt ?? '';
    const isCard = ({ type }: Row) => type === 'CARD';
    const sent = (row: Row) =>
      isCard(row) ? row.accountId === account && row.direction === 'DEBIT' : row.source.accountId === account;
    const received = (row: Row) =>
      isCard(row)
        ? row.accountId === account && row.direction === 'CREDIT'
        : row.destination.accountId === account;
    const own = publicId('Platform', platform.id);
    const cases: [TransactionQuery, (row: Row) => boolean][] = [
      [{ customerId: ada.id }, ({ customerId }) => customerId === ada.id],
      [{ platformCustomerId: 'bob' }, ({ customerId }) => customerId === bob.id],
      [{ customerId: ada.id, platformCustomerId: 'ada' }, ({ customerId }) => customerId === ada.id],
      [{ customerId: ada.id, platformCustomerId: 'bob' }, () => false],
      [{ customerId: own }, ({ customerId }) => customerId === own],
      [{ platformCustomerId: own }, ({ customerId }) => customerId === own],
      [{ customerId: own, platformCustomerId: 'ada' }, () => false],
      [{ senderAccountIdentifier: account }, sent],
      [{ receiverAccountIdentifier: account }, received],
      [{ accountIdentifier: account }, (row) => sent(row) || received(row)],
      [{ accountIdentifier: bare(account) }, (row) => sent(row) || received(row)],
      [{ accountIdentifier: account, receiverAccountIdentifier: account }, received],
      [{ accountIdentifier: account.replace('Internal', 'External') }, () => false],
      [{ accountIdentifier: '$nobody@nowhere.example' }, () => false],
      [{ startDate: middle }, ({ createdAt }) => createdAt >= middle],
      [{ endDate: middle }, ({ createdAt }) => createdAt <= middle],
      [{ startDate: middle, endDate: middle }, ({ createdAt }) => createdAt === middle],
      [
        { startDate: middle, customerId: ada.id },
        (row) => row.createdAt >= middle && row.customerId === ada.id,
      ],
      [{ type: 'CARD' }, isCard],
      [{ type: 'INCOMING' }, ({ type }) => type === 'INCOMING'],
      [{ cardId: publicId('Card', gold) }, ({ cardId }) => cardId === publicId('Card', gold)],
      [{ cardId: black, customerId: own }, (row) => row.cardId === `Card:${black}` && row.customerId === own],
      [{ status: 'COMPLETED' }, ({ status }) => status === 'COMPLETED'],
      [{ reference: 'nothing' }, () => false],
    ];
    for (const [query, matches] of cases) {
      const expected = idsOf(all.filter(matches));
      assert.deepEqual(idsOf(await listed(query)), expected, JSON.stringify(query));
      assert.deepEqual(idsOf(await walked({ ...query, limit: 3 })), expected, JSON.stringify(query));
      assert.deepEqual(idsOf(await listed({ ...query, sortOrder: 'asc' })), expected.toReversed());
    }
  });

  it('money.md §6.3: a filter that excludes a source does not read its table', async () => {
    const work = await platform.work();
    const read = async (query: TransactionQuery) => {
      const asked = await work.read((tx) => searchSources(tx, query, BOTH));
      return asked.filter(({ alternatives }) => alternatives?.length !== 0).map(({ table }) => table);
    };
    assert.deepEqual(await read({}), ['transactions', 'purchases']);
    assert.deepEqual(await read({ status: 'FAILED' }), ['transactions']);
    assert.deepEqual(await read({ type: 'OUTGOING' }), ['transactions']);
    assert.deepEqual(await read({ type: 'CARD' }), ['purchases']);
    assert.deepEqual(await read({ cardId: gold }), ['purchases']);
    assert.deepEqual(await read({ reference: 'x', type: 'CARD' }), []);
    assert.deepEqual(await page({ reference: 'x', type: 'CARD' }), {
      data: [],
      hasMore: false,
      totalCount: 0,
    });
  });

  it('money.md §6.1: only the platform’s own rows, from either table', async () => {
    const other = await givenPlatform(world);
    const isEmpty = { data: [], hasMore: false, totalCount: 0 };
    for (const query of [{}, { cardId: gold }, { customerId: ada.id }, { type: 'CARD' as const }]) {
      assert.deepEqual(await page(query, BOTH, other), isEmpty, JSON.stringify(query));
    }
    const theirs = randomUUID();
    await buy({ platform_id: other.id, id: theirs, customer_id: null, account: randomUUID() });
    assert.deepEqual(idsOf((await page({}, BOTH, other)).data), [`Transaction:${theirs}`]);
    assert.ok(!idsOf(await listed()).includes(`Transaction:${theirs}`));
  });

  it('money.md §6.1: a cursor from before the second table existed continues in both', async () => {
    const all = idsOf(await listed());
    const { data, nextCursor = '' } = await page({ limit: 3 }, [paymentSource]);
    const next = await page({ limit: 100, cursor: nextCursor });
    assert.deepEqual(idsOf(next.data), all.slice(all.indexOf(data[2]?.id as Row['id']) + 1));
    const isRefused = (error: unknown) => error instanceof Refusal && error.code === 'INVALID_INPUT';
    await assert.rejects(page({ cursor: nextCursor, type: 'CARD' }), isRefused);
    await assert.rejects(page({ cursor: 'x', reference: 'x', type: 'CARD' }), isRefused);
  });

  it('platform.md §1.4.1: totalCount counts both tables, and left out above 10,000', async () => {
    const own = await givenPlatform(world);
    const payer = await givenPayer(own, 100);
    assert.equal((await page({}, BOTH, own)).totalCount, 1);
    const account = parseId('InternalAccount', payer.account('USD').id);
    const many = (count: number) =>
      world.database.query(sql`
        insert into purchases (platform_id, id, account, card, kind, status, created_at)
        select ${own.id}::uuid, gen_random_uuid(), ${account}::uuid, ${gold}::uuid, 'DEBIT', 1, now()
          from generate_series(1, ${count}::integer)`);
    await many(COUNT_MAX - 1);
    assert.equal((await page({}, BOTH, own)).totalCount, COUNT_MAX);
    await many(1);
    const above = await page({}, BOTH, own);
    assert.deepEqual([above.data.length, above.hasMore, 'totalCount' in above], [20, true, false]);
    assert.equal((await page({ type: 'CARD' }, BOTH, own)).totalCount, COUNT_MAX);
  });

  it('decision 0016: each filter reads an index of each table, at most a page of it', async () => {
    const work = await platform.work();
    const account = ada.account('USD').id;
    const own = publicId('Platform', platform.id);
    const queries: TransactionQuery[] = [
      {},
      { sortOrder: 'asc' },
      { customerId: ada.id },
      { platformCustomerId: 'ada' },
      { customerId: own },
      { accountIdentifier: account },
      { senderAccountIdentifier: account },
      { startDate: '2020-01-01T00:00:00Z' },
      { cardId: gold },
    ];
    await work.write(async (tx) => {
      await tx.query(sql`set local enable_seqscan = off`);
      await tx.query(sql`set local enable_bitmapscan = off`);
      await tx.query(sql`set local enable_sort = off`);
      for (const query of queries) {
        const asked = (await searchSources(tx, query, BOTH)).filter(
          ({ alternatives }) => alternatives?.length,
        );
        const statement = mixedStatement(asked, query.sortOrder ?? 'desc', [], 21);
        const lines = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
        const plan = lines.map((row) => row['QUERY PLAN']).join('\n');
        assert.doesNotMatch(plan, /Seq Scan/, `${JSON.stringify(query)}\n${plan}`);
        // The platform's own rows are ordered by their missing owner first, so a page of each is sorted.
        if (query.customerId !== own)
          assert.doesNotMatch(plan, /Sort {2}/, `${JSON.stringify(query)}\n${plan}`);
        const limits = plan.match(/Limit {2}/g)?.length ?? 0;
        const scans = plan.match(/Index Scan/g)?.length ?? 0;
        assert.equal(limits, scans + (scans > 1 ? 1 : 0), plan);
      }
    });
  });
});
