// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { confirmOperator, inviteOperator } from '#capabilities/operators/manage.ts';
import { findOperatorByEmail } from '#capabilities/operators/store.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { ISSUER_CLIENT, TestIssuer } from '#tests/given/oidc-issuer.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { execute, givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import {
  accessibilityFaults,
  addVirtualAuthenticator,
  closePages,
  NO_BROWSER,
  openBrowser,
  tabTo,
} from '#tests/harness/browser.ts';
import { type ConsolePage, openWindow, PATIENCE_MS } from '#tests/harness/console-page.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';

/** People join, confirm each other and sign in. */
const PATIENT = { timeout: 3 * PATIENCE_MS };

/** A program for a browser. */
const SIGN_OWN = `(async () => {
  const headers = { 'content-type': 'application/json', 'x-corridor-console': '1' };
  const read = async (path) => (await fetch('/console/api' + path)).json();
  const send = (path, body) =>
    fetch('/console/api' + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const textOf = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const { data: [{ id, hash }] } = await read('/proposals?view=MINE');
  const { nonce, challenge, rpId } = await (await send('/operator/step-up/challenge', { signs: hash })).json();
  const { rawId, response } = await navigator.credentials.get({
    publicKey: { challenge: bytesOf(challenge), rpId, userVerification: 'required' },
  });
  const assertion = {
    credentialId: textOf(rawId),
    clientDataJson: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
  const reply = await send('/proposals/' + id + '/approve', { reason: 'my own proposal', nonce, assertion });
  return [id, reply.status, (await reply.json()).code];
})()`;

