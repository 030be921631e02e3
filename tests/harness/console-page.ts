import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { givenAddress } from '#tests/given/console.ts';
import type { TestOperator } from '#tests/given/operators.ts';
import { accessibilityFaults } from '#tests/harness/browser.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
export const PATIENCE_MS = 300_000;

export interface Window {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

/** The windows in which every screen is looked at. */
export const WINDOWS: readonly Window[] = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 360, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong in the page so far: violations of its policy, errors, calls to other servers. */
  readonly faults: readonly string[];
  /** Opens a screen, and waits until it has read everything. */
  open(path: string): Promise<void>;
  /** Waits until nothing is loading. */
  settle(): Promise<void>;
  /** Fails if the page has a fault, axe finds something, or it is wider than its window. */
  assertSound(name: string): Promise<void>;
}

/** Checked on request only (`LAYOUT_SHIFT=1`), because it depends on the speed of the machine. */
export const LAYOUT_SHIFT_MAX = process.env.LAYOUT_SHIFT ? 0.05 : Number.POSITIVE_INFINITY;

/** The console of a platform in a browser, signed in as its developer is: by an address that asks first. */
export async function openConsole(
  t: TestContext,
  browser: Browser,
  platform: TestPlatform,
  origin: string,
  window?: Window,
): Promise<ConsolePage> {
  const opened = await openWindow(t, browser, origin, window);
  await opened.page.goto(`${origin}/console/sign-in#${await givenAddress(platform)}`);
  await opened.page.getByRole('button', { name: 'Sign in' }).click();
  await opened.page.locator('#navigation').waitFor({ state: 'attached' });
  return opened;
}

/** The console of an operator in a browser that has the operator's session. */
export async function openOperatorConsole(
  t: TestContext,
  browser: Browser,
  { cookie }: Pick<TestOperator, 'cookie'>,
  origin: string,
  window?: Window,
): Promise<ConsolePage> {
  const opened = await openWindow(t, browser, origin, window);
  const [name = '', value = ''] = cookie.split('=');
  await opened.context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
  return opened;
}

/** A browser of its own for one person, whose faults are watched. */
export async function openWindow(
  t: TestContext,
  browser: Browser,
  origin: string,
  { width, scheme }: Window = { width: 1440, scheme: 'light' },
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  t.after(() => context.close());
  const page = await context.newPage();
  const faults = watchFaults(page, origin);
  await page.addInitScript(watchInside);
  const settle = async () => {
    await page.locator('main h1').waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
  };
  return {
    page,
    context,
    faults,
    settle,
    async open(path) {
      await page.goto(`${origin}${path}`);
      await settle();
    },
    async assertSound(name) {
      await settle();
      assert.deepEqual(await accessibilityFaults(page), [], `${name}: axe`);
      const seen = await page.evaluate(() => ({
        excess: document.documentElement.scrollWidth - innerWidth,
        shift: (globalThis as unknown as { layoutShift: number }).layoutShift,
        violations: (globalThis as unknown as { violations: string[] }).violations,
      }));
      assert.ok(seen.excess <= 0, `${name} is ${seen.excess} px wider than its window`);
      assert.ok(seen.shift <= LAYOUT_SHIFT_MAX, `${name} moved while it loaded: ${seen.shift}`);
      assert.deepEqual([...faults, ...seen.violations], [], name);
    },
  };
}

/** A refused call is an error in the browser's log too. A test that causes one checks the page for it. */
function watchFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) faults.push(`asked ${url}`);
  });
  return faults;
}

/** Runs in the page, before anything of it. */
function watchInside(): void {
  const found = globalThis as unknown as { layoutShift: number; violations: string[] };
  found.layoutShift = 0;
  found.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    found.violations.push(
      `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
    );
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean };
      if (!hadRecentInput) found.layoutShift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
