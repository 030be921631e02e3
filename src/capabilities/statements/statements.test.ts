// lane: whole — plays months of movements
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parsePeriod } from '#capabilities/statements/period.ts';
import type { AccountStatement, StatementLine } from '#capabilities/statements/schemas.ts';
import { loadMoneyBefore } from '#capabilities/statements/store.ts';
import { posts } from '#tests/given/accounts.ts';
import { readJournal } from '#tests/given/journal.ts';
import {
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  type Payer,
} from '#tests/given/payments.ts';
import { seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('statements of accounts', () => {
  const world = testWorld({ journalIsChecked: false });
  let platform: TestPlatform;
  let payer: Payer;
  let began: number;
  const random = createRandom(39);

  before(async () => {
    platform = await givenPlatform(world);
    began = world.clock.now();
    payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    for (let day = 0; day < 40; day++) {
      world.clock.advance(Math.floor(random() * DAY_MS));
      const account = payer.account('USD');
      const kind = (['deposit', 'hold', 'release'] as const)[day % 3] ?? 'deposit';
      await posts(platform, account, kind, kind === 'deposit' ? BigInt(1 + Math.floor(random() * 500)) : 7n);
      if (day % 10 !== 0) continue;
      const quote = await givenQuote(world, platform, { from: account.id, to, send: 1_000n });
      const done = await execute(platform, quote.id);
      assert.equal(done.status, 200, done.raw);
    }
    world.clock.advance(HOUR_MS);
    await readJournal(world, platform.id);
  });

  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const wholePeriod = () => ({ from: dayOf(began), to: dayOf(world.clock.now() - DAY_MS) });

  async function read(query: Record<string, unknown>): Promise<AccountStatement> {
    const accountId = payer.account('USD').id;
    const reply = await platform.call('getAccountStatement', { query: { accountId, ...query } as never });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body as AccountStatement;
  }

  async function readAll(query: Record<string, unknown>): Promise<StatementLine[]> {
    const lines: StatementLine[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ ...query, ...(cursor !== undefined && { cursor }) });
      lines.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return lines;
  }

  it('bank-files.md §8.2: over a thousand random periods and zones the closing balance is the next opening one', async () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Pacific/Apia',
      'America/Sao_Paulo',
    ];
    const work = await platform.work();
    const holder = { id: uuidOf(payer.account('USD')) as AccountId, currency: 'USD' };
    let moved = 0;
    for (let round = 0; round < 1_000; round++) {
      const zone = zones[Math.floor(random() * zones.length)] as string;
      const first = began - DAY_MS + Math.floor(random() * 30 * DAY_MS);
      const last = first + Math.floor(random() * 20) * DAY_MS;
      const period = parsePeriod({ from: dayOf(first), to: dayOf(last), zone });
      const next = parsePeriod({ from: dayOf(last + DAY_MS), to: dayOf(last + 3 * DAY_MS), zone });
      assert.deepEqual(next.start, period.end, `${zone} ${period.to}`);
      if (round % 20 !== 0) continue;
      const [opening, closing] = await work.read(async (tx) => [
        await loadMoneyBefore(tx, holder, period.start),
        await loadMoneyBefore(tx, holder, period.end),
      ]);
      const shown = await read({ from: period.from, to: period.to, zone, limit: 100 });
      assert.deepEqual([BigInt(shown.opening.amount), BigInt(shown.closing.amount)], [opening, closing]);
      const following = await read({ from: next.from, to: next.to, zone });
      assert.deepEqual(following.opening, shown.closing);
      assert.equal(sumOf(shown.data), shown.closing.amount - shown.opening.amount);
      if (shown.data.length > 0) moved++;
    }
    assert.ok(moved > 10);
  });

  it('bank-files.md §8.1: lines lead from opening to closing; a hold and its release are none', async () => {
    const period = wholePeriod();
    const { opening, closing } = await read(period);
    const lines = await readAll({ ...period, limit: 7 });
    assert.ok(lines.length > 15);
    assert.deepEqual(lines, await readAll({ ...period, limit: 100 }));
    let balance = opening.amount;
    for (const line of lines) {
      balance += line.direction === 'IN' ? line.amount.amount : -line.amount.amount;
      assert.equal(line.balanceAfter.amount, balance);
      assert.notEqual(line.kind, 'payment.held');
    }
    assert.equal(balance, closing.amount);
    assert.deepEqual(
      lines.map(({ at }) => at),
      lines.map(({ at }) => at).toSorted(),
    );
    const sent = lines.find(({ kind }) => kind === 'payment.executed');
    assert.equal(sent?.description, 'Payment sent');
    assert.match(sent?.transactionId ?? '', /^Transaction:/);
    assert.match(sent?.counterparty?.account ?? '', /^ExternalAccount:/);
  });

  it('bank-files.md §8.2: the closing balance of a period that ends now is the total balance', async () => {
    const today = dayOf(world.clock.now());
    const { closing, isProvisional } = await read({ from: today, to: today });
    const account = await platform.call('getInternalAccountById', {
      params: { id: payer.account('USD').id },
    });
    assert.deepEqual(closing, account.body.totalBalance);
    assert.equal(isProvisional, true);
  });

  it('bank-files.md §8.3: five minutes after its end a statement is the same for ever', async () => {
    const period = { ...wholePeriod(), limit: 100 };
    const first = await read(period);
    assert.equal(first.isProvisional, false);
    await posts(platform, payer.account('USD'), 'deposit', 5n);
    await readJournal(world, platform.id);
    assert.deepEqual(await read(period), first);
    const next = new Date(world.clock.now() + DAY_MS).toISOString().slice(0, 10);
    const midnight = Date.parse(next);
    const yesterday = { from: dayOf(midnight - 1), to: dayOf(midnight - 1) };
    world.clock.advance(midnight - world.clock.now() + 4 * 60_000);
    assert.equal((await read(yesterday)).isProvisional, true);
    world.clock.advance(2 * 60_000);
    assert.equal((await read(yesterday)).isProvisional, false);
  });

  it('bank-files.md §8.5: a bad period is refused with all its faults, an unknown account is not found', async () => {
    const accountId = payer.account('USD').id;
    const fieldsOf = async (query: Record<string, unknown>) => {
      const { status, body } = await platform.send('getAccountStatement', { query: { accountId, ...query } });
      assert.equal(status, 400, JSON.stringify(body));
      const { errors } = (body as { details: { errors: { field: string }[] } }).details;
      return errors.map(({ field }) => field);
    };
    assert.deepEqual(await fieldsOf({ from: '2026-02-30', to: '2026-13-01', zone: 'Mars/Olympus' }), [
      'from',
      'to',
      'zone',
    ]);
    assert.deepEqual(await fieldsOf({ from: '2026-03-02', to: '2026-03-01' }), ['to']);
    assert.deepEqual(await fieldsOf({ from: '2026-03-02', to: '2027-03-04' }), ['to']);
    assert.deepEqual(await fieldsOf({ from: '0001-01-01', to: '0001-01-01' }), ['from', 'to']);
    assert.deepEqual(await fieldsOf({ from: '2026-03-01', to: '2026-03-02', zone: '+02:00' }), ['zone']);
    await read({ from: '2026-03-02', to: '2027-03-02' });
    const period = { from: '2026-03-01', to: '2026-03-02' };
    for (const unknown of ['InternalAccount:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968', 'nonsense', payer.id]) {
      const { status, body } = await platform.send('getAccountStatement', {
        query: { ...period, accountId: unknown },
      });
      assert.deepEqual([status, (body as { code: string }).code], [404, 'ACCOUNT_NOT_FOUND']);
    }
  });

  it('bank-files.md §8.6, operator.md §4.3: only operators of finance read the same statement, and each reading is recorded', async () => {
    const { platform: record } = await platform.work();
    const id = uuidOf(payer.account('USD'));
    const finance = await seatedOperator(world, record, ['finance']);
    const { status, body } = await finance.call('showAccountStatement', { id }, wholePeriod());
    assert.deepEqual([status, body], [200, await read(wholePeriod())]);
    const support = await seatedOperator(world, record, ['support']);
    assert.equal((await support.call('showAccountStatement', { id }, wholePeriod())).status, 403);
    const treasury = await seatedOperator(world, record, ['treasury']);
    const refused = await treasury.call('showAccountStatement', { id }, wholePeriod());
    assert.deepEqual([refused.status, refused.body.details.roles], [403, ['finance']]);
    const reads = await platform.work().then((work) =>
      work.read(
        (tx) => tx.sql<{ fields: string[] }>`
        select fields from record_reads where actor_id = ${finance.name}`,
      ),
    );
    assert.deepEqual(
      reads.map(({ fields }) => fields[0]),
      ['statement'],
    );
  });
});

function sumOf(lines: readonly StatementLine[]): number {
  return lines.reduce(
    (sum, { direction, amount }) => sum + (direction === 'IN' ? amount.amount : -amount.amount),
    0,
  );
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
