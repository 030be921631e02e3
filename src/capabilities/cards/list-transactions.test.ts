// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { cardSource } from '#capabilities/cards/transaction-store.ts';
import { settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { showPayment } from '#capabilities/payments/operator/show-payments.ts';
import { searchSources } from '#capabilities/payments/transactions/list-transactions.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import { paymentSource } from '#capabilities/payments/transactions/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { mixedStatement } from '#foundation/http/mixed-page.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { givenCard } from '#tests/given/cards.ts';
import { givenFunds, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { seatedOperator } from '#tests/given/proposals.ts';
import { type Cardholder, purchaseBody, type SimulatedKind, simulated } from '#tests/given/purchases.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { plannedScans, rowsRead, type Scan } from '#tests/harness/planned-scans.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

type TransactionId = `Transaction:${string}`;

describe('card rows among the transactions', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Cardholder;
  let bob: Cardholder;
  /** Ada's transactions: purchases, returns and declined ones. */
  let purchase: TransactionId;
  let returned: TransactionId;
  let declined: TransactionId;
  let bobs: TransactionId;
  let payment: TransactionId;

  before(async () => {
    platform = await givenPlatform(world);
    ada = await givenHolder('ada');
    bob = await givenHolder('bob');
    const [from, to] = [usdOf(ada), usdOf(bob)];
    payment = (await quoted(platform, { from, to, send: 10 })).transactionId;
    purchase = await given(ada, 'financial_authorization', purchaseBody(1_250));
    returned = await given(ada, 'return', { cardTransactionId: purchase, amount: 250 });
    declined = await given(ada, 'authorization', purchaseBody(100, 'SHOP 002'));
    bobs = await given(bob, 'authorization', purchaseBody(500));
  });

  async function givenHolder(platformCustomerId: string): Promise<Cardholder> {
    const payer = await givenPayer(platform, 10_000, { platformCustomerId });
    return { payer, cardId: (await givenCard(platform, payer)).id };
  }

  const usdOf = ({ payer }: Cardholder) => payer.account('USD').id;

  /** A row that is a second younger than the others. */
  async function given({ cardId }: Cardholder, kind: SimulatedKind, body: object): Promise<TransactionId> {
    world.clock.advance(1_000);
    return publicId('Transaction', (await simulated(world, platform, cardId, kind, body)).id);
  }

  async function listed(query: Record<string, string | number> = {}) {
    const reply = await platform.call('listTransactions', { query: { limit: 100, ...query } });
    assert.equal(reply.status, 200, reply.raw);
    assert.equal(reply.body.totalCount, reply.body.data.length);
    return reply.body.data;
  }

  const listIds = async (query: Record<string, string>) => (await listed(query)).map(({ id }) => id);
  const get = (transactionId: string) => platform.call('getTransactionById', { params: { transactionId } });

  it('cards.md §9.1: card rows are listed among payments, newest first, or in reverse on request', async () => {
    const all = await listed();
    assert.deepEqual(
      all.slice(0, 5).map(({ id, type }) => [id, type]),
      [
        [bobs, 'CARD'],
        [declined, 'CARD'],
        [returned, 'CARD'],
        [purchase, 'CARD'],
        [payment, 'OUTGOING'],
      ],
    );
    assert.deepEqual(await listed({ sortOrder: 'asc' }), all.toReversed());
  });

  it('cards.md §9.1: cardId and type=CARD select them', async () => {
    assert.deepEqual(await listIds({ type: 'CARD' }), [bobs, declined, returned, purchase]);
    for (const cardId of [ada.cardId, uuidOf(ada.cardId)]) {
      assert.deepEqual(await listIds({ cardId }), [declined, returned, purchase]);
      assert.deepEqual(await listIds({ cardId, type: 'CARD' }), [declined, returned, purchase]);
    }
    assert.deepEqual(await listIds({ cardId: bob.cardId, customerId: ada.payer.id }), []);
    for (const type of ['INCOMING', 'OUTGOING']) {
      assert.ok((await listed({ type })).every((row) => row.type === type));
    }
  });

  it('operator.md §6.2: operators read the amounts of purchases and of credits', async () => {
    const viewer = await seatedOperator(world, INSTALLATION, ['viewer']);
    const query = { platform: platform.id, type: 'CARD' };
    const { status, body } = await viewer.call('listAllPayments', {}, query);
    assert.equal(status, 200, JSON.stringify(body));
    const amounts = body.data.map(
      ({ sent, received }: Record<'sent' | 'received', { amount: number } | null>) => [
        sent?.amount,
        received?.amount,
      ],
    );
    assert.deepEqual(amounts, [
      [500, undefined],
      [100, undefined],
      [undefined, 250],
      [1_250, undefined],
    ]);
  });

  it('cards.md §9.1: status finds payments only, and is refused beside card transactions', async () => {
    assert.ok((await listed({ status: 'COMPLETED' })).every(({ type }) => type !== 'CARD'));
    for (const query of [{ type: 'CARD' }, { cardId: ada.cardId }]) {
      const reply = await platform.call('listTransactions', { query: { ...query, status: 'COMPLETED' } });
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
    }
    const unknown = await platform.call('listTransactions', { query: { status: 'SETTLED' } });
    assert.equal(unknown.status, 400);
  });

  it('cards.md §9.2: customerId, platformCustomerId and the dates hold for card rows as well', async () => {
    const adas = [declined, returned, purchase];
    assert.deepEqual(await listIds({ customerId: ada.payer.id, type: 'CARD' }), adas);
    assert.deepEqual(await listIds({ platformCustomerId: 'ada', type: 'CARD' }), adas);
    assert.deepEqual(await listIds({ customerId: ada.payer.id, platformCustomerId: 'bob' }), []);
    const own = publicId('Platform', platform.id);
    assert.deepEqual(await listIds({ customerId: own, type: 'CARD' }), []);
    const at = (await listed({ cardId: ada.cardId })).find(({ id }) => id === returned)?.createdAt ?? '';
    assert.deepEqual(await listIds({ startDate: at, endDate: at }), [returned]);
    assert.deepEqual(await listIds({ startDate: at, type: 'CARD' }), [bobs, declined, returned]);
  });

  it('cards.md §9.2: the account is the sender of purchases and the receiver of returns', async () => {
    for (const account of [usdOf(ada), uuidOf(usdOf(ada))]) {
      const ofAccount = { type: 'CARD', accountIdentifier: account };
      assert.deepEqual(await listIds(ofAccount), [declined, returned, purchase]);
      assert.deepEqual(await listIds({ ...ofAccount, customerId: bob.payer.id }), []);
      assert.deepEqual(await listIds({ type: 'CARD', senderAccountIdentifier: account }), [
        declined,
        purchase,
      ]);
      assert.deepEqual(await listIds({ type: 'CARD', receiverAccountIdentifier: account }), [returned]);
      const both = { senderAccountIdentifier: account, receiverAccountIdentifier: account };
      assert.deepEqual(await listIds({ type: 'CARD', ...both }), []);
    }
    const either = await listIds({ accountIdentifier: usdOf(ada) });
    assert.ok([payment, purchase, returned].every((id) => either.includes(id)));
    for (const nobody of [publicId('ExternalAccount', uuidOf(usdOf(ada))), '$ada@example.com']) {
      assert.deepEqual(await listIds({ type: 'CARD', accountIdentifier: nobody }), []);
    }
    assert.deepEqual(await listIds({ type: 'CARD', reference: 'CORNER BOOKS' }), []);
  });

  it('cards.md §9.3, §6.7: GET returns the same row as the list, also a declined one', async () => {
    for (const row of await listed({ type: 'CARD' })) {
      const reply = await get(row.id);
      assert.equal(reply.status, 200, reply.raw);
      assert.deepEqual(reply.body, row);
      assert.deepEqual((await get(uuidOf(row.id))).body, row);
    }
    const { body } = await get(returned);
    assert.ok(body.type === 'CARD');
    assert.deepEqual([body.originalTransactionId, body.direction], [purchase, 'CREDIT']);
    const refused = (await get(declined)).body;
    assert.ok(refused.type === 'CARD');
    assert.deepEqual([refused.status, refused.cardDeclinedReason], ['DECLINED', 'INSUFFICIENT_FUNDS']);
    assert.equal(refused.settledAmount, undefined);
  });

  it('cards.md §9.3: a card transaction cannot be confirmed, cancelled, approved or rejected; another platform’s is unknown', async () => {
    const other = await givenPlatform(world);
    const actions = [
      ['confirmReceiptDelivery', 400, 'INVALID_INPUT'],
      ['cancelTransaction', 400, 'INVALID_INPUT'],
      ['approvePendingPayment', 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
      ['rejectPendingPayment', 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    ] as const;
    for (const [name, status, code] of actions) {
      const call = { params: { transactionId: purchase } };
      const reply = await platform.call(name, call);
      assert.deepEqual([reply.status, reply.body.code], [status, code], name);
      assert.match(String(reply.body.reason), /^Only /);
      assert.deepEqual(reply.body.details, { type: 'CARD', status: 'SETTLED' });
      assert.equal((await other.call(name, call)).body.code, 'TRANSACTION_NOT_FOUND');
    }
    assert.equal((await other.call('getTransactionById', { params: { transactionId: bobs } })).status, 404);
    const foreign = await other.call('listTransactions', { query: { cardId: ada.cardId } });
    assert.deepEqual(foreign.body.data, []);
  });

  it('cards.md §9.3: the operator can show one, but cannot settle it by hand', async () => {
    const sources = [paymentSource, cardSource];
    const work = await platform.work();
    const shown = await work.write((tx) => showPayment(tx, sources, uuidOf(purchase)));
    const { ledger, ...seen } = shown;
    assert.deepEqual(seen, (await get(purchase)).body);
    assert.deepEqual(
      ledger.map(({ kind, account, side }) => [kind, account.split(':')[0], side]),
      [
        ['card.cleared', 'AVAIL', 'DEBIT'],
        ['card.cleared', 'RAIL', 'CREDIT'],
      ],
    );
    for (const action of ['settle', 'fail', 'return'] as const) {
      const report = { transactionId: uuidOf(purchase), action, reason: 'case 4711' };
      await assert.rejects(
        work.write((tx) => settleByHand(tx, sources, report)),
        { code: 'CONFLICT', message: /^Only payments/ },
      );
    }
  });

  describe('with many rows', () => {
    const COUNT = 3_000;
    const PAGE = 20;
    let old: Cardholder;
    let young: Cardholder;

    before(async () => {
      platform = await givenPlatform(world);
      old = await givenHolder('old');
      young = await givenHolder('young');
      const [from, to] = [usdOf(old), usdOf(young)];
      const { transactionId } = await quoted(platform, { from, to, send: 10 });
      const [own] = (await platform.call('listPlatformInternalAccounts')).body.data;
      await givenFunds(platform, own.id, 1);
      // A search for Old's rows along the list would pass all rows of Young.
      for (let i = 0; i < PAGE / 2; i++) {
        await given(old, 'authorization', purchaseBody(1, 'SHOP 002'));
        await given(old, 'credit_authorization', purchaseBody(1, 'SHOP 002'));
      }
      await copyPayment(transactionId);
      await copyRow(await given(young, 'authorization', purchaseBody(1, 'SHOP 002')));
      await world.database.query(sql`analyze transactions`);
      await world.database.query(sql`analyze card_transactions`);
    });

    /** Copies of a declined purchase, which has no postings, each a second later. */
    async function copyRow(transactionId: string): Promise<void> {
      await world.database.query(sql`
        insert into card_transactions
        select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'token', gen_random_uuid(),
                  'created_at', t.created_at + g.n * interval '1 s', 'direction', (array['DEBIT', 'CREDIT'])[1 + g.n % 2]))).*
          from card_transactions t cross join generate_series(1, ${COUNT}::integer) as g (n)
         where t.id = ${uuidOf(transactionId)}`);
    }

    /** Copies of a quote that was not executed. */
    async function copyPayment(transactionId: string): Promise<void> {
      const account = uuidOf(usdOf(young));
      await world.database.query(sql`
        insert into transactions
        select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'quote_id', gen_random_uuid(),
                  'created_at', t.created_at + g.n * interval '1 s', 'customer_id', ${uuidOf(young.payer.id)}::uuid,
                  'source_account', ${account}::uuid, 'destination_account', ${account}::uuid))).*
          from transactions t cross join generate_series(1, ${COUNT}::integer) as g (n)
         where t.id = ${uuidOf(transactionId)}`);
    }

    it('cards.md §9.2, decision 0016: every filter reads about a page of each way to match, along an index, however many rows there are', async () => {
      const account = usdOf(old);
      const own = publicId('Platform', platform.id);
      const queries: TransactionQuery[] = [
        {},
        { sortOrder: 'asc' },
        { type: 'CARD' },
        { type: 'CARD', sortOrder: 'asc' },
        { cardId: old.cardId },
        { cardId: young.cardId, sortOrder: 'asc' },
        { customerId: old.payer.id },
        { customerId: old.payer.id, type: 'CARD' },
        { customerId: young.payer.id },
        { platformCustomerId: 'old' },
        { accountIdentifier: account },
        { senderAccountIdentifier: account },
        { receiverAccountIdentifier: account },
        { receiverAccountIdentifier: usdOf(young), type: 'CARD' },
        { receiverAccountIdentifier: '$somebody@example.com' },
        { status: 'COMPLETED' },
        { status: 'PENDING' },
        { status: 'EXPIRED' },
        { type: 'INCOMING' },
        { reference: 'x' },
        { startDate: '2020-01-01T00:00:00Z' },
        { endDate: '2020-01-01T00:00:00Z' },
        { customerId: own },
        { platformCustomerId: own, sortOrder: 'asc' },
      ];
      const work = await platform.work();
      for (const query of queries) {
        const scans = await work.read((tx) => explainScans(tx, query));
        const told = `${JSON.stringify(query)}\n${JSON.stringify(scans, null, 1)}`;
        assert.deepEqual([...new Set(scans.map((scan) => scan['Node Type']))], ['Index Scan'], told);
        // A scan along the list may pass the few rows that do not match, never the many.
        assert.ok(Math.max(...scans.map(rowsRead)) <= 3 * PAGE, told);
      }
    });

    it('agents.md §3.13, decision 0016: so does the list of an agent that may use only quiet accounts of a busy customer', async () => {
      const work = await platform.work();
      for (const accounts of [[young.payer.account('EUR').id], [young.payer.account('EUR').id, usdOf(old)]]) {
        for (const more of [{}, { sortOrder: 'asc' }, { type: 'OUTGOING' }, { status: 'PENDING' }] as const) {
          const query: TransactionQuery = { customerId: young.payer.id, ...more };
          const allowed = accounts.map(uuidOf);
          const scans = await work.read((tx) => explainScans(tx, query, [paymentSource], allowed));
          const told = `${accounts} ${JSON.stringify(more)}\n${JSON.stringify(scans, null, 1)}`;
          assert.deepEqual([...new Set(scans.map((scan) => scan['Node Type']))], ['Index Scan'], told);
          assert.ok(Math.max(...scans.map(rowsRead)) <= 3 * PAGE, told);
        }
      }
    });

    /** The query plan of the first page. */
    async function explainScans(
      tx: ReadTx,
      query: TransactionQuery,
      sources = [paymentSource, cardSource],
      accounts?: string[],
    ): Promise<Scan[]> {
      const asked = await searchSources(tx, query, sources, { accounts });
      const matching = asked.filter(({ alternatives }) => alternatives?.length !== 0);
      const statement = mixedStatement(matching, query.sortOrder ?? 'desc', [], PAGE + 1);
      return plannedScans(tx, statement);
    }
  });
});
