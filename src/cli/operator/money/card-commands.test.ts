// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { supports } from '#tests/given/accounts.ts';
import {
  askCard,
  type CardReply,
  changedCard,
  givenCard,
  givenNewCard,
  readCard,
} from '#tests/given/cards.ts';
import { givenPayer, listEventTypes, type Payer } from '#tests/given/payments.ts';
import { bought } from '#tests/given/purchases.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld, parseRows } from '#tests/harness/operator-world.ts';

describe('corridor card', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  let ada: Payer;
  before(async () => {
    ({ platform } = world);
    await world.run('platform', 'set', `Platform:${platform.id}`, 'isRegulatedFinancialInstitution=true');
    await supports(platform, ['USD', 'USDB']);
    ada = await givenPayer(platform, 10_000);
  });

  const card = (...words: string[]) => world.run('card', ...words);
  const listed = async (...words: string[]) => parseRows(await card('list', ...words, '--json'));

  /** The card's row in the list. */
  const seen = ({ id, customerId, status, statusReason, last4, fundingSource, createdAt }: CardReply) => ({
    card: id,
    customer: customerId,
    status,
    reason: statusReason ?? null,
    last4: last4 ?? null,
    fundingSource,
    createdAt,
  });

  it('lists cards, the newest first, by customer, account and status', async () => {
    assert.equal(await card('list'), 'There are no cards.\n');
    const emmy = await givenPayer(platform, 0);
    const first = await givenCard(platform, ada);
    const second = await givenCard(platform, emmy, { fundingSource: emmy.account('USDB').id });
    const frozen = await changedCard(platform, second.id, { status: 'FROZEN' });
    const third = await givenNewCard(platform, ada, { platformCardId: 'stays-001' });
    assert.deepEqual(await listed(), [seen(third), seen(frozen), seen(first)]);
    assert.deepEqual(await listed('--customer', ada.id), [seen(third), seen(first)]);
    assert.deepEqual(await listed('--account', emmy.account('USDB').id), [seen(frozen)]);
    assert.deepEqual(await listed('--status', 'FROZEN'), [seen(frozen)]);
    assert.deepEqual(await listed('--status', 'CLOSED'), []);
    assert.deepEqual(await listed('--limit', '1'), [seen(third)]);
    assert.match(
      await card('list'),
      /^CARD +CUSTOMER +STATUS +REASON +LAST4 +FUNDING SOURCE +CREATED AT +PLATFORM\n/,
    );
  });

  it('shows a card with its latest transactions and only the last four digits of its number, audited', async () => {
    const { id } = await givenCard(platform, ada);
    const held = await bought(world, platform, id, 1_250);
    const declined = await bought(world, platform, id, 500, 'CORNER BOOKS 002');
    const text = await card('show', id, '--json');
    const { latestTransactions, ...shown } = JSON.parse(text);
    assert.deepEqual(shown, await readCard(platform, id));
    assert.deepEqual(
      latestTransactions.map(({ createdAt: _, ...row }: Record<string, unknown>) => row),
      [
        {
          transaction: `Transaction:${declined.id}`,
          status: 'DECLINED',
          direction: 'DEBIT',
          authorized: dollars(500n),
          settled: null,
          onHold: dollars(0n),
          owes: dollars(0n),
          merchant: 'CORNER BOOKS 002',
        },
        {
          transaction: `Transaction:${held.id}`,
          status: 'AUTHORIZED',
          direction: 'DEBIT',
          authorized: dollars(1_250n),
          settled: null,
          onHold: dollars(1_250n),
          owes: dollars(0n),
          merchant: 'CORNER BOOKS',
        },
      ],
    );
    assert.doesNotMatch(text, /400000\d{10}/);
    assert.match(await card('show', id), /latestTransactions +Transaction:\S+ +DECLINED +DEBIT +5\.00 USD/);
    const rows = await world.database.query(sql`
      select action, actor_kind from audit_log where resource = ${id} and actor_kind = 'operator'`);
    const audited = { action: 'card show', actor_kind: 'operator' };
    assert.deepEqual(rows, [audited, audited]);
  });

  for (const status of ['PROCESSING', 'ACTIVE', 'FROZEN']) {
    it(`cards.md §2.7: closes a card that is ${status}, with a reason and an event, and frees its place under the limit of open cards`, async () => {
      const holder = await givenPayer(platform, 0);
      const setting = (value: string) =>
        world.run('platform', 'set', `Platform:${platform.id}`, `cards.liveMaxPerCardholder=${value}`);
      await setting('1');
      const { id } =
        status === 'PROCESSING'
          ? await givenNewCard(platform, holder, { platformCardId: `${newUuid()}-001` })
          : await givenCard(platform, holder);
      if (status === 'FROZEN') await changedCard(platform, id, { status });
      const told = await listEventTypes(platform, id);
      assert.equal((await askCard(platform, holder)).status, 409);
      const closed = JSON.parse(await card('close', id, '--reason', 'case 4711', '--yes', '--json'));
      assert.deepEqual([closed.status, closed.statusReason], ['CLOSED', 'CLOSED_BY_SVC']);
      assert.deepEqual(await readCard(platform, id), closed);
      assert.deepEqual(await listEventTypes(platform, id), [...told, 'STATUS_CHANGE']);
      const rows = await world.database.query<{
        id: Id<'AuditRow'>;
        private: Buffer | null;
        details: object;
      }>(sql`
        select id, private, action, actor_kind, details from audit_log where resource = ${id} and actor_kind = 'operator'`);
      const details = { reason: 'case 4711' };
      const opened = await withWritten(world.app.runtime, rows);
      assert.deepEqual(opened, [{ action: 'card close', actor_kind: 'operator', details }]);
      assert.equal((await askCard(platform, holder)).status, 201);
      await setting('null');
      await world.assertRefused([[['card', 'close', id, '--reason', 'again', '--yes'], 1, /closed already/]]);
    });
  }

  it('an unknown card and a wrong argument are one clear line each', async () => {
    const unknown = `Card:${newUuid()}`;
    const wrong: [string[], number, RegExp][] = [
      [['card', 'show', unknown], 1, /no such Card/],
      [['card', 'close', unknown, '--reason', 'why', '--yes'], 1, /no such Card/],
      [['card', 'close', unknown], 2, /required option.*--reason/],
      [['card', 'show', 'Customer:x'], 2, /an id such as Card:<uuid>/],
      [['card', 'list', '--status', 'PENDING_KYC'], 2, /PROCESSING, ACTIVE, FROZEN, CLOSED/],
      [['card', 'list', '--limit', '0'], 2, /a whole number from 1 to 1000/],
    ];
    await world.assertRefused(wrong);
  });

  it('cards.md §6.1.13: lists exceptions, collects and writes off, each with an audited reason', async () => {
    const payer = await givenPayer(platform, 5_000);
    const { id } = await givenCard(platform, payer);
    const failing = [
      await bought(world, platform, id, 300, 'CORNER BOOKS 006', 'financial_authorization'),
      await bought(world, platform, id, 400, 'CORNER BOOKS 006', 'financial_authorization'),
    ];
    const exceptions = (...words: string[]) => card('exceptions', ...words);
    const owing = async () =>
      JSON.parse(await exceptions('list', '--json')).map((row: { owes: unknown }) => row.owes);
    assert.deepEqual(await owing(), [dollars(300n), dollars(400n)]);
    const [first, second] = failing.map((row) => `Transaction:${row.id}`) as [string, string];
    const receivables = await world.run('receivable', 'list');
    assert.ok(receivables.includes(first) && receivables.includes(second), receivables);
    assert.match(await exceptions('collect', first, '--reason', 'agreed', '--yes'), /SETTLED/);
    assert.deepEqual(await owing(), [dollars(400n)]);
    assert.match(await exceptions('write-off', second, '--reason', 'too little', '--yes'), /SETTLED/);
    assert.equal(await exceptions('list'), 'There are no exceptions.\n');
    const rows = await world.database.query<{
      id: Id<'AuditRow'>;
      private: Buffer | null;
      action: string;
      details: { reason?: string };
    }>(sql`
      select id, private, action, details from audit_log
       where platform_id = ${platform.id} and action like 'card exception %' order by at, id`);
    assert.deepEqual(
      (await withWritten(world.app.runtime, rows)).map(({ action, details }) => [action, details.reason]),
      [
        ['card exception collect', 'agreed'],
        ['card exception write-off', 'too little'],
      ],
    );
  });
});

const dollars = (cents: bigint) => presentAmount(cents, 'USD', NO_OWN_CURRENCIES);
