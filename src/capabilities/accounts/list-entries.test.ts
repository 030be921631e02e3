import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ledgerAccountsOf } from '#capabilities/accounts/ledger-accounts.ts';
import { walkLines } from '#foundation/ledger/lines-store.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import {
  execute,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
} from '#tests/given/payments.ts';
import { purchaseBody, simulated } from '#tests/given/purchases.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the entries of an account', () => {
  const world = testWorld();

  async function entriesOf(
    platform: TestPlatform,
    id: string,
    query: { limit?: number; cursor?: string; book?: 'HELD' } = {},
  ) {
    const { status, body, raw } = await platform.call('listInternalAccountEntries', {
      params: { id },
      query,
    });
    assert.equal(status, 200, raw);
    return body;
  }

  it('accounts.md §2.3.26: a payment and its funding, with the balance after each', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 50_000);
    const { id } = payer.account('USD');
    const to = await givenOutside(platform, payer.id);
    const quote = await givenQuote(world, platform, { from: id, to });
    await execute(platform, quote.id);
    const { data, hasMore } = await entriesOf(platform, id);
    assert.equal(hasMore, false);
    assert.deepEqual(
      data.map(({ kind, transactionId, book, direction, amount, balanceAfter }) => [
        ...[kind, transactionId === quote.transactionId, book, direction],
        ...[amount.amount, amount.currency.code, balanceAfter.amount],
      ]),
      [
        ['payment.executed', true, 'AVAILABLE', 'OUT', 10_000, 'USD', 40_000],
        ['deposit.received', false, 'AVAILABLE', 'IN', 50_000, 'USD', 50_000],
      ],
    );
  });

  it('accounts.md §2.3.26: a hold is one entry with two parts, whose newest balances add up to the account’s', async () => {
    const platform = await givenCardPlatform(world);
    const payer = await givenPayer(platform, 10_000);
    const { id } = payer.account('USD');
    const card = await givenCard(platform, payer);
    await simulated(world, platform, card.id, 'authorization', purchaseBody(1_500));
    const { data } = await entriesOf(platform, id);
    const newest = (book: string) => data.find((entry) => entry.book === book)?.balanceAfter.amount ?? 0;
    const { body: account } = await platform.call('getInternalAccountById', { params: { id } });
    assert.equal(newest('AVAILABLE'), account.balance.amount);
    assert.equal(newest('AVAILABLE') + newest('HELD') + newest('ARRIVING'), account.totalBalance.amount);
    const held = await entriesOf(platform, id, { book: 'HELD' });
    assert.deepEqual(
      held.data.map(({ kind, direction, amount }) => [kind, direction, amount.amount]),
      [['card.hold_adjusted', 'IN', 1_500]],
    );
    assert.equal(data.filter((entry) => entry.id === held.data[0]?.id).length, 2);
  });

  it('accounts.md §2.3.26, platform.md §1.4.2: pages neither repeat nor leave out an entry', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 100);
    const other = await givenPayer(platform, 100);
    const { id } = payer.account('USD');
    for (let n = 1; n <= 4; n++) {
      await givenFunds(platform, id, n);
      await givenFunds(platform, other.account('USD').id, n);
    }
    const whole = await entriesOf(platform, id);
    assert.deepEqual(
      whole.data.map(({ balanceAfter }) => balanceAfter.amount),
      [110, 106, 103, 101, 100],
    );
    const walked: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await entriesOf(platform, id, { limit: 2, ...(cursor !== undefined && { cursor }) });
      walked.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(walked, whole.data);
    const first = await entriesOf(platform, id, { limit: 1 });
    const elsewhere = await platform.call('listInternalAccountEntries', {
      params: { id: other.account('USD').id },
      query: { cursor: first.nextCursor ?? '' },
    });
    assert.equal(elsewhere.status, 400, 'a cursor belongs to its account');
  });

  it('accounts.md §2.3.27: a walk continues before the line at which it stopped', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 100);
    const id = uuidOf(payer.account('USD'));
    const work = await platform.work();
    const { lines, resume } = await work.read((tx) => walkLines(tx, ledgerAccountsOf(id), 10));
    assert.deepEqual([lines.length, resume], [1, undefined]);
    const [line] = lines;
    assert.ok(line);
    const rest = await work.read((tx) => walkLines(tx, ledgerAccountsOf(id), 10, line));
    assert.deepEqual(rest, { lines: [], resume: undefined });
  });

  it('accounts.md §2.3.27: a page that has read its share of the ledger ends early, and the next one goes on there', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 100);
    for (let n = 0; n < 3; n++) await givenPayer(platform, 100);
    const accounts = ledgerAccountsOf(uuidOf(payer.account('USD')));
    const work = await platform.work();
    const first = await work.read((tx) => walkLines(tx, accounts, 10, undefined, 1));
    assert.equal(first.lines.length, 0);
    assert.ok(first.resume, 'older entries follow');
    const found = [];
    let resume = first.resume as typeof first.resume | undefined;
    while (resume) {
      const page = await work.read((tx) => walkLines(tx, accounts, 10, resume, 1));
      found.push(...page.lines);
      resume = page.resume;
    }
    const whole = await work.read((tx) => walkLines(tx, accounts, 10));
    assert.equal(whole.lines.length, 1);
    assert.deepEqual(found, whole.lines);
  });

  it('accounts.md §2.3.25: another platform’s account is unknown', async () => {
    const [platform, other] = [await givenPlatform(world), await givenPlatform(world)];
    const { id } = (await givenPayer(platform)).account('USD');
    for (const operation of ['getInternalAccountById', 'listInternalAccountEntries'] as const) {
      const { status, body } = await other.send(operation, { params: { id } });
      assert.deepEqual([status, body.code], [404, 'ACCOUNT_NOT_FOUND']);
    }
  });
});
