// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countWaiting } from '#capabilities/attention/store.ts';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { createProgram } from '#cli/main.ts';
import { KINDS } from '#cli/operator/installation/attention-command.ts';
import { recordRun } from '#foundation/audit/run-store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import { askMint, COIN, givenSparkWallet } from '#tests/given/mints.ts';
import {
  advance,
  execute,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
} from '#tests/given/payments.ts';
import { bought, givenCardholder, simulated } from '#tests/given/purchases.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { plannedScans, rowsRead } from '#tests/harness/planned-scans.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  ATTENTION_KINDS,
  type AttentionGroup,
  type AttentionItem,
  attentionStatement,
  COUNT_MAX,
  loadAttention,
} from './attention.ts';
import { SERVICE } from './compose.ts';
import { readFigures } from './metrics-store.ts';

const DAY = 24 * 60 * 60;

describe('items that need attention', () => {
  const world = testWorld();

  const load = (environments: readonly Environment[] = ['SANDBOX', 'PRODUCTION'], shown = 1_000) =>
    loadAttention(world.database, { now: new Date(world.clock.now()), environments, shown });
  /** The items of a kind on this platform. */
  async function waiting(kind: string, platform: TestPlatform): Promise<AttentionItem[]> {
    const groups = (await load()).filter((group) => group.kind === kind);
    return groups.flatMap(({ items }) => items).filter(({ platformId }) => platformId === platform.id);
  }
  async function only(kind: string, platform: TestPlatform): Promise<AttentionItem> {
    const [item, ...others] = await waiting(kind, platform);
    assert.ok(item, kind);
    assert.deepEqual(others, [], kind);
    return item;
  }
  const change = (statement: ReturnType<typeof sql>) => world.database.query(statement);

  /** The group of the installation, if there is one. */
  const ofInstallation = async (kind: string): Promise<AttentionGroup | undefined> =>
    (await load(['PRODUCTION'])).find((group) => group.kind === kind);

  it('decision 0032: lists a customer under review, an unscreened external account, and an internal account without a bank', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 0);
    const outside = await givenOutside(platform, payer.id);
    await world.app.worker.settle(platform.id);
    for (const kind of ['reviews', 'external-accounts', 'accounts'])
      assert.deepEqual(await waiting(kind, platform), []);
    await change(sql`update customers set status = 'HOLD' where platform_id = ${platform.id}`);
    await change(sql`update external_accounts set status = 'PENDING' where platform_id = ${platform.id}`);
    const inside = uuidOf(payer.account('EUR').id);
    await change(sql`update internal_accounts set status = 'PENDING' where id = ${inside}`);
    world.clock.advance(5 * 60_000);
    const on = `--platform ${publicId('Platform', platform.id)}`;
    const review = await only('reviews', platform);
    assert.deepEqual([review.subject, review.why], [payer.id, 'on hold until the operator decides']);
    assert.ok(review.ageSeconds >= 300 && review.ageSeconds < 400, String(review.ageSeconds));
    assert.deepEqual(review.commands, [
      `corridor review show ${payer.id} ${on}`,
      `corridor review approve ${payer.id} ${on}`,
    ]);
    const screening = await only('external-accounts', platform);
    assert.deepEqual(
      [screening.subject, screening.commands.at(-1)],
      [outside, `corridor account screening ${outside} clear ${on} --reason "<why>"`],
    );
    await change(
      sql`update external_accounts set status = 'UNDER_REVIEW' where platform_id = ${platform.id}`,
    );
    assert.match(
      (await only('external-accounts', platform)).commands.at(-1) ?? '',
      /account review \S+ clear/,
    );
    assert.equal((await only('accounts', platform)).subject, payer.account('EUR').id);
    await change(sql`update customers set status = 'APPROVED' where platform_id = ${platform.id}`);
    assert.deepEqual(await waiting('reviews', platform), []);
  });

  it('decision 0032: a payment that no job moves on waits for the operator, and one that takes too long in business time is overdue', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 50_000);
    const to = await givenOutside(platform, payer.id);
    const from = payer.account('USD').id;
    await world.app.worker.settle(platform.id);
    const { transactionId } = (
      await execute(platform, (await quoted(platform, { from, to, send: 1_000 })).id)
    ).body;
    assert.ok(transactionId);
    assert.deepEqual(await waiting('payments-by-hand', platform), []);
    await change(sql`delete from jobs where platform_id = ${platform.id} and kind like 'payments.%'`);
    const byHand = await only('payments-by-hand', platform);
    assert.equal(byHand.subject, transactionId);
    assert.equal(byHand.why, 'no rail reports its payout, so the operator has to');
    assert.deepEqual(await waiting('payments-overdue', platform), []);
    await advance(platform, 3_700);
    const overdue = await only('payments-overdue', platform);
    assert.deepEqual([overdue.subject, overdue.platformName !== null], [transactionId, true]);
    assert.match(
      overdue.commands[1] ?? '',
      /^corridor payment settle Transaction:\S+ --platform \S+ --reason /,
    );
  });

  it('decision 0032: lists unmatched money, debts and card exceptions, each with its amount or debtor', async () => {
    const platform = await givenPlatform(world);
    await (await platform.work()).write((tx) =>
      receiveDeposit(tx, {
        accountId: newUuid(),
        amount: 4_000n,
        currency: 'USD',
        rail: 'ACH',
        providerReference: newUuid(),
      }),
    );
    const { payer, cardId } = await givenCardholder(platform, 0);
    await givenFunds(platform, payer.account('USD').id, 1);
    const { id } = await bought(world, platform, cardId, 1);
    await simulated(world, platform, cardId, 'clearing', { cardTransactionId: id, amount: 1_001 });
    assert.equal(
      (await only('suspense', platform)).why,
      '40.00 USD: money that could not be matched to an account',
    );
    const exception = await only('card-exceptions', platform);
    assert.match(exception.commands.join('\n'), /card exceptions collect Transaction:\S+ --platform/);
    assert.deepEqual(
      await waiting('receivables', platform),
      [],
      'the debt of a card transaction is listed once',
    );
  });

  it('decision 0032: a customer whose money was taken back after it was spent owes it to us', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 0);
    const account = payer.account('USD').id;
    const from = await givenOutside(platform, payer.id, '005', 'USD_ACCOUNT');
    const pulled = await quoted(platform, { from, to: account, send: 5_000 });
    await execute(platform, pulled.id);
    const report = (action: 'settle' | 'return') => async (tx: Tx) => {
      const transactionId = uuidOf(pulled.transactionId as string);
      return settleByHand(tx, SERVICE.transactionSources, { transactionId, action, reason: 'a test' });
    };
    const work = await platform.work();
    await work.write(report('settle'));
    const to = await givenOutside(platform, payer.id);
    await execute(platform, (await quoted(platform, { from: account, to, send: 3_000 })).id);
    await work.write(report('return'));
    const debt = await only('receivables', platform);
    assert.deepEqual([debt.subject, debt.why], [payer.id, 'owes 30.00 USD, which the next credit repays']);
    assert.match(debt.commands.at(-1) ?? '', /receivable write-off Customer:\S+ --currency USD --platform/);
    assert.equal(await debtsOfWork(platform), 0);
    const later = await debtsOfWork(platform, 31 * DAY);
    assert.equal(later, 1, 'operator.md §6.4: a debt becomes work after 30 days');
  });

  /** How many debts are work of an operator, some seconds from now. */
  async function debtsOfWork({ id: platformId }: TestPlatform, seconds = 0): Promise<number | undefined> {
    const now = new Date(world.clock.now() + seconds * 1_000);
    const reader = { operatorId: newUuid<'Operator'>(), operations: [] };
    const scope = { now, environment: 'SANDBOX', platformId, reader } as const;
    const kinds = ATTENTION_KINDS.filter(({ name }) => name === 'receivables');
    const [counted] = await countWaiting(world.database, kinds, scope);
    return counted?.count;
  }

  it('decision 0032: lists coins that wait for approval, and operations whose provider cannot be asked', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform);
    await change(sql`
      update stablecoins set svc_operations_status = 'PENDING_APPROVAL' where platform_id = ${platform.id}`);
    assert.equal((await only('coins', platform)).subject, coin.id);
    const { id: accountId } = await givenSparkWallet(platform);
    const minted = await askMint(platform, coin, { amount: String(COIN), destination: { accountId } });
    assert.equal(minted.status, 201, minted.raw);
    assert.deepEqual(await waiting('coin-operations', platform), []);
    await change(sql`
      update stablecoin_provider_accounts set status = 'INVALID' where platform_id = ${platform.id}`);
    const operation = await only('coin-operations', platform);
    assert.deepEqual(
      [operation.subject, operation.why],
      [minted.body.id, 'its account at the provider is no longer linked, so its status cannot be read'],
    );
    await change(sql`
      update stablecoin_provider_accounts set status = 'ACTIVE' where platform_id = ${platform.id}`);
    await change(sql`
      update jobs set attempts = 1, last_error = 'Error: 503'
       where platform_id = ${platform.id} and kind = 'stablecoins.follow'`);
    assert.equal((await only('coin-operations', platform)).why, 'the provider returns an error: Error: 503');
  });

  it('decision 0032: lists exhausted webhooks, and messages and other jobs that failed three times', async () => {
    const platform = await givenPlatform(world);
    await platform.receive();
    await givenPayer(platform, 0);
    await world.app.worker.settle(platform.id);
    await change(sql`
      update events set state = 'EXHAUSTED', finished_at = ${new Date(world.clock.now())}
       where platform_id = ${platform.id} and type like 'CUSTOMER%'`);
    const [webhook] = await waiting('webhooks', platform);
    assert.match(webhook?.commands.at(-1) ?? '', /^corridor webhook resend Webhook:\S+ --platform/);
    const key = newUuid();
    for (const [kind, attempts] of [
      ['sca.send-code', 3],
      ['payments.pay', 3],
      ['payments.collect', 2],
    ] as const) {
      await change(sql`
        insert into jobs (platform_id, kind, key, due_at, created_at, attempts, last_error)
        values (${platform.id}, ${kind}, ${key}, ${new Date(world.clock.now() + 60_000)},
                ${new Date(world.clock.now())}, ${attempts}, 'Error: no answer')`);
    }
    const message = await only('messages', platform);
    assert.match(message.why, /^failed 3 times \(Error: no answer\); it is tried again at 20/);
    const job = await only('jobs', platform);
    assert.deepEqual(
      [job.subject, job.commands],
      [
        `payments.pay ${key}`,
        [`corridor payment show Transaction:${key} --platform Platform:${platform.id}`],
      ],
    );
    await change(sql`delete from jobs where platform_id = ${platform.id} and key = ${key}`);
    await change(sql`delete from events where platform_id = ${platform.id}`);
  });

  it('decision 0032: lists missing rates, unproven books and missing backups once a production platform exists', async () => {
    assert.equal(await ofInstallation('rates'), undefined);
    await world.platform({ environment: 'PRODUCTION' });
    assert.equal((await ofInstallation('rates'))?.items[0]?.why, 'there are no rates: nothing can be priced');
    for (const kind of ['ledger-verify', 'backup']) assert.equal(await ofInstallation(kind), undefined);
    world.clock.advance(8 * DAY * 1_000);
    assert.equal((await ofInstallation('ledger-verify'))?.items[0]?.why, 'the ledger was never verified');
    assert.equal((await ofInstallation('backup'))?.items[0]?.why, 'no backup has ever been recorded');
    const at = new Date(world.clock.now());
    await recordRun(world.database, 'backup', { at });
    await recordRun(world.database, 'backup', { at: new Date(at.getTime() - DAY * 1_000) });
    await recordRun(world.database, 'ledger verify', { at });
    for (const kind of ['ledger-verify', 'backup']) assert.equal(await ofInstallation(kind), undefined);
    world.clock.advance(27 * 3_600_000);
    assert.equal(
      (await ofInstallation('backup'))?.items[0]?.why,
      'no backup has been recorded for over a day',
    );
    assert.equal((await ofInstallation('backup'))?.oldestAgeSeconds, 27 * 3_600);
    await recordRun(world.database, 'ledger verify', {
      at: new Date(world.clock.now()),
      trouble: '1 of 9 checks were broken',
    });
    assert.equal((await ofInstallation('ledger-verify'))?.items[0]?.why, '1 of 9 checks were broken');
    const now = new Date(world.clock.now());
    await change(sql`
      insert into exchange_rates (currency, origin, per_usd, as_of, read_at, expires_at)
      values ('EUR', 'SOURCE', 0.9, ${now}, ${now}, ${new Date(now.getTime() + 1_000)}),
             ('NGN', 'SOURCE', 1500, ${now}, ${now}, ${new Date(now.getTime() + 9_000)})`);
    assert.equal(await ofInstallation('rates'), undefined);
    world.clock.advance(2_000);
    const stale = await ofInstallation('rates');
    assert.deepEqual(
      stale?.items.map(({ subject, ageSeconds }) => [subject, ageSeconds]),
      [['EUR', 1]],
    );
  });

  it('decision 0032: a count is capped, the oldest items come first, and one environment hides no item of the other', async () => {
    const [sandbox, production] = [
      await world.platform(),
      await world.platform({ environment: 'PRODUCTION' }),
    ];
    const now = new Date(world.clock.now());
    const give = (platform: TestPlatform, count: number) =>
      change(sql`
        insert into events (platform_id, type, resource_id, facts, created_at, state, finished_at)
        select ${platform.id}, 'CUSTOMER.UPDATED', 'Customer:1', '{}', ${now}, 'EXHAUSTED',
               ${now}::timestamptz - n * interval '1 second' from generate_series(1, ${count}) n`);
    await give(sandbox, COUNT_MAX + 5);
    await give(production, 2);
    const groups = (await load(['SANDBOX', 'PRODUCTION'], 3)).filter(({ kind }) => kind === 'webhooks');
    const shown = groups.map(({ environment, count, isCapped, items }) => [
      environment,
      count,
      isCapped,
      items.length,
    ]);
    assert.deepEqual(shown, [
      ['PRODUCTION', 2, false, 2],
      ['SANDBOX', COUNT_MAX, true, 3],
    ]);
    assert.deepEqual(
      groups.map(({ items }) => items[0]?.ageSeconds),
      [2, COUNT_MAX + 5],
    );
    assert.deepEqual(
      (await load(['PRODUCTION'])).map(({ environment }) => environment).filter((name) => name === 'SANDBOX'),
      [],
    );
    const text = await world.app.metrics.text();
    assert.match(
      text,
      new RegExp(`^corridor_attention\\{kind="webhooks",environment="sandbox"\\} ${COUNT_MAX}$`, 'm'),
    );
    assert.match(
      text,
      /^corridor_attention_oldest_age_seconds\{kind="webhooks",environment="production"\} 2$/m,
    );
    for (const { id } of [sandbox, production])
      await change(sql`delete from events where platform_id = ${id}`);
  });

  it('decision 0032: moving a sandbox clock ages business items, but no delivery and no job', async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 0);
    await change(sql`update customers set status = 'PENDING' where id = ${uuidOf(payer.id)}`);
    await change(sql`
      insert into jobs (platform_id, kind, key, due_at, created_at, attempts, last_error)
      values (${platform.id}, 'unknown', 'a', ${new Date(world.clock.now() + 30 * DAY * 1_000)},
              ${new Date(world.clock.now())}, 3, 'Error')`);
    await advance(platform, 10 * DAY);
    world.clock.advance(60_000);
    assert.equal((await only('jobs', platform)).ageSeconds, 60);
    assert.ok((await only('reviews', platform)).ageSeconds >= 10 * DAY);
    await change(sql`delete from jobs where platform_id = ${platform.id} and kind = 'unknown'`);
  });

  it('decision 0032: every kind reads an index of the waiting rows, and never a whole table', async () => {
    const environments = ['SANDBOX', 'PRODUCTION'] as const;
    const request = { now: new Date(world.clock.now()), environments, shown: 5 };
    const indexes: Record<string, RegExp[]> = {
      reviews: [/customers_waiting/],
      accounts: [/internal_accounts_waiting/],
      'external-accounts': [/external_accounts_waiting/],
      'payments-overdue': [
        /transactions_under_way[^\n]*\n *Index Cond: [^\n]*executed_at/,
        /transactions_refunding/,
      ],
      'payments-by-hand': [
        /transactions_under_way/,
        /transactions_refunding/,
        /jobs_key[^\n]*\n *Index Cond: [^\n]*key = /,
      ],
      suspense: [/open_suspense_by_age/],
      receivables: [/open_debts_by_age/],
      connectors: [],
      'connector-certificates': [],
      breaks: [/connector_breaks_by_age/],
      'bank-files': [/bank_files_in_quarantine/],
      'unwritten-files': [/bank_file_batches_unwritten/],
      proposals: [/proposals_(by_expiry|open)/],
      'break-glass': [/break_glass_open/],
      'card-exceptions': [/card_transactions_exceptions/],
      coins: [/stablecoins_waiting/],
      'coin-operations': [/stablecoin_operations_waiting/, /jobs_key[^\n]*\n *Index Cond: [^\n]*key = /],
      webhooks: [/events_(exhausted|unsent)/],
      'lost-keys': [/lost_person_keys_by_age/],
      messages: [/jobs_failing/],
      jobs: [/jobs_failing/],
      rates: [],
      'ledger-verify': [/operator_runs_pkey/],
      backup: [/operator_runs_pkey/],
    };
    assert.deepEqual(
      ATTENTION_KINDS.map(({ name }) => name),
      KINDS,
    );
    assert.deepEqual(Object.keys(indexes).sort(), KINDS.toSorted());
    for (const kind of ATTENTION_KINDS) {
      const rows = await readFigures<{ 'QUERY PLAN': string }>(
        world.database,
        sql`explain (costs off) ${attentionStatement(kind, request)}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      // The installation's own tables have a few rows each, and their only key is a name.
      if (kind.scope === 'platform') assert.doesNotMatch(plan, /Seq Scan/, plan);
      for (const index of indexes[kind.name] ?? []) assert.match(plan, index, plan);
    }
  });

  it('decision 0032: finished payments and delivered webhooks are not read, so they cost nothing', async () => {
    const platform = await givenPlatform(world);
    await platform.receive();
    const payer = await givenPayer(platform, 50_000);
    const to = await givenOutside(platform, payer.id);
    for (let n = 0; n < 5; n++)
      await execute(
        platform,
        (await quoted(platform, { from: payer.account('USD').id, to, send: 1_000 })).id,
      );
    await advance(platform, 60);
    const request = { now: new Date(world.clock.now()), environments: ['SANDBOX'] as const, shown: 5 };
    const work = await platform.work();
    for (const kind of ATTENTION_KINDS.filter(({ name }) =>
      /^(payments|webhooks|reviews|external)/.test(name),
    )) {
      const scans = await work.write(async (tx) => {
        for (const way of ['seqscan', 'bitmapscan'])
          await tx.sql`select set_config(${`enable_${way}`}, 'off', true)`;
        return plannedScans(tx, attentionStatement(kind, request));
      });
      const read = scans.filter((scan) =>
        /^(transactions|events|customers|external_accounts)$/.test(scan['Relation Name']),
      );
      assert.ok(read.length > 0, kind.name);
      for (const scan of read) assert.ok(rowsRead(scan) <= 2, `${kind.name}: ${JSON.stringify(scan)}`);
    }
  });

  it('decision 0032: every command that an item names exists and takes the named options', async () => {
    assert.deepEqual(
      ATTENTION_KINDS.map(({ name }) => name),
      KINDS,
      'the help lists every kind',
    );
    const program = await createProgram();
    const groups = await load();
    assert.ok(groups.length > 3);
    for (const line of groups.flatMap(({ items }) => items).flatMap(({ commands }) => commands)) {
      const [first, ...words] = line.split(' ');
      assert.equal(first, 'corridor');
      let command = program;
      for (const word of words) {
        const next = command.commands.find((child) => child.name() === word);
        if (!next) break;
        command = next;
      }
      assert.notEqual(command, program, line);
      assert.equal(command.commands.length, 0, line);
      const taken = command.options.map(({ long }) => long);
      for (const [option] of line.matchAll(/--[a-z-]+/g)) assert.ok(taken.includes(option), line);
      const mandatory = command.options.filter((option) => option.mandatory).map(({ long }) => long ?? '');
      for (const option of mandatory) assert.ok(line.includes(option), `${line} lacks ${option}`);
    }
  });

  it('decision 0032: a kind that cannot be read hides none of the others', async () => {
    const [first, second] = ATTENTION_KINDS;
    assert.ok(first && second);
    const broken = { ...first, name: 'broken', find: () => sql`select now() as since, 1 / 0 as id` };
    const request = { now: new Date(world.clock.now()), environments: ['SANDBOX'] as const, shown: 1 };
    const unread: string[] = [];
    const kinds = [broken, second];
    await world.platform();
    await loadAttention(world.database, { ...request, kinds, onUnread: (kind) => void unread.push(kind) });
    assert.deepEqual(unread, ['broken']);
    await assert.rejects(loadAttention(world.database, { ...request, kinds }), /division by zero/);
  });
});
