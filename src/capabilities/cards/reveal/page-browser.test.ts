// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { codeBlocks } from '#tests/checks/markdown.ts';
import {
  type CardReply,
  changedCard,
  detailsIn,
  givenCard,
  type RevealedDetails,
  revealed,
} from '#tests/given/cards.ts';
import { advance, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import {
  accessibilityFaults,
  COLOURS_ONLY,
  closePages,
  NO_BROWSER,
  openBrowser,
} from '#tests/harness/browser.ts';
import { type PlatformOptions, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

const GONE = 'This link does not work';
const OVER = 'The card’s details are no longer shown.';

/** The page that shows a number, as end users see it. Screenshots go to SCREENSHOTS, or to a new folder. */
describe('the page that shows a card’s number in a browser', () => {
  const world = testWorld();
  const shots = process.env.SCREENSHOTS ?? join(tmpdir(), 'corridor-reveal');
  let browser: Browser | undefined;

  before(async () => {
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    // The browser keeps left pages in memory, as in normal use.
    browser = await openBrowser({ keepsPages: true });
    await mkdir(shots, { recursive: true });
  });
  after(async () => {
    await closePages(browser);
  });

  interface Given {
    readonly platform: TestPlatform;
    readonly card: CardReply;
    /** The page's address on the service's own host. */
    address(): Promise<string>;
    readonly shown: RevealedDetails;
  }

  async function given(settings: PlatformOptions['settings'] = {}): Promise<Given> {
    const platform = await givenPlatform(world, { settings });
    const card = await givenCard(platform, await givenPayer(platform, 0));
    const address = async () => (await revealed(platform, card)).replace('localhost', '127.0.0.1');
    const shown = detailsIn(await (await fetch(await address())).text());
    assert.match(shown.pan, /^\d{16}$/);
    return { platform, card, address, shown };
  }

  async function open(options: BrowserContextOptions = {}) {
    assert.ok(browser);
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (line) => void problems.push(line.text()));
    page.on('pageerror', (error) => void problems.push(error.message));
    return { context, page, problems, close: () => context.close() };
  }

  function needsBrowser(t: TestContext): boolean {
    if (!browser) t.skip(NO_BROWSER);
    return browser !== undefined;
  }

  /** Asserts that nothing of the card is left in the page, not even in hidden elements. */
  async function assertBlank(page: Page | FrameLocator, { pan, cvv }: RevealedDetails): Promise<void> {
    await page.locator('#card').waitFor({ state: 'hidden' });
    const left = await page.locator('html').innerHTML();
    const digits = left.slice(left.indexOf('<body>'), left.indexOf('<script')).replaceAll(/\D/g, '');
    assert.ok(
      !digits.includes(pan) && !left.includes(`>${cvv}<`) && !left.includes([...cvv].join(' ')),
      left,
    );
  }

  it('cards.md §5.4: it can be read on phone and desktop, in light and dark, and by screen readers', async (t) => {
    if (!needsBrowser(t)) return;
    const { address, shown } = await given();
    const { page, problems, close } = await open({ viewport: { width: 1280, height: 160 } });
    await page.goto(await address());
    await page.locator('#card').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    for (const width of [1280, 390, 320]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 160 });
        await page.emulateMedia({ colorScheme });
        assert.equal((await page.locator('#pan').innerText()).replaceAll(/\s/g, ''), shown.pan);
        assert.equal(await page.locator('#pan .pan-separator').count(), 3);
        assert.equal(await page.locator('#expiry').innerText(), shown.expiry);
        assert.equal(await page.locator('#cvv').innerText(), shown.cvv);
        await page.screenshot({ path: join(shots, `${width}-${colorScheme}.png`) });
        const overflow = await page.evaluate(
          '[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight].map((n) => Math.max(n, 0))',
        );
        assert.deepEqual(overflow, [0, 0], `it scrolls at ${width}`);
        assert.deepEqual(await accessibilityFaults(page, COLOURS_ONLY), []);
      }
    }
    assert.deepEqual(problems, []);
    await close();
  });

  it('cards.md §5.4: a screen reader reads the number digit by digit, and a click selects it without its spaces', async (t) => {
    if (!needsBrowser(t)) return;
    const { address, shown } = await given();
    const { page, close } = await open();
    await page.goto(await address());
    await page.locator('#card').waitFor();
    const groups = shown.pan.match(/.{4}/g)?.map((group) => [...group].join(' ')) ?? [];
    // The status element exists empty from the start, so that its later text is announced.
    assert.equal(
      await page.locator('body').ariaSnapshot(),
      `\
- main:
  - heading "Card details" [level=1]
  - term: Card number
  - definition: ${groups.join(', ')}
  - term: Expires
  - definition: ${shown.expiry}
  - term: Security code
  - definition: ${[...shown.cvv].join(' ')}
  - status`,
    );
    assert.equal(
      await page.locator('a, button, input, [tabindex]').count(),
      0,
      'a keyboard needs nothing here',
    );
    await page.locator('#pan').click();
    assert.equal(await page.evaluate('getSelection().toString()'), shown.pan);
    await close();
  });

  it('cards.md §5.5: it empties itself in the open tab when its time is over', async (t) => {
    if (!needsBrowser(t)) return;
    const { platform, address, shown } = await given();
    const url = await address();
    await advance(platform, 298);
    const { page, problems, close } = await open();
    await page.goto(url);
    await page.getByRole('status').getByText(OVER).waitFor();
    await assertBlank(page, shown);
    assert.deepEqual(problems, []);
    await advance(platform, 2);
    await page.reload();
    await page.getByText(GONE).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await close();
  });

  it('cards.md §5.5: a tab is empty after sleep, whichever of the two clocks ran on', async (t) => {
    if (!needsBrowser(t)) return;
    const { address, shown } = await given();
    const sleeps: Record<string, (page: Page) => Promise<void>> = {
      // A machine that slept: its timers were stopped.
      'the clock on the wall': async (page) => {
        await page.clock.setSystemTime(Date.now() + 200_000);
        await page.evaluate(
          () => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
        );
        await page.locator('#card').waitFor();
        await page.clock.setSystemTime(Date.now() + 301_000);
        await page.evaluate(
          () => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
        );
      },
      // The user sets the clock back while the page is open.
      'the time since the page was asked for': async (page) => {
        await page.clock.setSystemTime(Date.now() - 3_600_000);
        await page.clock.fastForward(301_000);
      },
    };
    for (const [clock, sleep] of Object.entries(sleeps)) {
      const { page, close } = await open();
      await page.clock.install();
      await page.goto(await address());
      await page.locator('#card').waitFor();
      await sleep(page);
      await page.getByRole('status').getByText(OVER).waitFor();
      await assertBlank(page, shown);
      assert.ok(clock);
      await close();
    }
  });

  it('cards.md §5.5: going back in the history loads the page from the server again, and shows no old number', async (t) => {
    if (!needsBrowser(t)) return;
    const { platform, address, shown } = await given();
    const { page, close } = await open();
    const url = await address();
    const elsewhere = new URL('/health/live', url).toString();
    await page.goto(url);
    await page.locator('#card').waitFor();
    await page.goto(elsewhere);
    await page.goBack();
    await page.locator('#card').waitFor();
    assert.equal(await page.locator('#cvv').innerText(), shown.cvv);
    await page.goto(elsewhere);
    await advance(platform, 300);
    await page.goBack();
    await page.getByText(GONE).waitFor();
    assert.equal(await page.locator('#card').count(), 0);
    await close();
  });

  it('cards.md §5.5: a left page keeps nothing, and is reloaded when the browser restores it from memory', async (t) => {
    if (!needsBrowser(t)) return;
    const { platform, card, address, shown } = await given();
    const { page, close } = await open();
    await page.goto(await address());
    await page.locator('#card').waitFor();
    const turn = (name: 'pagehide' | 'pageshow') =>
      page.evaluate(
        (type) => void window.dispatchEvent(new PageTransitionEvent(type, { persisted: true })),
        name,
      );
    await turn('pagehide');
    await assertBlank(page, shown);
    await changedCard(platform, card.id, { status: 'CLOSED' });
    await turn('pageshow');
    await page.getByText(GONE).waitFor();
    await close();
  });

  it('cards.md §5.5: without JavaScript it shows no number, because nothing would hide it again', async (t) => {
    if (!needsBrowser(t)) return;
    const { address } = await given();
    const { page, close } = await open({ javaScriptEnabled: false });
    await page.goto(await address());
    await page.getByText('This page needs JavaScript').waitFor();
    assert.equal(await page.locator('#card').isVisible(), false);
    await close();
  });

  /** A page with the iframe of docs/guides/cards.md. */
  async function shopPage(address: string): Promise<string> {
    const blocks = codeBlocks(await readFile('docs/guides/cards.md', 'utf8'));
    const [frame, ...more] = blocks.filter(({ language }) => language === 'html');
    assert.ok(frame && more.length === 0);
    return `<!doctype html><title>A shop</title><h1>Your card</h1>${frame.text.replace('ADDRESS', address)}`;
  }

  /**
   * Opens it as a page of this origin. The number's page has a host of its own there (REVEAL_URL), because browsers do not
   * let a site on the internet access the local machine.
   */
  async function openShop(page: Page, origin: string, address: string): Promise<void> {
    const hosted = `https://cards.example.com${new URL(address).pathname}${new URL(address).search}`;
    await page.route('https://cards.example.com/**', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const { statusCode: status, headers, body } = await world.app.http.inject(pathname + search);
      await route.fulfill({ status, headers: headers as Record<string, string>, body });
    });
    const body = await shopPage(hosted);
    await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${origin}/`);
  }

  it('cards.md §5.6: a page of an allowed origin frames it as the guide says, and cannot look inside', async (t) => {
    if (!needsBrowser(t)) return;
    const anyone = await given();
    const named = await given({ frameOrigins: ['http://shop.example', 'https://app.example.com'] });
    const allowed: [Given, string][] = [
      [anyone, 'https://anything.example'],
      [anyone, 'http://localhost:3000'],
      [anyone, 'http://127.0.0.1:3000'],
      [named, 'http://shop.example'],
      [named, 'https://app.example.com'],
    ];
    for (const [{ address, shown }, origin] of allowed) {
      const { page, problems, close } = await open();
      await openShop(page, origin, await address());
      const frame = page.frameLocator('#card-details');
      await frame.locator('#card').waitFor();
      assert.equal((await frame.locator('#pan').innerText()).replaceAll(/\s/g, ''), shown.pan, origin);
      await page.screenshot({ path: join(shots, `framed-${new URL(origin).hostname}.png`) });
      assert.deepEqual(problems, []);
      assert.equal(await page.evaluate("document.querySelector('iframe').contentDocument"), null);
      await close();
    }
  });

  it('cards.md §5.5, §5.6: it works in a frame on the developer’s own machine, too, and ends in time', async (t) => {
    if (!needsBrowser(t)) return;
    const { platform, address, shown } = await given();
    const url = await address();
    const shop = createServer(async (_request, response) => {
      response.setHeader('content-type', 'text/html').end(await shopPage(url));
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    t.after(() => shop.close());
    const { page, close } = await open();
    await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
    await page.frameLocator('#card-details').locator('#card').waitFor();
    await advance(platform, 298);
    await page.reload();
    await page.frameLocator('#card-details').getByText(OVER).waitFor();
    await assertBlank(page.frameLocator('#card-details'), shown);
    await close();
  });

  it('cards.md §5.6: a page of any other origin cannot frame it; any page can frame the one without card data', async (t) => {
    if (!needsBrowser(t)) return;
    const anyone = await given();
    const named = await given({ frameOrigins: ['https://app.example.com'] });
    const refused: [Given, string][] = [
      [anyone, 'http://shop.example'],
      [named, 'https://anything.example'],
      [named, 'https://app.example.com:8443'],
      [named, 'https://evil.app.example.com'],
    ];
    for (const [{ address }, origin] of refused) {
      const { page, problems, close } = await open();
      const told = page.waitForEvent('console');
      await openShop(page, origin, await address());
      await told;
      assert.match(
        problems.join('\n'),
        /violates the following Content Security Policy directive: "frame-ancestors/,
      );
      assert.equal(await page.frameLocator('#card-details').locator('#card').count(), 0, origin);
      await close();
    }
    const { page, close } = await open();
    await openShop(page, 'https://anything.example', `${await named.address()}x`);
    await page.frameLocator('#card-details').getByText(GONE).waitFor();
    await close();
  });
});
