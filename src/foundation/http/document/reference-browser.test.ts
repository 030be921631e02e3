// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { readConfig } from '#app/config.ts';
import { ensureFirstPlatform } from '#cli/serve/first-platform.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { STORY_WORLD } from '#tests/checks/storyteller.ts';
import {
  accessibilityFaults,
  COLOURS_ONLY,
  closePages,
  NO_BROWSER,
  openBrowser,
  tabTo,
} from '#tests/harness/browser.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

/** A call with a body, whose page has an editor. */
const QUOTES = 'tag/cross-currency-transfers/POST/quotes';
const DIALOG = '[role=dialog][aria-label="API Client"]';

/** The page is large and starts slowly: each test loads it as rarely as it can. */
describe('the reference page in a browser', () => {
  const world = testWorld(STORY_WORLD);
  const [tokenId, clientSecret] = ['a'.repeat(32), 's'.repeat(32)];
  let browser: Browser | undefined;
  let origin: string;

  before(async () => {
    browser = await openBrowser();
    const config = readConfig({ API_TOKEN_ID: tokenId, API_CLIENT_SECRET: clientSecret });
    await ensureFirstPlatform(world.app.runtime, config, { warn: assert.fail });
    await world.app.worker.settle();
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(world.app.http.server.address() as AddressInfo).port}`;
  });
  after(() => closePages(browser));

  async function newContext(): Promise<BrowserContext> {
    assert.ok(browser);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  }

  async function turn(page: Page, scheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`body.${scheme}-mode`).waitFor();
  }

  it('works under its own policy, loads nothing from elsewhere, passes axe, and links to the guides by keyboard', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const context = await newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    const asked = new Set<string>();
    page.on('console', (line) => {
      if (['error', 'warning'].includes(line.type())) complaints.push(`${line.type()} ${line.text()}`);
    });
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url())) asked.add(new URL(request.url()).origin);
    });
    const opened = await page.goto(`${origin}/docs/`);
    assert.match(
      opened?.headers()['content-security-policy'] ?? '',
      /^default-src 'none'; script-src 'self' 'sha256-/,
    );
    await page.getByRole('heading', { name: 'Corridor' }).first().waitFor();
    for (const [anchor, heading] of [
      ['', 'Corridor'],
      [QUOTES, 'Create a quote'],
    ] as const) {
      await page.goto(`${origin}/docs/#${anchor}`);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await page.getByRole('textbox', { name: 'Username' }).first().waitFor({ state: 'attached' });
      assert.deepEqual(await accessibilityFaults(page), [], anchor);
      await turn(page, 'dark');
      assert.deepEqual(await accessibilityFaults(page, COLOURS_ONLY), [], `${anchor}, dark`);
      await turn(page, 'light');
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual([...asked], [origin]);
    const guides = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link').nth(1);
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link').first().focus();
    await tabTo(page, guides, 1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor();
    await context.close();
  });

  function field(within: Page | Locator, name: 'Username' | 'Password'): Locator {
    return within.getByRole('textbox', { name, exact: true }).first();
  }

  /** The button that opens the dialog of a call, by its place in the page. */
  async function opener(page: Page, anchor: string): Promise<Locator> {
    await page.goto(`${origin}/docs/#${anchor}`);
    const button = page.locator(`[id$="${anchor}"]`).getByRole('button', { name: /^Test Request/ });
    await button.first().waitFor();
    return button.first();
  }

  function sender(page: Page): Locator {
    return page.locator(DIALOG).getByRole('button', { name: /^Send \w+ request to/ });
  }

  interface Sent {
    readonly status: number;
    readonly url: string;
    // biome-ignore lint/suspicious/noExplicitAny: whatever the call answers
    readonly body: any;
  }

  /** Presses a button and waits for the reply, in the page too. */
  async function answered(page: Page, press: () => Promise<void>): Promise<Sent> {
    const [reply] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${origin}/svc/`)),
      press(),
    ]);
    const status = reply.status();
    await page.locator(`${DIALOG} [aria-live] a`, { hasText: String(status) }).waitFor();
    return { status, url: reply.url(), body: await reply.json() };
  }

  /** Opens a call, sends it unchanged or with a change, and closes it. */
  async function sendAsItStands(
    page: Page,
    anchor: string,
    change: (dialog: Locator) => Promise<void> = async () => {},
  ): Promise<Sent> {
    await (await opener(page, anchor)).click();
    const dialog = page.locator(DIALOG);
    await sender(page).waitFor();
    await change(dialog);
    const sent = await answered(page, () => sender(page).click());
    await dialog.getByRole('button', { name: 'Close Client' }).click();
    await dialog.waitFor({ state: 'hidden' });
    return sent;
  }

  async function enterCredentials(page: Page): Promise<void> {
    await field(page, 'Username').fill(tokenId);
    await field(page, 'Password').fill(clientSecret);
  }

  /** The browser's stored data of this origin: in this tab, in all tabs, and in cookies. */
  async function kept(page: Page) {
    // A page without our scripts, in another tab: `localStorage` is not replaced there.
    const other = await page.context().newPage();
    await other.goto(`${origin}/docs/icon.svg`);
    const [session, local] = await other.evaluate(() => [
      JSON.stringify({ ...sessionStorage }),
      JSON.stringify({ ...localStorage }),
    ]);
    await other.close();
    const here = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    return { here, elsewhere: `${session}${local}${JSON.stringify(await page.context().cookies())}` };
  }

  it('“Send” works for the main calls unchanged, and the credentials stay in the tab', {
    timeout: 2 * PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/docs/#tag/platform-configuration/GET/config`);
    // Refused at once: the browser does not show a prompt of its own.
    const nobody = await sendAsItStands(page, 'tag/platform-configuration/GET/config');
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'UNAUTHORIZED']);
    await enterCredentials(page);
    const config = await sendAsItStands(page, 'tag/platform-configuration/GET/config');
    assert.equal(config.status, 200);
    const customers = await sendAsItStands(page, 'tag/customers/GET/customers');
    assert.deepEqual(
      [customers.status, customers.body.data.map(({ id }: { id: string }) => id)],
      [200, [EXAMPLE_IDS.emmy]],
    );
    assert.match(customers.url, /\/customers\?region=DE&limit=20$/, 'only the parameters of the example');
    const ada = await sendAsItStands(page, 'tag/customers/GET/customers/{customerId}');
    assert.deepEqual([ada.status, ada.body.id], [200, EXAMPLE_IDS.ada]);
    const unsigned = await sendAsItStands(page, 'tag/internal-accounts/PATCH/internal-accounts/{id}');
    assert.deepEqual([unsigned.status, typeof unsigned.body.payloadToSign], [202, 'string']);
    const quote = await sendAsItStands(page, QUOTES);
    assert.equal(quote.status, 201);

    const { here, elsewhere } = await kept(page);
    assert.ok(here.includes(tokenId) && here.includes(clientSecret));
    assert.ok(!elsewhere.includes(tokenId) && !elsewhere.includes(clientSecret), elsewhere);
    await page.reload();
    const executed = await sendAsItStands(page, `${QUOTES}/{quoteId}/execute`, async (dialog) => {
      const id = dialog.getByRole('textbox', { name: 'Value of quoteId' });
      assert.equal(await id.textContent(), EXAMPLE_IDS.quote);
      await id.fill(quote.body.id);
    });
    assert.deepEqual([executed.status, executed.body.status], [200, 'PROCESSING']);
    await context.close();
  });

  it('a keyboard user can enter credentials, open a call, send it and return', {
    timeout: 2 * PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/docs/#${QUOTES}`);
    const open = await opener(page, QUOTES);
    assert.equal(await field(page, 'Username').textContent(), '', 'another session knows no credentials');
    await page
      .getByRole('button', { name: /^Selected Auth Type/ })
      .first()
      .focus();
    await tabTo(page, field(page, 'Username'));
    await page.keyboard.insertText(tokenId);
    await tabTo(page, field(page, 'Password'));
    await page.keyboard.insertText(clientSecret);
    await tabTo(page, open);
    await page.keyboard.press('Enter');
    await sender(page).waitFor();
    await tabTo(page, sender(page));
    const quote = await answered(page, () => page.keyboard.press('Enter'));
    assert.equal(quote.status, 201);

    const dialog = page.locator(DIALOG);
    assert.deepEqual(await accessibilityFaults(page, { within: DIALOG }), []);
    await turn(page, 'dark');
    assert.deepEqual(await accessibilityFaults(page, { ...COLOURS_ONLY, within: DIALOG }), [], 'dark');
    await tabTo(page, dialog.locator('.cm-scroller:has(> [aria-label="Response body"])'));
    await tabTo(page, sender(page));
    assert.equal(
      await page.getByRole('main').count(),
      1,
      'the page behind the dialog is hidden from screen readers',
    );
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('button.show-api-client-button:focus').waitFor();
    assert.equal(await page.getByRole('main', { name: /^API documentation/ }).count(), 1);
    await context.close();
  });
});
