// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { inviteOperator } from '#capabilities/operators/manage.ts';
import { ISSUER_CLIENT, TestIssuer } from '#tests/given/oidc-issuer.ts';
import { onInstallation } from '#tests/given/operators.ts';
import {
  accessibilityFaults,
  addVirtualAuthenticator,
  closePages,
  NO_BROWSER,
  openBrowser,
} from '#tests/harness/browser.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine: only a page that never loads fails. */
const PATIENCE_MS = 300_000;

/** A browser of its own for each person, with a passkey device. */
async function openDevice(browser: Browser, problems: string[]): Promise<Page> {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('console', (line) => void problems.push(line.text()));
  page.on('pageerror', (error) => void problems.push(error.message));
  await addVirtualAuthenticator(page);
  return page;
}

async function listen({ app }: World): Promise<string> {
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const address = app.http.server.address();
  assert.ok(address !== null && typeof address === 'object');
  return `http://localhost:${address.port}`;
}

async function addressFor(world: World, origin: string, name: string): Promise<string> {
  const parts = { consoleSettings: undefined, publicUrl: () => origin };
  const email = `${name.toLowerCase()}@example.com`;
  const { address } = await onInstallation(world, (tx) =>
    inviteOperator(tx, { name, email, roles: ['admin'] }, parts),
  );
  return address.url;
}

describe('operators of an issuer in a browser', () => {
  const consoleSettings = { takesPlainHttp: true, issuer: { issuer: '', ...ISSUER_CLIENT } };
  let issuer: TestIssuer;
  let browser: Browser | undefined;
  let origin = '';
  before(async () => {
    issuer = await TestIssuer.start(() => `${origin}/console/operator/callback`);
    const roles = new Map([['admins', ['admin' as const]]]);
    consoleSettings.issuer = {
      ...{ issuer: issuer.url, ...ISSUER_CLIENT },
      ...{ roles: { claim: 'groups', roles } },
    };
  });
  const world = testWorld({ consoleSettings });
  before(async () => {
    world.clock.advance(Date.now() - world.clock.now());
    origin = await listen(world);
    issuer.rotateKeys();
    browser = await openBrowser();
  });
  after(async () => {
    await closePages(browser);
    await issuer.stop();
  });

  it('operator.md §1.3a, §3.3: a person signs in at the issuer and comes back signed in; a stranger reads why not', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const problems: string[] = [];
    const page = await openDevice(browser, problems);
    const groups = ['admins'];
    issuer.signsIn({ sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada', groups });
    await page.goto(`${origin}/console/operator/sign-in`);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Sign in at 127.0.0.1' }).click();
    await page.getByText('Roles: admin').waitFor();
    assert.equal(page.url(), `${origin}/console/operator`);
    const cookies = await page.context().cookies(origin);
    const kept = cookies.map(({ name, sameSite }) => [name, sameSite]);
    assert.deepEqual(kept, [['corridor-operator', 'Strict']]);
    assert.deepEqual(problems, []);

    const stranger = await openDevice(browser, []);
    issuer.signsIn({ sub: 'eve', email: 'eve@example.com' });
    await stranger.goto(`${origin}/console/operator/sign-in`);
    await stranger.getByRole('button', { name: 'Sign in at 127.0.0.1' }).click();
    await stranger.getByText('does not let you in here').waitFor();
    assert.ok(!stranger.url().includes('code='));
    assert.deepEqual(await accessibilityFaults(stranger), []);
    await stranger.getByRole('link', { name: 'Sign in again' }).click();
    await stranger.getByRole('button', { name: 'Sign in at' }).waitFor();
  });
});

describe('operators in a browser', () => {
  const world = testWorld();
  let browser: Browser | undefined;
  let origin = '';

  before(async () => {
    origin = await listen(world);
    browser = await openBrowser();
  });
  after(() => closePages(browser));

  it('operator.md §1.2, §1.3, §1.5a: two people join with passkeys, one confirms the other by six digits, both sign in', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const problems: string[] = [];
    const [first, second] = [await openDevice(browser, problems), await openDevice(browser, problems)];
    const address = await addressFor(world, origin, 'Ada');
    await first.goto(address);
    await first.getByRole('button', { name: 'Register a passkey' }).waitFor();
    assert.ok(!first.url().includes(new URL(address).hash.slice(1)));
    assert.deepEqual(await accessibilityFaults(first), []);
    assert.match(await first.locator('main').innerText(), /Ada/);
    await first.getByRole('button', { name: 'Register a passkey' }).click();
    await first.getByText('Roles: admin').waitFor();

    await second.goto(await addressFor(world, origin, 'Grace'));
    await second.getByRole('button', { name: 'Register a passkey' }).click();
    await second.getByText('You have joined').waitFor();
    const digits = await second.locator('#digits').innerText();
    assert.match(digits, /^\d{6}$/);
    await second.goto(`${origin}/console/operator`);
    await second.getByText('none until an admin confirms').waitFor();

    await first.reload();
    await first.getByText(digits).waitFor();
    assert.deepEqual(await accessibilityFaults(first), []);
    await first.getByRole('button', { name: 'Confirm Grace' }).click();
    await first.getByText('Grace is confirmed.').waitFor();

    await second.goto(`${origin}/console/operator/sign-in`);
    await second.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await second.getByText('Roles: admin').waitFor();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    const [cookie] = await first.context().cookies();
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.sameSite],
      ['corridor-operator', true, 'Strict'],
    );
    assert.deepEqual(problems, []);
  });
});
