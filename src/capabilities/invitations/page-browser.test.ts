// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import {
  accessibilityFaults,
  COLOURS_ONLY,
  closePages,
  NO_BROWSER,
  openBrowser,
} from '#tests/harness/browser.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const SCHEMES = ['light', 'dark'] as const;

/** Long enough for a busy machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

/** Uses the page of an invitation like an end user. Screenshots go to SCREENSHOTS, or to a temporary folder. */
describe('the page of an invitation in a browser', () => {
  const world = testWorld();
  const shots = process.env.SCREENSHOTS ?? join(tmpdir(), 'corridor-invitations');
  let platform: TestPlatform;
  let browser: Browser | undefined;
  let pages: Awaited<ReturnType<typeof givenPages>>;

  before(async () => {
    platform = await world.platform();
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    browser = await openBrowser();
    await mkdir(shots, { recursive: true });
    pages = await givenPages();
  });
  after(async () => {
    await closePages(browser);
  });

  /** The longest possible address, name and amount. */
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

  async function givenPages(): Promise<Record<string, { url: string; heading: string; inviter?: string }>> {
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
      whole: { url: whole.url, heading: 'You are invited', inviter: umaAddress },
      bare: { url: (await invite()).url, heading: 'You are invited' },
      long: { url: await longInvitation(), heading: 'You are invited' },
      claimed: { url: claimed.url, heading: 'This invitation was accepted' },
      unknown: {
        url: whole.url.replace(whole.code, '0000000000'),
        heading: 'This invitation does not exist',
      },
    };
  }

  it('platform.md §5.2a: it is readable on phone and desktop, light and dark', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const page = await browser.newPage({ viewport: WIDTHS.desktop });
    page.setDefaultTimeout(PATIENCE_MS);
    const problems: string[] = [];
    page.on('console', (line) => {
      // The browser reports the status of the error page.
      if (!line.text().includes('status of 404')) problems.push(line.text());
    });
    page.on('requestfailed', (request) => problems.push(request.url()));
    for (const [title, { url, heading }] of Object.entries(pages)) {
      await page.goto(url);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], title);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await accessibilityFaults(page, COLOURS_ONLY), [], `${title} ${colorScheme}`);
        for (const [name, viewport] of Object.entries(WIDTHS)) {
          await page.setViewportSize(viewport);
          const shown = `${title}-${name}-${colorScheme}`;
          await page.screenshot({ path: join(shots, `${shown}.png`), fullPage: true });
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0, `${shown} scrolls sideways`);
        }
      }
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  it('platform.md §5.2a: a screen reader reads inviter, purpose and next steps, and the keyboard suffices', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(pages.whole?.url ?? '');
    const heard = await page.locator('body').ariaSnapshot();
    const { url, inviter } = pages.whole ?? assert.fail();
    assert.ok(
      heard.startsWith(`\
- main:
  - heading "You are invited" [level=1]
  - paragraph: Hello Grace,
  - paragraph:
    - strong: Ada L.
    - text: ", a customer of"
    - strong: Test platform
    - text: ", invites you to UMA, so that you can send money to each other."
  - paragraph:
    - text: They want to send you
    - strong: 12.50 USD
    - text: once you have accepted.
  - paragraph: Their UMA address is ${inviter}.
  - heading "What is UMA?" [level=2]
`),
      heard,
    );
    assert.ok(
      heard.includes(`
  - heading "What happens next" [level=2]
  - list:
    - listitem:
      - text: Open an account with
      - strong: Test platform
`),
      heard,
    );
    assert.match(
      heard,
      new RegExp(`- text: "Give your provider this code:"\\n\\s+- code: ${url.split('/').at(-1)}`),
    );
    assert.equal(
      await page.locator('a, button, input, [onclick], [tabindex]').count(),
      0,
      'nothing to press',
    );
    await page.close();
  });

  it('platform.md §5.2a: it is readable without scripts', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(pages.whole?.url ?? '');
    await page.getByText('They want to send you 12.50 USD').waitFor();
    await context.close();
  });
});
