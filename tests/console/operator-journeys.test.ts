// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { SERVICE } from '#app/compose.ts';
import { LedgerProver } from '#foundation/books/ledger-prover.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import {
  advance,
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
} from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenReview } from '#tests/given/reviews.ts';
import { closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { type ConsolePage, openOperatorConsole, PATIENCE_MS } from '#tests/harness/console-page.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const PATIENT = { timeout: 3 * PATIENCE_MS };
const MISSING = 53n;
/** The tables that are derived from the journal, and would keep the planted difference. */
const DERIVED = [
  'account_lines',
  'journal_chain',
  'journal_heads',
  'journal_marks',
  'ledger_rollups',
  'ledger_rollup_marks',
];

describe('what operators do in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin = '';
  let platform: TestPlatform;
  let payer: Payer;
  let reviewed: string;
  let operator: TestOperator;

  before(async () => {
    browser = await openBrowser();
    if (!browser) return;
    reviewed = await givenReview(await world.platform());
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 100_000);
    operator = await givenOperator(world, ['compliance', 'finance', 'treasury', 'admin']);
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://localhost:${(world.app.http.server.address() as AddressInfo).port}`;
  });
  after(() => closePages(browser));

  async function open(t: TestContext): Promise<ConsolePage | undefined> {
    if (!browser) {
      t.skip(NO_BROWSER);
      return undefined;
    }
    return openOperatorConsole(t, browser, operator, origin);
  }

  it(
    'operator.md §4.3, §6: a reviewer approves a business by keys alone, with the documents beside the data',
    PATIENT,
    async (t) => {
      const opened = await open(t);
      if (!opened) return;
      const { page } = opened;
      await opened.open('/console/operator/work?environment=SANDBOX');
      await openRow(opened, 'Customers waiting for a decision');
      await page.getByRole('heading', { name: 'Reviews', level: 1 }).waitFor();
      await openRow(opened, reviewed.slice(-8));
      await page.getByText('Analytical Engines Inc.').waitFor();
      const picture = page.locator('img.reviews-picture').first();
      await picture.waitFor();
      await page.waitForFunction(
        () => document.querySelector<HTMLImageElement>('img.reviews-picture')?.naturalWidth === 480,
      );
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').focus();
      await page.keyboard.type('all papers are in order');
      await page.keyboard.press('Enter');
      // Nothing else waits, so the list opens.
      await page.getByRole('heading', { name: 'Reviews', level: 1 }).waitFor();
      const [customer] = await world.database.query<{ status: string }>(
        sql`select status from customers where id = ${reviewed.replace('Customer:', '')}`,
      );
      assert.equal(customer?.status, 'APPROVED');
      await opened.assertSound('after a review');
    },
  );

  it('operator.md §4.2: the page of a customer says who looked at this customer', PATIENT, async (t) => {
    const opened = await open(t);
    if (!opened) return;
    const { page } = opened;
    await opened.open(`/console/operator/customers/${reviewed}`);
    const looked = page.getByRole('table', { name: 'Access log' });
    await looked.waitFor();
    await looked.getByRole('link', { name: 'Ada Operator' }).first().waitFor();
    assert.ok((await looked.getByText('Document').count()) > 0);
    assert.deepEqual(opened.faults, []);
  });

  it(
    'money.md §13.5: missing 53 cents are found from the trial balance to the line; money.md §13.9: the proof names them',
    PATIENT,
    async (t) => {
      const opened = await open(t);
      if (!opened) return;
      const { page } = opened;
      const to = await givenOutside(platform, payer.id);
      const { id } = await quoted(platform, { from: payer.account('USD').id, to, send: 10_000 });
      assert.equal((await execute(platform, id)).status, 200);
      await plant(MISSING);
      await readJournal(world, platform.id as PlatformId);

      await opened.open('/console/operator/ledger?environment=SANDBOX');
      await page.getByText('do not add up').first().waitFor();
      await page.getByText('0.53 USD').first().waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Do not add up in USD' });
      await row.getByRole('link').first().click();
      await page.waitForURL(/platform=/);
      await page.getByRole('link', { name: 'FEES:USD' }).click();
      await page.getByRole('heading', { name: 'FEES:USD' }).waitFor();
      await page.locator('tbody a').first().click();
      await page.getByText('Its lines do not add up: 0.53 USD too much.').waitFor();
      await opened.assertSound('an entry that somebody changed');

      await opened.open('/console/operator/proof');
      await page.getByRole('button', { name: 'Verify the ledger…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('the auditors ask');
      await dialog.getByRole('button', { name: 'Verify the ledger' }).click();
      await page.getByText('waits for a worker').waitFor();
      await new LedgerProver(world.app.runtime, SERVICE.ledgerChecks).step(INSTALLATION.id);
      await page.getByText('They say which entries.').or(page.getByText('It says which entry.')).waitFor();
      await page.getByText('does not balance in USD').waitFor();
      await opened.assertSound('a proof that failed');
      await page
        .getByRole('link', { name: /^entry \d+$/ })
        .first()
        .click();
      await page.getByText('Its lines do not add up: 0.53 USD too much.').waitFor();
      await restore();
    },
  );

  it(
    'operator.md §8.2: on a clock that is a day ahead, what happened is past, and the exact time is shown',
    PATIENT,
    async (t) => {
      const opened = await open(t);
      if (!opened) return;
      const { page } = opened;
      const to = await givenOutside(platform, payer.id, '003');
      const quote = await quoted(platform, { from: payer.account('USD').id, to, send: 10_000 });
      assert.equal((await execute(platform, quote.id)).status, 200);
      await page.clock.setFixedTime(world.clock.now() - 86_400_000);
      await opened.open(`/console/operator/payments/${quote.transactionId}`);
      await page.getByText('The rail has to report').waitFor();
      await page.locator('dd time').filter({ hasText: 'UTC' }).first().waitFor();
      const ahead = page.locator('time').filter({ hasText: /^in (?:1 day|\d+ h)/ });
      assert.deepEqual(await ahead.allInnerTexts(), []);
      await opened.assertSound('a payment of a sandbox whose clock is ahead');
    },
  );

  it(
    'operator.md §6.2: a name typed into the palette finds customers of all platforms, and each record opens',
    PATIENT,
    async (t) => {
      const opened = await open(t);
      if (!opened) return;
      const { page } = opened;
      const fullName = 'Sophie Kowalewska';
      const others = await givenPlatform(world);
      const [mine, theirs] = [
        await givenPayer(platform, 0, { fullName }),
        await givenPayer(others, 0, { fullName }),
      ];
      await opened.open('/console/operator');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'screen or action' }).fill(fullName);
      await page.getByRole('option', { name: 'Find records with this value' }).waitFor();
      await page.keyboard.press('Enter');
      const found = page.getByRole('table', { name: 'Records with this value' });
      await found.waitFor();
      assert.equal(await found.getByRole('row').count(), 3, 'two customers below the heads of the columns');
      for (const { id } of [mine, theirs]) await found.getByText(id.slice(-8)).first().waitFor();
      assert.ok(!page.url().includes('Sophie'), 'a name stays out of the address');
      await opened.assertSound('what was found');
      await found
        .getByRole('row')
        .filter({ hasText: theirs.id.slice(-8) })
        .getByRole('link')
        .first()
        .click();
      await page.getByRole('heading', { name: 'Customer', level: 1 }).waitFor();
      assert.ok(page.url().endsWith(theirs.id));
    },
  );

  it(
    'operator.md §6.10: figures are charts, of a platform that is chosen by its name, and each has a table of them',
    PATIENT,
    async (t) => {
      const opened = await open(t);
      if (!opened) return;
      const { page } = opened;
      await advance(platform, 60);
      await opened.open('/console/operator/figures');
      const chosen = page.getByLabel('Platform');
      const place = `Test platform (Platform:…${platform.id.slice(-8)})`;
      await page.locator(`option[value="${place}"]`).waitFor({ state: 'attached' });
      await chosen.fill(place);
      await chosen.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('platform') === `Platform:${platform.id}`);
      const volume = page.locator('figure').filter({ hasText: 'Sent in USD, by day (UTC)' });
      await volume.waitFor();
      assert.ok((await volume.locator('rect').count()) > 0);
      await volume.getByText('Show the figures').click();
      const days = await volume.getByRole('table').getByRole('row').allInnerTexts();
      assert.equal(days.length, 15, 'fourteen days below the heads of the columns');
      assert.ok(
        days.some((day) => /[1-9][\d,.]* USD/.test(day)),
        days.join('; '),
      );
      await opened.assertSound('figures');
    },
  );

  /** Goes to the first row by its key, and opens it. */
  async function openRow({ page, settle }: ConsolePage, name: string): Promise<void> {
    await page.getByRole('link', { name }).waitFor();
    await settle();
    await page.keyboard.press('j');
    await page.locator('[data-row-link]:focus').waitFor();
    await page.keyboard.press('Enter');
  }

  /** Changes the fees of the newest entry behind the service, before anything has read it. */
  async function plant(units: bigint): Promise<void> {
    await world.database.transaction(async (run) => {
      await run(sql`set local session_replication_role = replica`);
      await run(sql`
        update ledger_entries set amounts[array_position(accounts, 'FEES:USD')] =
                 amounts[array_position(accounts, 'FEES:USD')] + ${units}::bigint
         where platform_id = ${platform.id} and accounts @> array['FEES:USD']`);
    });
  }

  /** The books as they would be without the plant. */
  async function restore(): Promise<void> {
    await plant(-MISSING);
    await world.database.transaction(async (run) => {
      await run(sql`set local session_replication_role = replica`);
      for (const table of DERIVED) {
        await run(sql`delete from ${rawSql(table)} where platform_id = ${platform.id}`);
      }
    });
    await readJournal(world, platform.id as PlatformId);
  }
});
