import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Everything that the browser complained about, violations of the policy too. */
  readonly problems: string[];
  /** Opens a page of the console: `/console/payments`. */
  go(path: string): Promise<void>;
}

/** Signs a developer of the platform in, in a context of its own, and opens the console's first page. */
export async function openConsole(browser: Browser, platform: TestPlatform): Promise<ConsolePage> {
  const { status, body, raw } = await platform.call('createConsoleSession');
  assert.equal(status, 201, raw);
  // Colours that move from light to dark would be measured on their way.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') problems.push(line.text());
  });
  page.on('pageerror', (error) => void problems.push(error.message));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(body.url);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Sign in' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.shell h1').waitFor();
  const { origin } = new URL(body.url);
  const go = async (path: string) => {
    await page.goto(origin + path);
    await page.locator('.shell h1').waitFor();
  };
  return { page, context, problems, go };
}
