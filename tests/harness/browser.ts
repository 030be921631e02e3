import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { contrastFaults } from '#tests/harness/contrast.ts';
import { BROWSER_ARGUMENTS, findBrowser } from '#tests/harness/find-browser.ts';
import { describeLack, REQUIRED } from '#tests/harness/judges.ts';

/** Why tests that need a browser are skipped on a machine without one. */
export const NO_BROWSER = describeLack('chromium');

/**
 * A real browser, if this machine has one: the same for all files of a process. With `keepsPages` the history restores pages
 * as they were left.
 */
export async function openBrowser(options: { keepsPages?: boolean } = {}): Promise<Browser | undefined> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) {
    assert.ok(!REQUIRED, NO_BROWSER);
    return undefined;
  }
  const ignoreDefaultArgs = options.keepsPages ? ['--disable-back-forward-cache'] : [];
  const key = ignoreDefaultArgs.join();
  const browser =
    browsers.get(key) ?? chromium.launch({ executablePath, args: BROWSER_ARGUMENTS, ignoreDefaultArgs });
  browsers.set(key, browser);
  return browser;
}

const browsers = new Map<string, Promise<Browser>>();

after(async () => {
  for (const browser of browsers.values()) await (await browser).close();
});

/** A file leaves the browser without its pages and what they stored. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** Gives the page a device with passkeys, whose user is always present. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

interface Looked {
  /** Only this part of the page. */
  readonly within?: string;
  /** Only by this rule. */
  readonly rule?: typeof CONTRAST;
}

const CONTRAST = 'color-contrast';

/** The only rule whose result may differ between light and dark, because the elements are the same. */
export const COLOURS_ONLY: Looked = { rule: CONTRAST };

/** The problems that axe finds in the page, one line each. */
export async function accessibilityFaults(page: Page, { within, rule }: Looked = {}): Promise<string[]> {
  // The page's own policy forbids scripts, so axe is injected from outside.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${await axeSource()};0`);
  // Within a part of a page, axe checks the contrast itself.
  const others = { rules: { [CONTRAST]: { enabled: within !== undefined } } };
  if (within !== undefined) return runAxe(page, within, rule ? { runOnly: [rule] } : others);
  return [...(rule ? [] : await runAxe(page, within, others)), ...(await contrastFaults(page))];
}

async function runAxe(page: Page, within: string | undefined, options: object): Promise<string[]> {
  return page.evaluate(
    async ([part, more]) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(
            part: unknown,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      // The lines show the elements themselves; finding a selector for each takes a tenth of the time.
      const options = { resultTypes: ['violations'], selectors: false, ...more };
      const { violations } = await axe.run(part ?? document, options);
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
    },
    [within, options] as const,
  );
}

let axe: Promise<string> | undefined;

function axeSource(): Promise<string> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
}

/**
 * Presses Tab until this has the focus, like a user without a mouse. The focus must be visible on the way. An element that
 * captures Tab is left by its documented key.
 */
export async function tabTo(page: Page, target: Locator, most = 300): Promise<void> {
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press('Tab');
    const { isThere, takesTab, unseen } = await target.evaluate(focusedNow);
    assert.equal(unseen, undefined, 'the focus is not visible');
    if (isThere) return;
    if (takesTab) await page.keyboard.press('Escape');
  }
  assert.fail(`${most} tabs do not lead to ${target}`);
}

/** Runs in the page. The focus is visible by an outline of the element or of its closest ancestor. */
function focusedNow(target: Node) {
  const active = document.activeElement;
  const around = (element: Element | null, up: number): Element[] =>
    element === null || up === 0 ? [] : [element, ...around(element.parentElement, up - 1)];
  const isSeen = around(active, 4).some((element) => {
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element);
    return /^(solid|auto)$/.test(outlineStyle) && Number.parseFloat(outlineWidth) >= 1 && opacity !== '0';
  });
  return {
    isThere: active === target,
    takesTab: active?.getAttribute('aria-description')?.includes('Escape, then Tab') === true,
    unseen: isSeen || active === document.body ? undefined : active?.outerHTML.slice(0, 300),
  };
}
