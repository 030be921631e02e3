// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { accessibilityFaults, closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

describe('the page about the sandbox in a browser', () => {
  const world = testWorld();

  it('can be used without a mouse and by a screen reader, and leads to the reference and back', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    const browser = await openBrowser();
    if (!browser) return t.skip(NO_BROWSER);
    t.after(() => closePages(browser));
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.app.http.server.address() as AddressInfo;
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`http://127.0.0.1:${port}/docs/sandbox`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await accessibilityFaults(page), [], colorScheme);
    }
    await page.getByRole('link', { name: 'Paying a UMA address' }).click();
    assert.match(page.url(), /#uma-receivers$/);
    await page.getByText('DE35370400440532013002').first().click();
    assert.equal(await page.evaluate('getSelection().toString()'), 'DE35370400440532013002');
    const operation = page.getByRole('link', { name: 'Fund an internal account' });
    await operation.first().click();
    await page.getByRole('heading', { name: 'Fund an internal account' }).first().waitFor();
    await page.getByRole('link', { name: 'special values' }).first().click();
    await page.getByRole('heading', { name: 'Test values of the sandbox' }).waitFor();
  });
});
