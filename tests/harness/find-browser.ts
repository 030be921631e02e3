import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Chromium prepares a process for a next page, and two pages of the address bar, for each window: a third of the processor
 * time of a short test. The others are those that playwright-core disables for the sake of tests: the last list counts.
 */
const DISABLED_FEATURES = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Chromium cannot create its own sandbox as root in a container. It may connect only to our servers. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES}`,
];

/** The path of a real browser, if this machine has one. */
export async function findBrowser(): Promise<string | undefined> {
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
