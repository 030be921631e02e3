// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { givenAddress } from '#tests/given/console.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { closePages, NO_BROWSER, openBrowser, tabTo } from '#tests/harness/browser.ts';
import { openConsole, PATIENCE_MS, WINDOWS } from '#tests/harness/console-page.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** A name that would be markup, and that would turn the text around it. */
const HOSTILE = '"><img src=x onerror=alert(1)>\u202Etxet';

describe('the console’s shell and settings in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin: string;

  before(async () => {
    browser = await openBrowser();
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://localhost:${(world.app.http.server.address() as AddressInfo).port}`;
  });
  after(() => closePages(browser));

  it('settings are sound in light and dark, wide and narrow', { timeout: PATIENCE_MS }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    await platform.call('createToken', { body: { name: HOSTILE, permissions: ['VIEW'] } });
    for (const window of WINDOWS) {
      const { page, open, assertSound } = await openConsole(t, browser, platform, origin, window);
      await open('/console/settings');
      await page.getByText(HOSTILE).first().waitFor();
      await assertSound(`settings at ${window.width}, ${window.scheme}`);
      await page.context().close();
    }
  });

  it('operator.md §9.1: the sign-in page takes the secret out of the address, names the platform and asks', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const secret = await givenAddress(platform);
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${origin}/console/sign-in#${secret}`);
    await page.getByRole('heading', { name: /^Open the console of/ }).waitFor();
    assert.equal(page.url(), `${origin}/console/sign-in`);
    assert.deepEqual(await context.cookies(), []);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    const [cookie] = await context.cookies();
    assert.equal(cookie?.httpOnly, true);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    assert.ok(!kept.includes(secret) && !kept.includes(cookie?.value ?? ''), kept);
    await page.goto(`${origin}/console/sign-in#${secret}`);
    await page.getByRole('heading', { name: 'You cannot sign in with this address' }).waitFor();
  });

  it('an ended session shows a page that says how to get a new address', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, context, open, assertSound } = await openConsole(t, browser, platform, origin);
    await open('/console/settings');
    await context.clearCookies();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('late');
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByText('open console').waitFor();
    await assertSound('signed out');
  });

  it('keys open a screen, the list of keys and the palette, and the heading then has the focus', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, open, settle } = await openConsole(t, browser, platform, origin);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await open('/console/nothing-is-here');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Settings').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await settle();
    assert.equal(await focused(), 'Settings');
    await page.goBack();
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('.palette-input:focus').waitFor();
    await page.keyboard.type('webhook endpoint');
    await page.getByRole('option', { name: /^Settings/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    assert.match(page.url(), /\/console\/settings$/);
  });

  it('the palette takes an id to its page, and says what it finds', { timeout: PATIENCE_MS }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, open } = await openConsole(t, browser, platform, origin);
    await open('/console/settings');
    await page.keyboard.press('Control+k');
    await page.locator('.palette-input:focus').waitFor();
    await page.keyboard.type('Transaction:019542f5-b3e7-7d02-8000-000000000030');
    await page.getByRole('option', { name: /Transaction/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/payments\/Transaction:019542f5-b3e7-7d02-8000-000000000030$/);
  });

  it('platform.md §13.1: the palette finds a customer by any of its names, in one call', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const email = 'ada.found@example.com';
    const customer = await givenCustomer(platform, { ...PERSON, platformCustomerId: HOSTILE, email });
    const { page, open } = await openConsole(t, browser, platform, origin);
    await open('/console/settings');
    await page.keyboard.press('Control+k');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    const names = [
      [customer.id.slice('Customer:'.length), 'Customer:…'],
      [HOSTILE, 'by your id'],
      [customer.umaAddress, 'by UMA address'],
      [email, 'by e-mail address'],
    ] as const;
    for (const [name, hint] of names) {
      calls.length = 0;
      await page.locator('.palette-input').fill(name);
      await page.getByRole('option').filter({ hasText: hint }).first().waitFor();
      assert.equal(calls.filter((url) => /\/api\/platform\/(?!events\/feed)/.test(url)).length, 1);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/console/customers/${customer.id}`);
  });

  it('by keyboard alone: a refusal appears at its field, and a new token’s secret is shown once and stored nowhere', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, open, assertSound } = await openConsole(t, browser, platform, origin);
    await open('/console/settings');
    await tabTo(page, page.getByRole('button', { name: 'New token' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Create the token' }));
    await page.keyboard.press('Enter');
    await page.getByText('must have at least one character', { exact: true }).waitFor();
    const isNamed = page.getByLabel('Name');
    await page.waitForFunction((field) => document.activeElement === field, await isNamed.elementHandle());
    assert.equal(await isNamed.getAttribute('aria-invalid'), 'true');
    await page.keyboard.type('Payroll');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Copy the secret now' }).waitFor();
    const shown = await page.getByRole('group', { name: 'credentials of the new token' }).textContent();
    const [, clientSecret = ''] = /CORRIDOR_AUTH=[^:]+:([\w-]{20,});/.exec(shown ?? '') ?? [];
    assert.ok(clientSecret.length > 0, shown ?? '');
    await assertSound('the new token');
    await tabTo(page, page.getByRole('button', { name: 'I have copied it' }));
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'Payroll' }).waitFor();
    const left = await page.evaluate(
      () => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }),
    );
    assert.ok(!left.includes(clientSecret));
  });

  it('shows the call before it is made: the curl command does the same as the button', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, open } = await openConsole(t, browser, platform, origin);
    await open('/console/settings');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill("it's");
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByText('Show the call').click();
    const curl = dialog.getByRole('group', { name: 'curl' });
    assert.match((await curl.textContent()) ?? '', /-d '\{"name":"it'\\''s","permissions":\["VIEW"\]\}'/);
    await dialog.getByRole('tab', { name: 'TypeScript' }).click();
    const typescript = await dialog.getByRole('group', { name: 'TypeScript' }).textContent();
    assert.equal(typescript, 'await corridor.createToken({ name: "it\'s", permissions: ["VIEW"] });');
  });

  it('only one tab of a browser listens to the feed of events', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, open } = await openConsole(t, browser, platform, origin);
    const listening = page.waitForRequest(/\/console\/api\/platform\/events\/feed\?cursor=/);
    await open('/console/settings');
    await listening;
    const other = await page.context().newPage();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    await other.goto(`${origin}/console/settings`);
    await other.getByRole('heading', { name: 'Tokens' }).waitFor();
    assert.equal(
      asked.some((url) => url.includes('/events/feed')),
      false,
      'one tab of a browser listens',
    );
  });
});
