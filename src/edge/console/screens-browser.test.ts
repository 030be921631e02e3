// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type BusySandbox, givenBusySandbox } from '#tests/given/busy-sandbox.ts';
import { closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { openConsole, PATIENCE_MS } from '#tests/harness/console-page.ts';
import { strangersText, walk, watched } from '#tests/harness/console-walk.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Would be markup, would turn the text around it, and would make a page wider than its window. */
const HOSTILE = `"><img src=x onerror=alert(1)>\u202Etxet${'W'.repeat(90)}`;
/** Each test opens dozens of pages. */
const PATIENT = { timeout: 6 * PATIENCE_MS };

/** The screens themselves, without what they import: tests are compiled without the console's TSX. */
const ROUTES_FILE = new URL('../../../packages/console/src/app/routes.ts', import.meta.url).href;
const { ROUTES } = (await import(ROUTES_FILE)) as { ROUTES: readonly { path: string }[] };

describe('every screen of the console, in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin: string;
  let busy: BusySandbox;

  before(async () => {
    browser = await openBrowser();
    if (!browser) return;
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://localhost:${(world.app.http.server.address() as AddressInfo).port}`;
    busy = await givenBusySandbox(world, HOSTILE);
  });
  after(() => closePages(browser));

  it(
    'with data: sound at every width and in both themes, and the text of strangers is text',
    PATIENT,
    async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const opened = await watched(await openConsole(t, browser, busy.platform, origin));
      const found: string[] = [];
      const quiet: string[] = [];
      for (const { path } of ROUTES) {
        for (const address of addressesOf(path, busy)) {
          found.push(...(await walk(opened, address, { width: 1440, other: 360 })));
          const shown = await opened.page.evaluate(strangersText);
          found.push(...shown.faults.map((fault) => `${address}: ${fault}`));
          if (!shown.isThere) quiet.push(path);
        }
      }
      assert.deepEqual(found, []);
      assert.deepEqual(quiet, WITHOUT_STRANGERS);
    },
  );

  it('without data, or with the id of another platform: sound as well', PATIENT, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const platform = await world.platform();
    const window = { width: 360, scheme: 'light' } as const;
    const opened = await watched(await openConsole(t, browser, platform, origin, window));
    const found: string[] = [];
    for (const { path } of ROUTES) {
      const [address = ''] = addressesOf(path, busy);
      found.push(
        ...(await walk(opened, address, { width: 360, other: 1440, isRefused: path.includes(':') })),
      );
    }
    assert.deepEqual(found, []);
  });
});

/** The screens that show no text of strangers: their own words, figures and ids only. */
const WITHOUT_STRANGERS: readonly string[] = [
  '/console/accounts/:id',
  '/console/rates',
  '/console/imports',
  '/console/imports/:id',
  '/console/wallets/:id',
  '/console/stablecoins',
  '/console/stablecoins/operations/:id',
  '/console/stablecoins/:id',
  '/console/requests',
  '/console/requests/:id',
  '/console/events',
  '/console/triggers',
  '/console/triggers/:type',
  '/console/messages',
  '/console/time',
];

/** The addresses of a route. A new route with an id needs a line here, so that none is forgotten. */
function addressesOf(path: string, busy: BusySandbox): string[] {
  const ids: Readonly<Record<string, readonly string[]>> = {
    '/console/quotes/:id': [busy.quote],
    '/console/payments/:id': busy.payments,
    '/console/accounts/:id': [busy.account],
    '/console/external-accounts/:id': [busy.externalAccount],
    '/console/customers/:id': busy.customers,
    '/console/imports/:id': [busy.importJob],
    '/console/cards/:id': [busy.card],
    '/console/wallets/:id': [busy.wallet],
    '/console/stablecoins/operations/:id': [busy.mint],
    '/console/stablecoins/:id': [busy.coin],
    '/console/agents/:id': [busy.agent],
    '/console/requests/:id': [busy.request],
    '/console/events/:id': [busy.event],
    '/console/triggers/:type': ['OUTGOING_PAYMENT.COMPLETED'],
  };
  if (!path.includes(':')) return [path];
  const known = ids[path] ?? assert.fail(`name something that ${path} shows`);
  return known.map((id) => path.replace(/:\w+$/, id));
}
