// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { accessibilityFaults, closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

describe('signing in to the console in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;

  before(async () => {
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    browser = await openBrowser();
  });
  after(() => closePages(browser));

  it('operator.md §9.1, §3.7: the page asks first, and neither its address, storage nor scripts keep a secret', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { body } = await platform.call('createConsoleSession');
    const secret = new URL(body.url).hash.slice(1);
    const context = await browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (line) => void problems.push(line.text()));
    page.on('pageerror', (error) => void problems.push(error.message));
    await page.goto(body.url);
    const button = page.getByRole('button', { name: 'Sign in' });
    await button.waitFor();
    assert.match(await page.locator('main').innerText(), /Test platform/);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.ok(!page.url().includes(secret));
    assert.deepEqual(await context.cookies(), []);
    await button.click();
    await page.waitForURL((url) => url.pathname === '/console');
    await page.getByRole('button', { name: 'Sign out' }).first().waitFor({ state: 'attached' });
    const [cookie] = await context.cookies();
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.sameSite],
      ['corridor-developer', true, 'Strict'],
    );
    const kept = String(
      await page.evaluate(
        'document.cookie + location.href + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })',
      ),
    );
    for (const hidden of [secret, String(cookie?.value)]) assert.ok(!kept.includes(hidden), kept);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
