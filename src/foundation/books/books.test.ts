import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newUuid } from '#foundation/lib/ids.ts';
import { readJournal } from '#tests/given/journal.ts';
import { execute, givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

interface Balance {
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
}

describe('what operators read of the books', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let finance: SeatedOperator;
  let id: string;

  before(async () => {
    platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    const done = await execute(platform, quote.id);
    assert.equal(done.status, 200, done.raw);
    await readJournal(world, platform.id as PlatformId);
    id = platform.id;
    finance = await seatedOperator(world, (await platform.work()).platform, ['finance']);
  });

  async function read(
    operation: string,
    params: Record<string, string>,
    query: Record<string, unknown> = {},
  ) {
    const { status, body } = await finance.call(operation, params, query);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  it('money.md §13.5: the trial balance of one platform, or of all, adds up to zero in each currency', async () => {
    for (const query of [{ platform: id }, { environment: 'SANDBOX' }]) {
      const { balances, unbalanced, platforms } = await read('getTrialBalance', {}, query);
      assert.ok(balances.length > 0 && platforms > 0);
      assert.deepEqual(unbalanced, []);
      const sums = new Map<string, bigint>();
      for (const { currency, balance } of balances as Balance[]) {
        sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(balance));
      }
      assert.deepEqual([...new Set(sums.values())], [0n]);
    }
  });

  it('money.md §13.4: a balance is read at a time and right after an entry, by its id or number', async () => {
    const { data } = await read('listBookAccounts', { id }, { kind: 'AVAIL' });
    const [{ account, currency, balance }] = data as [Balance];
    const lines = (await read('listBookLines', { id }, { account, currency })).data;
    assert.equal(lines[0].balance, balance);
    const now = await read('getBookBalance', { id }, { account });
    assert.equal(now.balances[0].balance, balance);
    const oldest = lines.at(-1);
    for (const entry of [oldest.entry, oldest.seq]) {
      const after = await read('getBookBalance', { id }, { account, entry });
      assert.equal(after.balances[0].balance, oldest.balance);
    }
    const before = new Date(Date.parse(oldest.at) - 1).toISOString();
    assert.equal((await read('getBookBalance', { id }, { account, at: before })).balances[0].balance, '0');
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(
        'listBookLines',
        { id },
        { account, currency, limit: 1, ...(cursor && { cursor }) },
      );
      seen.push(...page.data.map(({ entry }: { entry: string }) => entry));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(
      seen,
      lines.map(({ entry }: { entry: string }) => entry),
    );
  });

  it('money.md §13.4: an entry has its lines, its transaction, and who caused it', async () => {
    const { data } = await read('listBookAccounts', { id }, { kind: 'AVAIL' });
    const [{ account, currency }] = data as [Balance];
    const [line] = (await read('listBookLines', { id }, { account, currency })).data;
    const entry = await read('getBookEntry', { id: uuidOf(line.entry) });
    assert.deepEqual(entry, await read('getBookEntryByNumber', { id, number: line.seq }));
    assert.equal(entry.transaction.id, line.transactionId);
    assert.equal(entry.cause.kind, 'TOKEN');
    const sum = entry.lines.reduce((all: bigint, one: { amount: string }) => all + BigInt(one.amount), 0n);
    assert.equal(sum, 0n);
    assert.match(entry.hash, /^[0-9a-f]{64}$/);
  });

  it('money.md §13.4: unknown and malformed names are refused', async () => {
    const refused = async (
      operation: string,
      params: Record<string, string>,
      query: Record<string, unknown>,
      status: number,
    ) => assert.equal((await finance.call(operation, params, query)).status, status, operation);
    await refused('getBookEntry', { id: newUuid() }, {}, 404);
    await refused('getBookEntryByNumber', { id, number: '999999999' }, {}, 404);
    await refused('getBookEntryByNumber', { id, number: 'x' }, {}, 404);
    await refused('getBookBalance', { id }, { account: 'NOTHING:USD' }, 400);
    await refused('getBookBalance', { id }, { account: 'AVAIL', entry: newUuid() }, 404);
    const at = new Date(world.clock.now()).toISOString();
    await refused('getBookBalance', { id }, { account: 'AVAIL', entry: '1', at }, 400);
    await refused('listBookLines', { id }, { account: 'FEES:USD', currency: 'USD', cursor: 'x' }, 400);
    await refused('getTrialBalance', {}, { platform: newUuid() }, 400);
    assert.deepEqual((await read('getBookBalance', { id }, { account: `AVAIL:${newUuid()}` })).balances, []);
  });

  it('operator.md §6.3: the books are for finance and treasury, and what proves them for admins as well', async () => {
    const { checks } = await read('listLedgerChecks', {});
    assert.ok(checks.length > 10);
    const { heads, keys } = await read('listJournalHeads', { id });
    assert.deepEqual([heads, keys.length <= 1], [[], true]);
    const own = (await platform.work()).platform;
    const admin = await seatedOperator(world, own, ['admin']);
    assert.equal((await admin.call('listJournalHeads', { id })).status, 200);
    assert.equal((await admin.call('getTrialBalance', {})).status, 403);
    const viewer = await seatedOperator(world, own, ['viewer']);
    for (const operation of ['getTrialBalance', 'getBookBalance', 'listJournalHeads', 'listLedgerChecks']) {
      assert.equal((await viewer.call(operation, { id })).status, 403, operation);
    }
  });
});
