// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { givenExternalAccount, readExternalAccount } from '#tests/given/external-accounts.ts';
import { accessibilityFaults, closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('the liveness page in a real browser', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let browser: Browser | undefined;

  before(async () => {
    platform = await world.platform({ settings: { counterpartyRequirements: true } });
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    browser = await openBrowser();
  });
  after(async () => {
    await closePages(browser);
  });

  it('passes and fails, without script and without accessibility faults', async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    for (const [button, heading, expected] of [
      ['Pass', 'Passed', 'ACTIVE'],
      ['Fail', 'Failed', 'UNVERIFIED'],
    ] as const) {
      const { id, verificationLink } = await givenChallenge(platform, heading);
      const context = await browser.newContext();
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (line) => problems.push(line.text()));
      page.on('requestfailed', (request) => problems.push(request.url()));
      const opened = await page.goto(verificationLink);
      const policy = opened?.headers()['content-security-policy'] ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: button }).press('Enter');
      await page.getByRole('heading', { name: heading }).waitFor();
      assert.deepEqual(problems, []);
      assert.equal((await readExternalAccount(platform, id)).status, expected);
      await page.goto(verificationLink);
      await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
      await context.close();
    }
  });
});

/** A challenge of a wallet that never resolves by itself (accounts.md §5.2.16). */
async function givenChallenge(platform: TestPlatform, heading: 'Passed' | 'Failed') {
  const address = `0x${(heading === 'Passed' ? 'a' : 'b').repeat(37)}104`;
  const own = { ownershipType: 'FIRST_PARTY' };
  const { id } = await givenExternalAccount(platform, 'BASE_WALLET', { address, vaspName: undefined }, own);
  const { body } = await platform.call('createExternalAccountOwnershipChallenge', {
    params: { externalAccountId: id },
    body: { method: 'LIVENESS' },
  });
  return { id, verificationLink: body.verificationLink };
}
