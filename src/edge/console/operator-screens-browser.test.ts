// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { givenOperatorsWork, type OperatorsWork, operatorAddress } from '#tests/given/operators-work.ts';
import { closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { openOperatorConsole, PATIENCE_MS } from '#tests/harness/console-page.ts';
import { strangersText, walk, watched } from '#tests/harness/console-walk.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Would be markup, would turn the text around it, and would make a page wider than its window. */
const HOSTILE = `"><img src=x onerror=alert(1)>\u202Etxet${'W'.repeat(50)}`;
/** Each test opens dozens of pages. */
const PATIENT = { timeout: 6 * PATIENCE_MS };

const ROUTES_FILE = new URL('../../../packages/console/src/app/operator-routes.ts', import.meta.url).href;
const { OPERATOR_ROUTES } = (await import(ROUTES_FILE)) as { OPERATOR_ROUTES: readonly { path: string }[] };

describe('every screen of operators, in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin: string;
  let work: OperatorsWork;
  let viewer: TestOperator;

  before(async () => {
    browser = await openBrowser();
    if (!browser) return;
    work = await givenOperatorsWork(world, HOSTILE);
    viewer = await givenOperator(world, ['viewer']);
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://localhost:${(world.app.http.server.address() as AddressInfo).port}`;
  });
  after(() => closePages(browser));

  it(
    'with data: sound at every width and in both themes, and the text of strangers is text',
    PATIENT,
    async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const opened = await watched(await openOperatorConsole(t, browser, work.operator, origin));
      const found: string[] = [];
      const withText: string[] = [];
      for (const { path } of OPERATOR_ROUTES) {
        const address = await operatorAddress(path, work);
        found.push(...(await walk(opened, address, { width: 1440, other: 360 })));
        const shown = await opened.page.evaluate(strangersText);
        found.push(...shown.faults.map((fault) => `${address}: ${fault}`));
        if (shown.isThere) withText.push(path);
      }
      assert.deepEqual(found, []);
      assert.deepEqual(withText, UNMASKED);
    },
  );

  it('without data, with the id of nothing, and without the roles: sound as well', PATIENT, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const window = { width: 360, scheme: 'light' } as const;
    const opened = await watched(await openOperatorConsole(t, browser, viewer, origin, window));
    const found: string[] = [];
    for (const { path } of OPERATOR_ROUTES) {
      const nothing = (await operatorAddress(path, work)).replace(
        /[0-9a-f-]{36}$/,
        '00000000-0000-7000-8000-000000000000',
      );
      const address = path.includes(':') ? nothing : `${path}?environment=PRODUCTION`;
      found.push(...(await walk(opened, address, { width: 360, other: 1440, isRefused: true })));
    }
    assert.deepEqual(found, []);
  });
});

/** What operators write is shown as it is; what customers and platforms write is masked. */
const UNMASKED: readonly string[] = [
  '/console/operator/proposals/:id',
  // What finance wrote about a break.
  '/console/operator/breaks/:id',
  '/console/operator/people',
  '/console/operator/people/:id',
  // The names of operators.
  '/console/operator/audit',
];
