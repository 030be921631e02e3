// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  accessibilityFaults,
  COLOURS_ONLY,
  closePages,
  NO_BROWSER,
  openBrowser,
} from '#tests/harness/browser.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

interface PageFile {
  /** Pages that can be visited without set-up: whole pages and error pages. */
  readonly urls: readonly string[];
  /** The test that uses the other pages, and lets axe check each. */
  readonly by?: string;
}

/** All routes that send a page to end users, and how each is tested. */
const PAGES: Readonly<Record<string, PageFile>> = {
  'src/capabilities/cards/reveal/page.ts': {
    urls: ['/cards/reveal'],
    by: 'src/capabilities/cards/reveal/page-browser.test.ts',
  },
  'src/capabilities/customers/terms/terms.ts': { urls: ['/terms/V1', '/terms/none'] },
  'src/foundation/http/document/document-pages.ts': {
    urls: ['/docs/guides', '/docs/guides/wallets', '/docs/operating', '/docs/decisions'],
  },
  'src/capabilities/invitations/page.ts': {
    urls: ['/i/none'],
    by: 'src/capabilities/invitations/page-browser.test.ts',
  },
  'src/capabilities/onboarding/page/plain-pages.ts': {
    urls: ['/onboard/none'],
    by: 'src/capabilities/onboarding/browser.test.ts',
  },
  // It has no script and no links, and needs a token.
  'src/capabilities/statements/render-page.ts': {
    urls: [],
    by: 'src/capabilities/statements/page-browser.test.ts',
  },
  // The console's pages are built by a script of theirs; a separate test walks through all of them.
  'src/edge/console/shell.ts': { urls: [], by: 'src/edge/console/sign-in-browser.test.ts' },
  'src/edge/console/operator-pages.ts': {
    urls: ['/console/operator/sign-in'],
    by: 'src/edge/console/operator-browser.test.ts',
  },
  'src/edge/sandbox/identity/liveness-page.ts': {
    urls: ['/liveness/none', '/factor-reset/none'],
    by: 'src/capabilities/external-accounts/challenges/liveness-browser.test.ts',
  },
  'src/edge/sandbox/page/tables-page.ts': {
    urls: ['/docs/sandbox'],
    by: 'src/edge/sandbox/page/tables-browser.test.ts',
  },
  // Most of its code is not ours; a separate test checks it in the same way.
  'src/foundation/http/document/reference-page.ts': {
    urls: [],
    by: 'src/foundation/http/document/reference-browser.test.ts',
  },
};

/** The beginning of a documentation page for a screen reader: the links to the other pages. */
const DOCUMENTATION = `\
- banner:
  - navigation "Documentation":
    - link "API reference":
      - /url: /docs/
    - link "Guides":
      - /url: /docs/guides
    - link "Sandbox":
      - /url: /docs/sandbox
`;

const ENDED_LINK = `\
- main:
  - heading "This link is not valid" [level=1]
  - paragraph: It was used already, replaced by a newer one, or has expired.`;

/** The beginning of the other pages for a screen reader. */
const HEARD: Readonly<Record<string, string>> = {
  '/cards/reveal': `\
- main:
  - heading "This link does not work" [level=1]
  - paragraph: It is invalid or has expired. Go back to the previous page and request the card’s details again.`,
  '/terms/V1': `\
- main:
  - heading "End-user terms" [level=1]
  - paragraph:
    - text: Version V1, published
    - time: 2025-10-13
  - region "About this text":
    - heading "About this text" [level=2]
`,
  '/terms/none': `\
- main:
  - heading "Not found" [level=1]
  - paragraph: There is no such version of the terms.`,
  '/i/none': `\
- main:
  - heading "This invitation does not exist" [level=1]
  - paragraph: Please check that you have copied the whole address, or ask the person who sent it to you.`,
  '/onboard/none': `\
- banner:
  - heading "This link does not exist" [level=1]
- main:
  - paragraph: Please check that you have copied the whole address, or ask for a new link where you got this one.`,
  '/console/operator/sign-in': `\
- main:
  - heading "Sign in as an operator" [level=1]`,
  '/liveness/none': ENDED_LINK,
  '/factor-reset/none': ENDED_LINK,
};

describe('every page of ours, for people without a mouse or with a screen reader', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin: string;

  before(async () => {
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(world.app.http.server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  after(() => closePages(browser));

  it('knows every file that sends a page, and which test covers a page that needs more than an address', async () => {
    const found: string[] = [];
    for await (const path of glob('src/**/*.ts')) {
      if (path.endsWith('.test.ts') || path === 'src/foundation/http/html-page.ts') continue;
      if (/\b(sendHtmlPage|renderHtmlPage)\(|text\/html/.test(await readFile(path, 'utf8'))) found.push(path);
    }
    assert.deepEqual(found.sort(), Object.keys(PAGES).sort());
    for (const { by } of Object.values(PAGES))
      if (by !== undefined) assert.match(await readFile(by, 'utf8'), /accessibilityFaults\(/, by);
  });

  for (const url of Object.values(PAGES).flatMap(({ urls }) => urls)) {
    it(`${url}: axe finds no fault, a screen reader names the page, it is complete at any zoom, and the keyboard reaches all of it`, {
      timeout: PATIENCE_MS,
    }, async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(origin + url);
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await accessibilityFaults(page, COLOURS_ONLY), [], 'dark');
      await isWellBuilt(page);
      await fitsWhenZoomed(page);
      await canBeTabbedThrough(page);
      const heard = await page.locator('body').ariaSnapshot();
      assert.ok(heard.startsWith(HEARD[url] ?? DOCUMENTATION), heard.slice(0, 1_000));
      await page.close();
    });
  }
});

async function isWellBuilt(page: Page): Promise<void> {
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  assert.notEqual(await page.title(), '');
  assert.equal(await page.locator('h1').count(), 1, 'one heading for the whole page');
}

/** A window of half the size corresponds to a zoom of 200 %. */
async function fitsWhenZoomed(page: Page): Promise<void> {
  await page.setViewportSize({ width: 640, height: 450 });
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(overflow, 0, 'it scrolls sideways');
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Every link and button is reached in the order of the page, with a visible focus. */
async function canBeTabbedThrough(page: Page): Promise<void> {
  const all = await page.locator('a[href], button, input, select, textarea, [tabindex="0"]').count();
  const tried = Math.min(all, 40);
  for (let i = 0; i < tried; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate((at) => {
      const elements = [
        ...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]'),
      ];
      const active = document.activeElement as HTMLElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(active);
      return {
        isNext: elements[at] === active,
        outline: `${outlineStyle} ${outlineWidth}`,
        html: active.outerHTML,
      };
    }, i);
    assert.ok(focused.isNext, `after ${i + 1} tabs: ${focused.html.slice(0, 200)}`);
    assert.match(focused.outline, /^(solid|auto) [1-9]/, focused.html.slice(0, 200));
  }
}
