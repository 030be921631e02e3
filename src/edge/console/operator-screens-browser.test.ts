// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { givenOperatorsWork, type OperatorsWork } from '#tests/given/operators-work.ts';
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
const KINDS_FILE = new URL('../../../packages/console/src/operator/records/kinds.ts', import.meta.url).href;
const { KINDS } = (await import(KINDS_FILE)) as {
  KINDS: Readonly<Record<string, { columns: readonly string[] }>>;
};

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
        const address = await addressOf(path, work);
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
      const nothing = (await addressOf(path, work)).replace(
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
  '/console/operator/people',
  '/console/operator/people/:id',
];

/** The lists of records whose path differs from that of their screen. */
const LISTS: Readonly<Record<string, string>> = { accounts: 'internal-accounts', events: 'webhooks' };

/** The address of a route, with the id of something that it shows: the newest record of its list, if nothing else is named. */
async function addressOf(
  path: string,
  { proposal, invited, operator, sandbox }: OperatorsWork,
): Promise<string> {
  if (!path.includes(':')) return path;
  const ids: Readonly<Record<string, string>> = {
    '/console/operator/proposals/:id': proposal,
    '/console/operator/people/:id': invited,
    // Nobody is locked, but this one has factors.
    '/console/operator/sca/:id': sandbox.customers[2] ?? '',
  };
  const kind = path.split('/')[3] ?? '';
  const list = `/console/api/${LISTS[kind] ?? kind}?environment=SANDBOX&limit=1`;
  const of = KINDS[kind]?.columns[0] ?? 'id';
  const id = ids[path] ?? (await operator.ask('GET', list)).body.data?.[0]?.[of];
  assert.ok(typeof id === 'string', `name something that ${path} shows`);
  return path.replace(':id', id);
}
