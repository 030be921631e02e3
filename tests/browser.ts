import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Started by root in a container, Chromium cannot make its own sandbox; and it is to talk to nobody but us. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser, if this machine has one. With `keepsPages` the history brings pages back as they were left. */
export async function openBrowser(options: { keepsPages?: boolean } = {}): Promise<Browser | undefined> {
  const executablePath = await findBrowser();
  if (executablePath === undefined) return undefined;
  const ignoreDefaultArgs = options.keepsPages ? ['--disable-back-forward-cache'] : [];
  return chromium.launch({ executablePath, args: ARGUMENTS, ignoreDefaultArgs });
}

async function findBrowser(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      const found = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return path;
    }
  }
  return undefined;
}

/** Gives the page a device with passkeys, whose user is always there. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** What axe finds wrong with the page as it stands, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // The page's own policy forbids scripts, so axe comes in from outside it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.context().addInitScript({ path: source });
    await page.reload();
  }
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  });
}
