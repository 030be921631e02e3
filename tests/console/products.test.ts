// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { executeAs, givenAgentQuote, givenPrincipal, listActionsAs } from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent } from '#tests/given/agents.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import { advance } from '#tests/given/payments.ts';
import { closePages, NO_BROWSER, openBrowser, tabTo } from '#tests/harness/browser.ts';
import { openConsole, PATIENCE_MS } from '#tests/harness/console-page.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const PATIENT = { timeout: PATIENCE_MS };

describe('customers, accounts, cards, wallets, coins and agents in the console, in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin: string;

  before(async () => {
    browser = await openBrowser();
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://localhost:${(world.app.http.server.address() as AddressInfo).port}`;
  });
  after(() => closePages(browser));

  it('by keyboard alone: a card purchase is authorized, and cleared in two parts', PATIENT, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await givenCardPlatform(world);
    const card = await givenCard(platform);
    const { page, open, settle, assertSound } = await openConsole(t, browser, platform, origin);
    await open('/console/settings');
    await goTo(page, 'k', 'Cards');
    await settle();
    await page.getByRole('link', { name: 'Visa' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const send = sender(page, platform);
    await page.getByText('This card can pay up to 10,000.00 USD now.').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Authorize', exact: true }));
    await send('authorization');
    await newest(page, 'CORNER BOOKS: 12.50 USD, authorized');
    await page.getByText('This card can pay up to 9,987.50 USD now.').waitFor();
    await backTo(page, 'message');
    await page.keyboard.type('Cl');
    const amount = page.getByLabel(/^Amount/);
    await tabTo(page, amount);
    assert.equal(await amount.inputValue(), '12.50');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5.00');
    await send('clearing');
    await newest(page, 'CORNER BOOKS: 5.00 of 12.50 USD, partially settled');
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === '7.50');
    await send('clearing');
    await newest(page, 'CORNER BOOKS: 12.50 of 12.50 USD, settled');
    await assertSound('a card');
    const { body } = await platform.call('listTransactions', { query: { cardId: card.id } });
    assert.deepEqual(
      body.data.map(({ status }) => status),
      ['SETTLED'],
    );
  });

  it(
    'by keyboard alone: an agent’s payment is approved, after the receiver and the amount were shown',
    PATIENT,
    async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const { platform, ada, usd, bank } = await givenPrincipal(world);
      const agent = await givenConnectedAgent(platform, ada, APPROVAL);
      const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 30_000 });
      assert.equal((await executeAs(platform, agent, quote.id)).body.status, 'PENDING_APPROVAL');
      const { page, open, assertSound } = await openConsole(t, browser, platform, origin);
      await open('/console/settings');
      await goTo(page, 'n', 'Agents');
      await page.getByText('One payment by an agent is waiting for your approval.').waitFor();
      await assertSound('a waiting payment');
      await tabTo(page, page.getByRole('button', { name: 'Approve…' }));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Approve?' });
      assert.match(await dialog.innerText(), /The agent wants to pay 300\.00 USD to/);
      await tabTo(page, dialog.getByRole('button', { name: 'Approve', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByText('No payment is waiting for your approval.').waitFor();
      const [action] = await listActionsAs(platform, agent);
      assert.equal(action?.status, 'APPROVED');
      await assertSound('no waiting payment');
    },
  );

  it('an empty list says what it would contain', PATIENT, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const { page, open, assertSound } = await openConsole(t, browser, platform, origin, {
      width: 360,
      scheme: 'dark',
    });
    for (const [name, text] of [
      ['customers', 'There is no customer yet.'],
      ['accounts', 'There is no account yet.'],
      ['cards', 'There is no card yet.'],
      ['wallets', 'There is no wallet yet.'],
      ['stablecoins', 'There is no coin yet.'],
      ['agents', 'There is no agent yet.'],
    ] as const) {
      await open(`/console/${name}`);
      await page.getByText(text).waitFor();
      await assertSound(name);
    }
  });
});

async function goTo(page: Page, key: string, title: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(key);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/** Presses Shift and Tab until the field has the focus. */
async function backTo(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < 20; pressed++) {
    await page.keyboard.press('Shift+Tab');
    if ((await page.evaluate(() => document.activeElement?.getAttribute('name'))) === name) return;
  }
  assert.fail(`there is no ${name} before this`);
}

/** Presses Enter, and lets a second pass when the network has accepted the message. */
function sender(page: Page, platform: TestPlatform) {
  return async (kind: string) => {
    const accepted = page.waitForResponse((reply) => reply.url().endsWith(`/simulate/${kind}`));
    await page.keyboard.press('Enter');
    assert.equal((await accepted).status(), 202);
    await advance(platform, 1);
  };
}

async function newest(page: Page, text: string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor();
}
