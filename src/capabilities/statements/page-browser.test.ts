// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import {
  accessibilityFaults,
  COLOURS_ONLY,
  closePages,
  NO_BROWSER,
  openBrowser,
} from '#tests/harness/browser.ts';
import { testWorld } from '#tests/harness/harness.ts';

const SCHEMES = ['light', 'dark'] as const;
/** Long enough for a busy machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

describe('the page of a statement in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;

  before(async () => {
    browser = await openBrowser();
  });
  after(() => closePages(browser));

  it('bank-files.md §8.4: people without a mouse or with a screen reader can read it, light and dark', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const from = payer.account('USD').id;
    const quote = await givenQuote(world, platform, { from, to, send: 1_000n });
    await platform.call('executeQuote', { params: { quoteId: quote.id } });
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    const query = { accountId: from, from: day, to: day, format: 'html' };
    const { raw } = await platform.send('getAccountStatement', { query });
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.setContent(raw);
    await page.getByRole('table').first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await accessibilityFaults(page, COLOURS_ONLY), [], colorScheme);
    }
    await page.close();
  });
});
