// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { givenCustomer } from '#tests/given/customers.ts';
import { accessibilityFaults, closePages, NO_BROWSER, openBrowser, tabTo } from '#tests/harness/browser.ts';
import { openConsole } from '#tests/harness/console-page.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const HOSTILE = '</p><img src=x onerror=alert(1)>"><script>alert(2)</script>\u202Egpj';

describe('requests, events and their tools in the console, in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin = '';

  before(async () => {
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://localhost:${(world.app.http.server.address() as AddressInfo).port}`;
    world.app.worker.start();
    browser = await openBrowser();
  });
  after(async () => {
    await closePages(browser);
    await world.app.worker.stop();
  });

  /** Two events of a customer's account. */
  async function givenEvents(platform: TestPlatform): Promise<void> {
    const { id: customerId } = await givenCustomer(platform);
    const accounts = await platform.call('listCustomerInternalAccounts', { query: { customerId } });
    const accountId = accounts.body.data[0]?.id ?? assert.fail();
    await platform.call('sandboxFundInternalAccount', { params: { accountId }, body: { amount: 1_000 } });
  }

  it('by keyboard alone: webhooks that a receiver refused with a page are sent again', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const receiver = await platform.receive();
    receiver.answer({ status: 500, body: HOSTILE, headers: { 'content-type': 'text/html' } });
    await givenEvents(platform);
    await receiver.until((received) => received.length >= 2);
    const { page, faults } = await openConsole(t, browser, platform, origin);
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByText(/^\d+ of the last \d+ events did not reach your endpoint\./).waitFor();
    await assertLooksRight(page);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('the last attempt was answered with 500').waitFor();
    await page.getByText(JSON.stringify(HOSTILE)).waitFor();
    await assertTextOnly(page);
    await assertLooksRight(page);
    const { raw, headers, body } = lastOf(receiver.received, page.url());
    const signed = page.getByRole('group', { name: 'body that was signed' });
    assert.equal(await signed.textContent(), raw.toString());
    await tabTo(page, page.getByLabel(/^Header X-\w+-Signature/));
    await page.keyboard.insertText(String(headers['x-svc-signature']));
    await page.keyboard.press('Enter');
    await page.getByText('signed exactly this body').waitFor();

    receiver.answer({ status: 200 });
    await tabTo(page, page.getByRole('link', { name: 'Events', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Resend failed events…' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Resend failed events' }).waitFor();
    await assertLooksRight(page);
    await tabTo(page, page.getByRole('button', { name: 'Resend', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText(/events are being resent\.$/).waitFor();
    await page.getByText(/^Your endpoint received the last \d+ events\./).waitFor();
    assert.ok(receiver.received.filter((again) => again.body.id === body.id).length > 1);
    assert.deepEqual(faults, []);
  });

  it('by keyboard alone: a refused request is found, corrected and sent again beside its first reply', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    await platform.call('listTokens');
    await platform.send('createToken', { body: { name: '', permissions: ['VIEW'], [HOSTILE]: 1 } });
    const { page, faults } = await openConsole(t, browser, platform, origin);
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByText('the latest with INVALID_INPUT').waitFor();
    await assertLooksRight(page);
    await page.keyboard.press('/');
    await page.keyboard.type('Refused');
    await page.getByText('1 of the last 1 requests was refused').waitFor();
    await tabTo(page, page.locator('[data-row-link]').first());
    await page.keyboard.press('Enter');
    await page.getByText('was refused with INVALID_INPUT: name: must have at least one character').waitFor();
    const main = await page.locator('main').innerText();
    assert.match(main, /platform\.md §10\.1/);
    // The service itself keeps nothing of an unknown name that could be markup.
    assert.match(main, /__p__img_src_x_onerror_alert_1_/);
    await assertLooksRight(page);
    await tabTo(page, page.getByRole('button', { name: 'Edit and send again' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Send POST' }));
    await page.keyboard.press('Enter');
    await page.getByText('Replace the “…” in the body').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{ "name": "Payroll", "permissions": ["VIEW"] }');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const now = page.getByRole('region', { name: 'The new reply' });
    await now.getByText('201', { exact: true }).waitFor();
    assert.match(await page.getByRole('region', { name: 'The first reply' }).innerText(), /INVALID_INPUT/);
    await assertLooksRight(page);
    const { body } = await platform.call('listTokens', { query: { name: 'Payroll' } });
    assert.equal(body.data.length, 1);
    assert.deepEqual(faults, []);
  });
});

/** The newest delivery of the event whose page is open. */
function lastOf<Delivery extends { body: { id: string } }>(
  received: readonly Delivery[],
  url: string,
): Delivery {
  const id = url.slice(url.lastIndexOf('/') + 1);
  return received.findLast(({ body }) => body.id === id) ?? assert.fail(`${id} was not delivered`);
}

/** The hostile text is there, and none of it became an element. */
async function assertTextOnly(page: Page): Promise<void> {
  const main = page.locator('main');
  assert.match(String(await main.textContent()), /<img src=x onerror=alert\(1\)>/);
  assert.equal(await main.locator('img, script').count(), 0);
}

/** At both widths, in light and dark: axe finds nothing, and nothing is wider than the window. */
async function assertLooksRight(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [360, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    // Colours that fade into each other would be judged half-way.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await accessibilityFaults(page), [], `${page.url()} ${width} ${colorScheme}`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, page.url());
  }
}
