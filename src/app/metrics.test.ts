// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { OPEN_STATUSES } from '#capabilities/payments/statuses.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { createMetrics } from '#foundation/http/serve/metrics.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { readJournal } from '#tests/given/journal.ts';
import { execute, givenFunds, givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { bought, givenCardholder, simulated } from '#tests/given/purchases.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { registerMetrics } from './metrics.ts';
import {
  countCardExceptions,
  countPayments,
  jobLags,
  journalLags,
  owedAmounts,
  pendingWebhooks,
  readFigures,
  suspendedAmounts,
} from './metrics-store.ts';

describe('metrics', () => {
  const world = testWorld();

  /** The value of one line, by its name and labels; undefined if there is none. */
  async function figure(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = (await world.app.metrics.text())
      .split('\n')
      .find((text) => new RegExp(`^${name}[{ ]`).test(text) && wanted.every((label) => text.includes(label)));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  it('decision 0032: names follow the Prometheus conventions: base units, totals, and the running version in labels', async () => {
    const text = await world.app.metrics.text();
    const types = [...text.matchAll(/^# TYPE (corridor_\S+) (\w+)$/gm)].map(([, name, type]) => ({
      name: name ?? '',
      type,
    }));
    assert.ok(types.length > 15, text);
    for (const { name, type } of types) {
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.doesNotMatch(name, /_(ms|millis|milliseconds|minutes|hours|percent|kb|mb)(_|$)/);
      if (type === 'histogram') assert.match(name, /_duration_seconds$/);
      assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'));
    }
    assert.match(
      text,
      /^corridor_build_info\{version="\d+\.\d+\.\d+(-rc\.\d+)?",commit="([0-9a-f]{12}|unknown)",node="\d+\.\d+\.\d+"\} 1$/m,
    );
  });

  it('decision 0032: payments are counted by status: the open ones, and those created in the last hour', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 50_000);
    const to = await givenOutside(platform, payer.id, '003');
    const from = payer.account('USD').id;
    for (let i = 0; i < 2; i++)
      await execute(platform, (await quoted(platform, { from, to, send: 1_000 })).id);
    await quoted(platform, { from, to, send: 1_000 });
    const labels = { platform: platform.id, status: 'PROCESSING' };
    assert.equal(await figure('corridor_payments_open', labels), 2);
    assert.equal(await figure('corridor_payments_open', { ...labels, status: 'PENDING' }), 1);
    assert.equal(await figure('corridor_payments_open', { ...labels, status: 'COMPLETED' }), undefined);
    assert.equal(await figure('corridor_payments_last_hour', labels), 2);
    world.clock.advance(3_600_001);
    assert.equal(await figure('corridor_payments_last_hour', labels), undefined);
    assert.equal(await figure('corridor_payments_open', labels), 2);
  });

  it('decision 0032: pending webhooks show with their number and oldest age, and due jobs with their lag', async () => {
    const platform = await givenPlatform(world);
    await platform.receive();
    const payer = await givenPayer(platform, 50_000);
    const to = await givenOutside(platform, payer.id, '003');
    await world.app.worker.settle(platform.id);
    await execute(platform, (await quoted(platform, { from: payer.account('USD').id, to, send: 1_000 })).id);
    const labels = { platform: platform.id, state: 'first' };
    const count = await figure('corridor_webhooks_pending', labels);
    assert.ok((count ?? 0) > 0);
    world.clock.advance(90_000);
    assert.equal(await figure('corridor_webhook_oldest_age_seconds', labels), 90);
    assert.ok(((await figure('corridor_job_lag_seconds', { kind: 'payments.pay' })) ?? 0) >= 85);
    await world.app.worker.settle();
    assert.equal(await figure('corridor_webhooks_pending', labels), undefined);
    assert.equal(await figure('corridor_job_lag_seconds', { kind: 'platform.purge' }), 0);
  });

  it('money.md §13.3: the journal’s lag is the age of the oldest entry that was not read', async () => {
    const platform = await givenPlatform(world);
    await readJournal(world, platform.id);
    await suspend(platform, 1n);
    world.clock.advance(40_000);
    await suspend(platform, 1n);
    const lag = () => figure('corridor_journal_lag_seconds', { environment: 'sandbox' });
    assert.ok(((await lag()) ?? 0) >= 40);
    for (const { id } of await world.database.query<{ id: PlatformId }>(sql`select id from platforms`))
      await readJournal(world, id);
    assert.equal(await lag(), 0);
  });

  it('decision 0032: moving a sandbox clock ages no webhook and no job, and every figure of a platform names its environment', async () => {
    const platform = await givenPlatform(world);
    const receiver = await platform.receive();
    receiver.answer({ status: 500 });
    await platform.call('advanceSandboxClock', { body: { seconds: 60 } });
    await givenPayer(platform, 0);
    const day = 24 * 60 * 60;
    await platform.call('advanceSandboxClock', { body: { seconds: 2 * day } });
    world.clock.advance(30_000);
    const labels = { platform: platform.id, environment: 'sandbox', state: 'retry' };
    assert.equal(await figure('corridor_webhook_oldest_age_seconds', labels), 30);
    assert.ok(((await figure('corridor_job_lag_seconds', { environment: 'sandbox' })) ?? 0) < day);
    const text = await world.app.metrics.text();
    for (const line of text.split('\n').filter((line) => line.includes(`platform="${platform.id}"`)))
      assert.match(line, /environment="sandbox"/);
    receiver.answer({ status: 200 });
    await world.app.worker.settle();
    assert.match(
      await world.app.metrics.text(),
      /^corridor_jobs_total\{kind="\S+",environment="sandbox",outcome="done"\}/m,
    );
  });

  it('decision 0032: unmatched money, debts and card exceptions show by platform, in minor units', async () => {
    const platform = await givenPlatform(world);
    await suspend(platform, 4_000n);
    await suspend(platform, 3n);
    const { payer, cardId } = await givenCardholder(platform, 0);
    await givenFunds(platform, payer.account('USD').id, 1);
    const { id } = await bought(world, platform, cardId, 1);
    await simulated(world, platform, cardId, 'clearing', { cardTransactionId: id, amount: 1_001 });
    const labels = { platform: platform.id, currency: 'USD' };
    assert.equal(await figure('corridor_suspense_minor_units', labels), 4_003);
    assert.equal(await figure('corridor_receivables_minor_units', labels), 1_000);
    assert.equal(await figure('corridor_card_exceptions', { platform: platform.id }), 1);
  });

  it('decision 0032: the figures are read from partial indexes and ranges, never from a whole table', async () => {
    const now = new Date(world.clock.now());
    const since = { now, seconds: 3_600 };
    const cases: [Sql, RegExp[]][] = [
      [pendingWebhooks(now), [/Index Scan using events_first/, /Index Scan using events_again/]],
      [jobLags(now), [/Limit\n\s+-> {2}Index Only Scan using jobs_due[\s\S]*Index Cond: \(ROW/]],
      [journalLags(now), [/Limit\n\s+-> {2}Index Scan using ledger_entries_pkey/]],
      [
        countPayments(OPEN_STATUSES),
        [/Scan using transactions_by_status[\s\S]*Index Cond: .*platform_id.*status/],
      ],
      [countPayments(['COMPLETED'], since), [/Index Cond: .*platform_id.*status.*created_at/]],
      [suspendedAmounts(), [/open_suspense/]],
      [owedAmounts(), [/open_debts/]],
      [countCardExceptions(), [/Scan using card_transactions_exceptions/]],
    ];
    for (const [statement, indexes] of cases) {
      const rows = await readFigures<{ 'QUERY PLAN': string }>(
        world.database,
        sql`explain (costs off) ${statement}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      assert.doesNotMatch(plan, /Seq Scan/, plan);
      for (const index of indexes) assert.match(plan, index, plan);
    }
  });

  it('decision 0032: while the database is unavailable, the metrics say so and show the other figures', async () => {
    const url = new URL(world.databaseUrl);
    url.port = '1';
    const database = openDatabase({ url: url.toString(), connectionsMax: 1 });
    const metrics = createMetrics();
    registerMetrics(metrics, { database, clock: world.clock, worker: world.app.worker });
    try {
      const text = await metrics.text();
      assert.match(text, /^corridor_database_up 0$/m);
      assert.match(text, /^corridor_build_info\{/m);
      assert.match(text, /^# TYPE corridor_payments_open gauge$/m);
      assert.doesNotMatch(text, /^corridor_payments_open\{/m);
    } finally {
      await database.close();
    }
    assert.equal(await figure('corridor_database_up'), 1);
  });

  /** Receives money that cannot be matched to an account. */
  async function suspend(platform: TestPlatform, amount: bigint): Promise<void> {
    await (await platform.work()).write((tx) =>
      receiveDeposit(tx, {
        accountId: newUuid(),
        amount,
        currency: 'USD',
        rail: 'ACH',
        providerReference: newUuid(),
      }),
    );
  }
});
