// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeAccount } from '#capabilities/accounts/change-status.ts';
import { renderAccountEvents } from '#capabilities/accounts/events.ts';
import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { postEntry, requireActive } from '#capabilities/accounts/post-entry.ts';
import { addSwiftCollection } from '#capabilities/accounts/provision-account.ts';
import { listPlatformAccounts } from '#capabilities/accounts/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import {
  fetchAccounts,
  inCurrency,
  listAccountWebhooks,
  type MoneyKind,
  posts,
  supports,
} from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('balances of internal accounts', () => {
  const world = testWorld({ journalIsChecked: false });

  async function given() {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const account = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    const now = async () => inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    const figures = async () => {
      const { balance, totalBalance } = await now();
      return [balance.amount, totalBalance.amount];
    };
    return { platform, account, now, figures };
  }

  it('accounts.md §2.3.20, §2.3.21, money.md §11.7: a hold lowers only balance, its capture lowers totalBalance, its release restores both', async () => {
    const { platform, account, figures } = await given();
    const steps: [MoneyKind, bigint, [number, number]][] = [
      ['deposit', 1_000n, [1_000, 1_000]],
      ['arrival', 70n, [1_000, 1_070]],
      ['hold', 300n, [700, 1_070]],
      ['capture', 120n, [700, 950]],
      ['release', 180n, [880, 950]],
      ['withdrawal', 80n, [800, 870]],
    ];
    for (const [kind, amount, expected] of steps) {
      await posts(platform, account, kind, amount);
      assert.deepEqual(await figures(), expected, kind);
    }
  });

  it('accounts.md §2.3.23, §2.6: every posting emits one BALANCE_UPDATED with the account after it, and updates updatedAt', async () => {
    const { platform, account, now } = await given();
    const seen = [];
    for (const [kind, amount] of [
      ['deposit', 500n],
      ['hold', 200n],
      ['release', 50n],
    ] as const) {
      world.clock.advance(60_000);
      await posts(platform, account, kind, amount);
      seen.push(await now());
    }
    assert.deepEqual(
      await listAccountWebhooks(platform),
      seen.map((data) => ({ type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', resourceId: account.id, data })),
    );
    const times = [account, ...seen].map(({ updatedAt }) => Date.parse(updatedAt));
    assert.deepEqual(
      times.map((time) => time - (times[0] ?? 0)),
      [0, 60_000, 120_000, 180_000],
    );
    for (const { createdAt } of seen) assert.equal(createdAt, account.createdAt);
  });

  it('accounts.md §2.3.23: updatedAt is the platform’s time, even if its clock was moved', async () => {
    const { platform, account, now } = await given();
    const moved = await platform.call('advanceSandboxClock', { body: { seconds: 3_600 } });
    assert.equal(moved.status, 200, moved.raw);
    await posts(platform, account, 'deposit', 1n);
    assert.equal(Date.parse((await now()).updatedAt) - world.clock.now(), 3_600_000);
  });

  it('accounts.md §2.3.22: a debit above the balance is never partly applied', async () => {
    const { platform, account, figures } = await given();
    await posts(platform, account, 'deposit', 100n);
    await assert.rejects(posts(platform, account, 'withdrawal', 101n), /insufficient/);
    assert.deepEqual(await figures(), [100, 100]);
  });

  it('accounts.md §2.3.23, §2.6: the delivered event shows the account at that time, whatever happened since', async () => {
    const { platform, account } = await given();
    const receiver = await platform.receive();
    await posts(platform, account, 'deposit', 10n);
    await posts(platform, account, 'deposit', 5n);
    await world.app.worker.settle(platform.id);
    const heard = receiver.received.filter(({ body }) => body.type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED');
    assert.deepEqual(
      heard.map(({ body }) => (body.data.balance as { amount: number }).amount),
      [10, 15],
    );
  });

  it('decision 0004: an event written in SQL is rendered from its facts, not from later changes', async () => {
    const { platform, account } = await given();
    const receiver = await platform.receive();
    const before = { ...account };
    await insertFactualEvent(platform, uuidOf(account), 250n, 300n);
    const work = await platform.work();
    await work.write((tx) => addSwiftCollection(tx, { accountId: uuidOf(account), coordinates: SWIFT }));
    await posts(platform, account, 'deposit', 999n);
    await world.app.worker.settle(platform.id);
    const [first] = receiver.received.filter(({ body }) => body.type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED');
    assert.deepEqual(first?.body.data, {
      ...before,
      balance: { ...before.balance, amount: 250 },
      totalBalance: { ...before.totalBalance, amount: 300 },
      updatedAt: new Date(world.clock.now()).toISOString(),
    });
  });

  it('decision 0004: facts of a missing account throw an error', async () => {
    const { platform } = await given();
    const work = await platform.work();
    const event = {
      id: 'e' as Id<never>,
      type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      resourceId: 'r',
      createdAt: new Date(),
      facts: { id: '00000000-0000-7000-8000-000000000000' },
    };
    await assert.rejects(
      work.read((tx) => renderAccountEvents(tx, [event])),
      /refers to a missing account/,
    );
  });

  it('any number of accounts is read with their balances in one statement', async () => {
    const platform = await world.platform();
    await supports(platform, ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'BTC', 'USDC', 'USDT']);
    const work = await platform.work();
    let statements = 0;
    const query: Run = (piece) => {
      statements++;
      return world.database.query(piece);
    };
    const runtime = { ...work.runtime, database: { ...work.runtime.database, query } };
    const counted = new Work(runtime, work.platform, work.actor);
    const rows = await counted.read((tx) => listPlatformAccounts(tx, {}));
    assert.equal(rows.length, 10);
    for (const { available, total } of rows) assert.deepEqual([available, total], [0n, 0n]);
    assert.equal(statements, 1);
  });

  it('accounts.md §2.2: of a concurrent deposit and closing one wins: a closed account never has money', async () => {
    for (let round = 0; round < 10; round++) {
      const { platform, account, now } = await given();
      const work = await platform.work();
      const id = uuidOf(account);
      // Like a payment: the ledger's locks first, then the status check.
      const deposit = work.write(async (tx) => {
        postEntry(tx, {
          kind: 'deposit.received',
          lines: [
            { account: 'RAIL:SANDBOX:USD', currency: 'USD', side: 'DEBIT', amount: 5n },
            { account: availAccountOf(id), currency: 'USD', side: 'CREDIT', amount: 5n },
          ],
        });
        requireActive(tx, id);
      });
      const close = work.write((tx) => closeAccount(tx, { accountId: id }));
      const [deposited, closed] = await Promise.allSettled([deposit, close]);
      assert.notEqual(deposited.status, closed.status, 'exactly one of the two');
      const { status, totalBalance } = await now().catch(() => ({
        status: 'CLOSED',
        totalBalance: { amount: 0 },
      }));
      assert.deepEqual(
        [status, totalBalance.amount],
        closed.status === 'fulfilled' ? ['CLOSED', 0] : ['ACTIVE', 5],
      );
    }
  });

  const SWIFT = { country: 'US', swiftCode: 'SBOXUS33', bankName: 'Sandbox Bank', accountNumber: '4711' };

  async function insertFactualEvent(platform: TestPlatform, id: string, available: bigint, total: bigint) {
    const now = new Date(world.clock.now());
    // Its balances are zero, so these are the changes of later entries.
    const later = { available: String(-available), total: String(-total) };
    await world.database.query(sql`
      insert into events (platform_id, type, resource_id, facts, created_at)
      values (${platform.id}, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', ${`InternalAccount:${id}`},
              (select facts from account_facts_at_commit(${platform.id}, ${id}, ${later}, ${now})), ${now})`);
  }
});
