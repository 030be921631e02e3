// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { closePages, NO_BROWSER, openBrowser, tabTo } from '#tests/harness/browser.ts';
import { openConsole, PATIENCE_MS } from '#tests/harness/console-page.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const HOSTILE = '</p><img src=x onerror=alert(1)>"><script>alert(2)</script>';

describe('payments in the console, in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin: string;

  before(async () => {
    browser = await openBrowser();
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://localhost:${(world.app.http.server.address() as AddressInfo).port}`;
  });
  after(() => closePages(browser));

  it('by keyboard alone: the first payment in an empty sandbox, each step by a button that shows its call', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, assertSound } = await openConsole(t, browser, platform, origin);
    const steps = [
      ['Add 1,000.00 USD', '/fund'],
      ['Create the external account', '/platform/external-accounts'],
      ['Quote 250.00 USD to euros', '/quotes'],
      ['Execute the quote', '/execute'],
      ['Move the clock by 5 seconds', '/sandbox/clock/advance'],
    ] as const;
    for (const [name, path] of steps) {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      assert.ok((await page.getByRole('group', { name: 'curl' }).innerText()).includes(path), name);
      await tabTo(page, button);
      await page.keyboard.press('Enter');
      await button.waitFor({ state: 'detached' });
    }
    const finished = page.getByRole('link', { name: 'See what happened' });
    await finished.waitFor();
    await tabTo(page, finished);
    await page.keyboard.press('Enter');
    await page
      .getByText(
        '228.85 EUR was delivered to the receiver. The payer paid 250.00 USD, including 1.25 USD in fees.',
      )
      .waitFor();
    const { body } = await platform.call('listTransactions', {
      query: { status: 'COMPLETED', type: 'OUTGOING' },
    });
    assert.equal(body.data.length, 1);
    await assertSound('the first payment');
  });

  it('by keyboard alone: why did this payment fail? Text of strangers is shown as text', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    await givenPayment(platform, 'DE35370400440532013002', true);
    const { page, assertSound } = await openConsole(t, browser, platform, origin);
    await page.getByRole('link', { name: 'Payments', exact: true }).first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('link', { name: '1 failed.' }).waitFor();
    await page.getByText(HOSTILE).first().waitFor();
    await assertSound('the list');
    await tabTo(page, page.getByRole('link', { name: '1 failed.' }));
    await page.keyboard.press('Enter');
    await page.getByText('1 payment with these filters.').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
    const main = await page.locator('main').innerText();
    assert.match(main, /The payer got all of the money back into the account: 100\.00 USD, fees included\./);
    assert.match(main, /This happened because of the sandbox value 002/);
    assert.match(main, /QUOTE_EXECUTION_FAILED/);
    assert.ok(main.includes(HOSTILE));
    assert.equal(await page.locator('main img, main script').count(), 0);
    assert.match(
      String(await page.getByRole('img', { name: 'Statuses of the payment' }).getAttribute('aria-label')),
      /Pending, then Processing, then Failed/,
    );
    await assertSound('the failed payment');
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.getByRole('option', { name: HOSTILE }).first().waitFor({ state: 'attached' });
    await assertSound('pay');
  });

  it('by keyboard alone: move the clock to the next item, which the screen describes in advance', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { id, expiresAt } = await givenPayment(platform, 'DE89370400440532013000', false);
    const { page, open, assertSound } = await openConsole(t, browser, platform, origin);
    await page.getByRole('link', { name: 'Time', exact: true }).first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    const move = page.getByRole('button', { name: 'Move to the next item' });
    await move.waitFor();
    const sentence = new RegExp(`Quote:…${id.slice(-8)} expires, unless it is executed first`);
    assert.match(await page.locator('.screen-answer').innerText(), sentence);
    await assertSound('time');
    await tabTo(page, move);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move to the next item?' });
    await dialog.getByText('It cannot be moved back.').waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Move to the next item', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is due, so moving the clock changes only the time.').waitFor();
    const { body } = await platform.call('getSandboxClock');
    assert.ok(Date.parse(body.now) >= Date.parse(expiresAt), body.now);
    await open(`/console/quotes/${id}`);
    await page.getByText('The quote expired, and nothing moved').waitFor();
    await assertSound('the expired quote');
  });

  it('a new receiver with an outcome of the sandbox: the payment to it fails, and the quote says why', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, open, assertSound } = await openConsole(t, browser, platform, origin);
    await open('/console/pay');
    await page.getByRole('button', { name: 'New receiver' }).click();
    const dialog = page.getByRole('dialog', { name: 'New receiver' });
    await dialog.getByLabel('Outcome in the sandbox').selectOption('004');
    assert.equal(await dialog.getByLabel('IBAN').inputValue(), 'DE78370400440532013004');
    await assertSound('the new receiver');
    await dialog.getByRole('button', { name: 'Create the receiver' }).click();
    await page.waitForURL(/[?&]to=ExternalAccount/);
    await page.getByRole('option', { name: /^EUR · Jean Dupont …013004/ }).waitFor({ state: 'attached' });
    await page.locator('[name=lockedCurrencyAmount]').fill('10');
    await page.getByRole('button', { name: 'Get a quote' }).click();
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await page.getByRole('button', { name: 'Add 10.00 USD of test money' }).click();
    await page.getByText('You can execute the quote now.').waitFor();
    await page.getByRole('button', { name: 'Execute', exact: true }).click();
    await page.getByText('The payment is under way:').waitFor();
    await platform.call('advanceSandboxClock', { body: { seconds: 5 } });
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
    await page.getByRole('link', { name: 'Get a new quote' }).waitFor();
    await assertSound('the failed quote');
    await open('/console/external-accounts');
    await page.getByRole('cell', { name: '…013004' }).waitFor();
  });
});

/** A quote of the platform's own money, with hostile names, executed until the rail has answered. */
async function givenPayment(platform: TestPlatform, iban: string, isExecuted: boolean) {
  const accounts = await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } });
  const from = accounts.body.data[0]?.id ?? '';
  await platform.call('sandboxFundInternalAccount', {
    params: { accountId: from },
    body: { amount: 100_000 },
  });
  const payee = await platform.call('createPlatformExternalAccount', {
    body: {
      currency: 'EUR',
      accountInfo: {
        accountType: 'EUR_ACCOUNT',
        iban,
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: HOSTILE, countryOfResidence: 'FR' },
      },
    },
  });
  assert.equal(payee.status, 201, payee.raw);
  const quote = await platform.call('createQuote', {
    body: {
      source: { sourceType: 'ACCOUNT', accountId: from },
      destination: { destinationType: 'ACCOUNT', accountId: payee.body.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
      description: HOSTILE,
      immediatelyExecute: isExecuted,
    },
  });
  assert.equal(quote.status, 201, quote.raw);
  if (isExecuted) await platform.call('advanceSandboxClock', { body: { seconds: 60 } });
  return quote.body;
}
