// lane: whole — several processes contend

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { type App, createApp } from '#app/app.ts';
import { closeAccount, freezeAccount, unfreezeAccount } from '#capabilities/accounts/change-status.ts';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { receiveReport } from '#capabilities/payments/settlement/notices.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { folderStore } from '#foundation/uploads/storage/folder-store.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import {
  advance,
  fetchBalance,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
} from '#tests/given/payments.ts';
import { quoteBody } from '#tests/given/quotes.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Receiver } from '#tests/harness/receiver.ts';

const FEE = {
  platformFeeOverride: { platformFixedFee: { amount: 5, currency: 'USD' }, platformVariableFeeBps: 30 },
};

describe('two processes on one database', () => {
  const world = testWorld();
  let database: Database;
  let apps: readonly App[];
  let platform: TestPlatform;
  let receiver: Receiver;

  before(async () => {
    platform = await givenPlatform(world);
    receiver = await platform.receive();
    database = openDatabase({ url: world.databaseUrl, ...PATIENCE });
    const { vault, personKeys, serviceKey } = world.app.runtime;
    const second = await createApp({
      database,
      vault,
      personKeys,
      serviceKey,
      clock: world.clock,
      newId: newUuid,
      names: wireNames('Svc'),
      domains: TEST_DOMAINS,
      storage: sealedStorage(folderStore(world.storageFolder)),
      log: pino({ level: 'debug' }, { write: (line: string) => void world.logged.push(line) }),
    });
    apps = [world.app, second];
  });

  after(async () => {
    await apps[1]?.close();
    await database.close();
  });

  let turn = 0;
  /** Alternates between the processes. */
  async function post(path: string, body: object | undefined, key?: string) {
    const app = apps[turn++ % 2] as App;
    const reply = await app.http.inject({
      method: 'POST',
      url: `${wireNames('Svc').basePath}${path}`,
      headers: {
        authorization: platform.authorization,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    assert.ok(reply.statusCode < 500, `${path}: ${reply.body}`);
    return { status: reply.statusCode, body: reply.json(), raw: reply.body };
  }

  const quote = (payer: Payer, to: string, more: object = {}, key?: string) =>
    post('/quotes', quoteBody({ from: payer.account('USD').id, to, send: 1_000, more }), key);

  it('money.md §12.8, platform.md §2.6: one key is one payment, whichever process gets the request', async () => {
    const payer = await givenPayer(platform, 100_000);
    const to = await givenOutside(platform, payer.id);
    for (let round = 0; round < 10; round++) {
      const asked = Array.from({ length: 6 }, () =>
        quote(payer, to, { immediatelyExecute: true }, `same ${round}`),
      );
      const replies = await Promise.all(asked);
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
      assert.equal(new Set(replies.map(({ raw }) => raw)).size, 1);
    }
    assert.equal(await fetchBalance(platform, payer, 'USD'), 90_000);
  });

  it('money.md §3.4: of executions over both processes exactly as many succeed as the balance covers', async () => {
    for (let round = 0; round < 5; round++) {
      const payer = await givenPayer(platform, 4_500);
      const to = await givenOutside(platform, payer.id);
      const quotes = await Promise.all(Array.from({ length: 8 }, () => quote(payer, to)));
      const replies = await Promise.all(
        quotes.flatMap(({ body }) => [
          post(`/quotes/${body.id}/execute`, undefined),
          post(`/quotes/${body.id}/execute`, undefined),
        ]),
      );
      assert.equal(replies.filter(({ status }) => status === 200).length, 4);
    }
  });

  it('money.md §12: under concurrent requests to both processes the books stay sound and there is no 5xx', async () => {
    const SUFFIXES = ['999', '002', '003', '004', '005', '006', '007'];
    for (let round = 0; round < ROUNDS; round++) {
      const [payer, other] = [await givenPayer(platform, 8_000), await givenPayer(platform, 0)];
      const outside = await Promise.all(SUFFIXES.map((suffix) => givenOutside(platform, payer.id, suffix)));
      const pull = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
      const inside = other.account('EUR').id;
      const fee = uuidOf(inCurrency(await platformAccounts(platform), 'USD'));
      const own = uuidOf(payer.account('USD'));
      const made = await Promise.all(
        [...outside, inside].flatMap((to) => [quote(payer, to), quote(payer, to, FEE)]),
      );
      const jit = await Promise.all(
        outside.map((to) =>
          post('/quotes', quoteBody({ from: { realtime: 'USD', customerId: payer.id }, to, send: 1_000 })),
        ),
      );
      const operator = async (steps: (tx: Tx) => Promise<unknown>) => {
        const work = await platform.work();
        await work.write(steps).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        });
      };
      const calls: (() => Promise<unknown>)[] = [
        ...made.flatMap(({ body }, i) => [
          () => post(`/quotes/${body.id}/execute`, undefined, i % 3 === 0 ? `key ${body.id}` : undefined),
          () => post(`/quotes/${body.id}/execute`, undefined, i % 3 === 0 ? `key ${body.id}` : undefined),
          () => post(`/transactions/${body.transactionId}/cancel`, undefined),
          () =>
            operator((tx) =>
              receiveReport(tx, {
                reference: uuidOf(body.transactionId),
                notices: [{ kind: i % 2 === 0 ? 'delivered' : 'returned' }],
              }),
            ),
        ]),
        ...jit.flatMap(({ body }, i) => [
          () =>
            post('/sandbox/send', { quoteId: body.id, currencyCode: 'USD', currencyAmount: 1_000 + (i % 2) }),
          () => post('/sandbox/send', { quoteId: body.id, currencyCode: 'USD' }),
        ]),
        ...outside.map((to) => () => quote(payer, to, { ...FEE, immediatelyExecute: true })),
        () =>
          post('/transfer-in', {
            source: { accountId: pull },
            destination: { accountId: payer.account('USD').id },
            amount: 700,
          }),
        () => operator((tx) => freezeAccount(tx, { accountId: own })),
        () => operator((tx) => unfreezeAccount(tx, { accountId: own })),
        () => operator((tx) => freezeAccount(tx, { accountId: fee })),
        () => operator((tx) => unfreezeAccount(tx, { accountId: fee })),
        () => operator((tx) => closeAccount(tx, { accountId: uuidOf(other.account('EUR')) })),
        () => post(`/sandbox/internal-accounts/${payer.account('USD').id}/fund`, { amount: 900 }),
        () => platform.call('deleteCustomerById', { params: { customerId: other.id } }),
        () => platform.call('deleteCustomerById', { params: { customerId: payer.id } }),
        () => advance(platform, 1),
        () => advance(platform, 2),
        () => Promise.all(apps.map(({ worker }) => worker.settle(platform.id))),
      ];
      await Promise.all(shuffled(calls, round).map((call) => call()));
      await operator((tx) => unfreezeAccount(tx, { accountId: own }));
      await operator((tx) => unfreezeAccount(tx, { accountId: fee }));
      await advance(platform, 400);
      const open = await database.query(sql`
        select id, status from transactions
         where platform_id = ${platform.id}
           and (status = any('{PENDING,PENDING_AUTHORIZATION,PROCESSING}') or refund_status = 'PENDING')`);
      assert.deepEqual(open, []);
      const failing = await database.query(sql`
        select kind, last_error from jobs where platform_id = ${platform.id} and attempts > 0`);
      assert.deepEqual(failing, []);
      // The lists no longer show a deleted payer.
      const work = await platform.work();
      const now = await work.read(async (tx) => {
        const [row] = await findAccounts(tx, [own]);
        assert.ok(row);
        return presentInternalAccount(tx, row);
      });
      const told = receiver.received.filter(({ body: { data } }) => data.id === now.id);
      assert.deepEqual(
        told.at(-1)?.body.data,
        now,
        'platform.md §4.2.4: the last event has the current state',
      );
    }
  });
});

/** RACE_ROUNDS allows a longer run by hand. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 2);

function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed + 1;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return items
    .map((item) => ({ item, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
