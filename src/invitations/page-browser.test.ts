import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { accessibilityFaults, openBrowser } from '#tests/browser.ts';
import { givenCustomer, PERSON } from '#tests/given-customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness.ts';

const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const SCHEMES = ['light', 'dark'] as const;

/** The page of an invitation as people meet it. Screenshots go to SCREENSHOTS, or a folder of their own. */
describe('the page of an invitation in a browser', () => {
  const world = testWorld();
  const shots = process.env.SCREENSHOTS ?? join(tmpdir(), 'corridor-invitations');
  let platform: TestPlatform;
  let browser: Browser | undefined;

  before(async () => {
    platform = await world.platform();
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    browser = await openBrowser();
    await mkdir(shots, { recursive: true });
  });
  after(async () => {
    await browser?.close();
  });

  /** The longest that an address, a name and an amount can be. */
  async function longInvitation(): Promise<string> {
    const umaAddress = `$${'u'.repeat(63)}@uma.corridor.test`;
    await givenCustomer(platform, { ...PERSON, umaAddress });
    const body = {
      inviterUma: umaAddress,
      firstName: 'W'.repeat(100),
      amountToSend: Number.MAX_SAFE_INTEGER,
      expiresAt: '9999-12-31T23:59:59Z',
    };
    return (await platform.call('createInvitation', { body })).body.url;
  }

  async function givenPages(): Promise<Record<string, { url: string; heading: string }>> {
    const { umaAddress } = await givenCustomer(platform);
    const invite = async (more: object = {}) =>
      (await platform.send('createInvitation', { body: { inviterUma: umaAddress, ...more } })).body;
    const whole = await invite({ firstName: 'Grace', amountToSend: 1_250 });
    const claimed = await invite();
    await platform.call('claimInvitation', {
      params: { invitationCode: claimed.code },
      body: { inviteeUma: '$grace@elsewhere.example' },
    });
    return {
      whole: { url: whole.url, heading: 'You are invited' },
      bare: { url: (await invite()).url, heading: 'You are invited' },
      long: { url: await longInvitation(), heading: 'You are invited' },
      claimed: { url: claimed.url, heading: 'This invitation was accepted' },
      unknown: {
        url: whole.url.replace(whole.code, '0000000000'),
        heading: 'This invitation does not exist',
      },
    };
  }

  it('platform.md §5.2a: it can be read on phone and desktop, light and dark, and without script', async (t) => {
    if (!browser) return t.skip('no Chromium on this machine: the page was not tried in a browser');
    const pages = await givenPages();
    for (const [name, viewport] of Object.entries(WIDTHS)) {
      for (const colorScheme of SCHEMES) {
        const context = await browser.newContext({ viewport, colorScheme });
        const page = await context.newPage();
        const problems: string[] = [];
        page.on('console', (line) => {
          // The browser reports the status of the page that says so.
          if (!line.text().includes('status of 404')) problems.push(line.text());
        });
        page.on('requestfailed', (request) => problems.push(request.url()));
        for (const [title, { url, heading }] of Object.entries(pages)) {
          await page.goto(url);
          await page.getByRole('heading', { level: 1, name: heading }).waitFor();
          const shown = `${title}-${name}-${colorScheme}`;
          await page.screenshot({ path: join(shots, `${shown}.png`), fullPage: true });
          assert.deepEqual(await accessibilityFaults(page), [], shown);
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0, `${shown} scrolls sideways`);
        }
        assert.deepEqual(problems, []);
        await context.close();
      }
    }
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pages.whole?.url ?? '');
    await page.getByText('They want to send you 12.50 USD').waitFor();
    await context.close();
  });
});