async function listen({ app }: World): Promise<string> {
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  return `http://localhost:${(app.http.server.address() as AddressInfo).port}`;
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
    const { page, faults } = await openWindow(t, browser, origin);
    const groups = ['admins'];
    issuer.signsIn({ sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada', groups });
    await page.goto(`${origin}/console/operator/sign-in`);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.getByRole('button', { name: 'Sign in at 127.0.0.1' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.locator('dd').getByText('admin', { exact: true }).waitFor();
    assert.equal(page.url(), `${origin}/console/operator`);
    const cookies = await page.context().cookies(origin);
    const kept = cookies.map(({ name, sameSite }) => [name, sameSite]);
    assert.deepEqual(kept, [['corridor-operator', 'Strict']]);
    assert.deepEqual(
      faults.filter((fault) => !fault.includes(issuer.url)),
      [],
    );

    const { page: stranger } = await openWindow(t, browser, origin);
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

  /** A browser of its own for each person, with a passkey device. */
  async function openDevice(t: TestContext, browser: Browser): Promise<ConsolePage> {
    const opened = await openWindow(t, browser, origin);
    await addVirtualAuthenticator(opened.page);
    return opened;
  }

  async function addressFor(name: string, roles: readonly OperatorRole[]): Promise<string> {
    const parts = { consoleSettings: undefined, publicUrl: () => origin };
    const email = `${name.toLowerCase()}@example.com`;
    const { address } = await onInstallation(world, (tx) =>
      inviteOperator(tx, { name, email, roles }, parts),
    );
    return address.url;
  }

  async function join(opened: ConsolePage, address: string): Promise<void> {
    await opened.page.goto(address);
    await opened.page.getByRole('button', { name: 'Register a passkey' }).click();
  }

  /** An admin confirms a person by the digits that both screens show. */
  async function confirm(admin: ConsolePage, joined: ConsolePage, name: string): Promise<void> {
    await joined.page.getByText('You have joined').waitFor();
    const digits = await joined.page.locator('#digits').innerText();
    assert.match(digits, /^\d{6}$/);
    await joined.open('/console/operator');
    await joined.page.getByText('An administrator has to confirm you').waitFor();
    await admin.open('/console/operator/people?status=JOINED');
    await admin.page.getByRole('link', { name }).click();
    await admin.page.getByText(digits).waitFor();
    await act(admin, 'Confirm', 'the digits were compared');
    await admin.page.getByText('Active', { exact: true }).waitFor();
  }

  /** Opens the form of a change, gives the reason, and sends it. */
  async function act({ page }: ConsolePage, label: string, reason: string, submit = label): Promise<void> {
    await page.getByRole('button', { name: `${label}…` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: submit, exact: true }).click();
  }

  async function signIn({ page }: ConsolePage): Promise<void> {
    await page.goto(`${origin}/console/operator/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  }

  it(
    'operator.md §1.2, §1.3, §1.5a: two people join with passkeys, one confirms the other by six digits, both sign in',
    PATIENT,
    async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const [admin, second] = [await openDevice(t, browser), await openDevice(t, browser)];
      const address = await addressFor('Ada', ['admin']);
      await admin.page.goto(address);
      await admin.page.getByRole('button', { name: 'Register a passkey' }).waitFor();
      assert.ok(!admin.page.url().includes(new URL(address).hash.slice(1)));
      assert.deepEqual(await accessibilityFaults(admin.page), []);
      await admin.page.getByRole('button', { name: 'Register a passkey' }).click();
      await admin.page.getByRole('heading', { name: 'Home' }).waitFor();
      await admin.assertSound('home of the first operator');

      await join(second, await addressFor('Grace', ['admin']));
      await confirm(admin, second, 'Grace');
      await signIn(second);
      await second.page.getByRole('button', { name: 'Sign out' }).click();
      await second.page.getByRole('heading', { name: 'You are signed out' }).waitFor();
      await second.assertSound('signed out');
      const [cookie] = await admin.context.cookies();
      assert.deepEqual(
        [cookie?.name, cookie?.httpOnly, cookie?.sameSite],
        ['corridor-operator', true, 'Strict'],
      );
      assert.deepEqual(admin.faults, []);
    },
  );

  /** A person who has joined with a passkey, whom the command line has confirmed, and who has signed in. */
  async function givenSignedIn(
    t: TestContext,
    browser: Browser,
    name: string,
    roles: readonly OperatorRole[],
  ) {
    const opened = await openDevice(t, browser);
    await join(opened, await addressFor(name, roles));
    await opened.page.getByText('You have joined').waitFor();
    const digits = await opened.page.locator('#digits').innerText();
    await onInstallation(world, async (tx) => {
      const joined = await findOperatorByEmail(tx, `${name.toLowerCase()}@example.com`);
      assert.ok(joined);
      await confirmOperator(tx, joined.id, { digits, reason: 'for the test' });
    });
    await signIn(opened);
    return opened;
  }

  it(
    'operator.md §5.1, §5.4: one operator proposes to close an account, another signs what would happen, by keyboard alone',
    PATIENT,
    async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const platform = await givenPlatform(world);
      const payer = await givenPayer(platform, 0);
      const account = payer.account('USD').id;
      const maker = await givenSignedIn(t, browser, 'Mary', ['compliance']);
      const checker = await givenSignedIn(t, browser, 'Chen', ['compliance']);

      await goTo(maker, account);
      await press(maker, 'Close the account…');
      await fill(maker, 'the customer has left');
      await press(maker, 'Close the account');
      await maker.page.getByText('another operator has to approve it').waitFor();
      await maker.assertSound('a change that was proposed');
      await maker.page.keyboard.press('Escape');

      await checker.page.keyboard.press('g');
      await checker.page.keyboard.press('r');
      await checker.page.getByRole('heading', { name: 'Proposals' }).waitFor();
      await checker.page
        .getByRole('link', { name: /account/i })
        .first()
        .waitFor();
      await checker.settle();
      await checker.page.keyboard.press('j');
      await checker.page.locator('[data-row-link]:focus').waitFor();
      await checker.page.keyboard.press('Enter');
      await checker.page.getByText('the customer has left', { exact: true }).waitFor();
      await checker.page.getByText('Details in the audit log').waitFor();
      await checker.assertSound('a proposal to check');
      await press(checker, 'Approve…');
      await fill(checker, 'their letter is on file');
      await press(checker, 'Approve with a passkey');
      await checker.page.getByText('Approved', { exact: true }).waitFor();

      await maker.open(`/console/operator/accounts/${account}`);
      await maker.page.getByText('Closed', { exact: true }).first().waitFor();
      assert.deepEqual([...maker.faults, ...checker.faults], []);
    },
  );

  it(
    'operator.md §5.4, §6.4: one operator proposes to settle a payment, another finds it among the work and signs it on a phone',
    PATIENT,
    async (t) => {
      if (!browser) return t.skip(NO_BROWSER);
      const platform = await givenPlatform(world);
      const payer = await givenPayer(platform, 100_000);
      const to = await givenOutside(platform, payer.id, '003');
      const quote = await quoted(platform, { from: payer.account('USD').id, to, send: 10_000 });
      assert.equal((await execute(platform, quote.id)).status, 200);
      await world.app.worker.settle(platform.id);
      const maker = await givenSignedIn(t, browser, 'Tess', ['treasury']);
      const checker = await givenSignedIn(t, browser, 'Otto', ['treasury']);

      await maker.open(`/console/operator/payments/${quote.transactionId}`);
      await maker.page.getByText('The rail has to report').waitFor();
      await act(maker, 'Settle', 'the bank confirmed it by phone');
      await maker.page.getByText('another operator has to approve it').waitFor();

      const [id, status, code] = await signOwnProposal(maker);
      assert.deepEqual([status, code], [403, 'FORBIDDEN'], 'the maker has signed what would happen');
      await maker.open(`/console/operator/proposals/${id}`);
      await maker.page.getByRole('button', { name: 'Withdraw…' }).waitFor();
      assert.equal(await maker.page.getByRole('button', { name: /^(?:Approve|Reject)/ }).count(), 0);

      await checker.page.setViewportSize({ width: 360, height: 740 });
      await checker.open('/console/operator/work?environment=SANDBOX');
      await checker.page.getByRole('link', { name: 'Proposals that wait for a second operator' }).click();
      await checker.page.locator('[data-row-link]').first().click();
      await checker.page.getByText('the bank confirmed it by phone', { exact: true }).waitFor();
      await checker.assertSound('a proposal on a phone');
      await act(checker, 'Approve', 'I called the bank as well', 'Approve with a passkey');
      await checker.page.getByText('Approved', { exact: true }).waitFor();
      await checker.assertSound('an approved proposal on a phone');

      await maker.open(`/console/operator/payments/${quote.transactionId}`);
      await maker.page.getByText('Completed', { exact: true }).first().waitFor();
      assert.deepEqual([...maker.faults, ...checker.faults], []);
    },
  );

  /**
   * The maker's own browser signs the newest own proposal with the passkey and sends the approval, which no page offers. Returns
   * the id of the proposal, and the status and code of the answer.
   */
  function signOwnProposal({ page }: ConsolePage): Promise<[id: string, status: number, code: string]> {
    return page.evaluate(SIGN_OWN);
  }

  /** Pastes an id into the palette. */
  async function goTo({ page }: ConsolePage, id: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.locator('.palette-input:focus').waitFor();
    await page.keyboard.type(id);
    await page.locator('.palette-list').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  async function press({ page }: ConsolePage, name: string): Promise<void> {
    const button = page.getByRole('button', { name, exact: true });
    await button.waitFor();
    await tabTo(page, button);
    await page.keyboard.press('Enter');
  }

  async function fill({ page }: ConsolePage, reason: string): Promise<void> {
    const field = page.getByRole('dialog').getByLabel('Reason');
    await field.waitFor();
    await tabTo(page, field);
    await page.keyboard.type(reason);
  }
});
