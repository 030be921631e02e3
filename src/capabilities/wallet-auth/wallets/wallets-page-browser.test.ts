// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Mnemonic } from 'ethers';
import type { Browser, Page } from 'playwright-core';
import { addVirtualAuthenticator, closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { type TestPlatform, testWorld, type World } from '#tests/harness/harness.ts';
import { givenWallet } from '#tests/harness/wallet-client.ts';
import { copyWalletsPage, type WalletsPage } from '#tests/harness/wallets-page.ts';

/** Long enough for the busiest machine. */
const PATIENCE_MS = 300_000;

/** Where a browser without a bundler finds the modules that the client imports. */
const MODULES = {
  '@hpke/core': '@hpke/core/esm/mod.js',
  '@hpke/common': '@hpke/common/esm/mod.js',
  bs58check: 'bs58check/src/esm/index.js',
  bs58: 'bs58/src/esm/index.js',
  'base-x': 'base-x/src/esm/index.js',
  '@noble/hashes/sha256': 'bs58check/node_modules/@noble/hashes/esm/sha256.js',
  '@noble/hashes/crypto': 'bs58check/node_modules/@noble/hashes/esm/crypto.js',
};

const HTML = `<!doctype html><title>Acme</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({
  imports: Object.fromEntries(Object.entries(MODULES).map(([name, path]) => [name, `/node_modules/${path}`])),
})}</script>
<script type="module">
  import * as wallet from './wallet.js';
  import * as passkeys from './passkeys.js';
  import { callAt } from './call.js';
  Object.assign(globalThis, { wallet, passkeys, call: callAt('/wallet') });
</script>`;

/** The functions that the page then has. */
interface Loaded {
  readonly call: unknown;
  readonly wallet: Readonly<Record<string, (...args: unknown[]) => Promise<Session>>>;
  readonly passkeys: Readonly<Record<string, (...args: unknown[]) => Promise<Session>>>;
}
interface Session {
  readonly id: string;
  readonly type: string;
  readonly nickname: string;
  readonly accountId: string;
  readonly key: unknown;
  readonly publicKey: string;
}

describe('the client of docs/wallets.md in a real browser', () => {
  const world = testWorld();
  let copied: WalletsPage;
  let browser: Browser | undefined;
  let platform: TestPlatform;
  let acme: Server;

  before(async () => {
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    platform = await world.platform();
    copied = await copyWalletsPage();
    browser = await openBrowser();
    acme = createServer((request, reply) => void serve(request, reply, { world, platform, copied }));
    await once(acme.listen(0, 'localhost'), 'listening');
  });
  after(async () => {
    await closePages(browser);
    acme.close();
    await copied.remove();
  });

  async function openPage(on: Browser): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await on.newContext()).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    page.on('console', (line) => void complaints.push(line.text()));
    page.on('pageerror', (error) => void complaints.push(error.message));
    await addVirtualAuthenticator(page);
    await page.goto(`http://localhost:${(acme.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => 'wallet' in globalThis);
    return { page, complaints };
  }

  it('wallets.md §6.1.23, §6.1.24, §6.4.35, §6.4.37, §6.7.41: registers a passkey on http://localhost, logs in with it and signs', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const { accountId, credentialId } = await givenWallet(platform);
    const { page, complaints } = await openPage(browser);
    const challenge = [...randomBytes(32)];
    const seen = await page.evaluate(
      async ({ credentialId, challenge }) => {
        const { wallet, passkeys, call } = globalThis as unknown as Loaded;
        const first = await wallet.logInWithCode?.(call, credentialId, async () => '000000');
        const added = await passkeys.addPasskey?.(first, "Ada's laptop", Uint8Array.from(challenge));
        const logins = [await passkeys.logIn?.(added?.id), await passkeys.logIn?.(added?.id)];
        const last = logins.at(-1);
        const key = await wallet.newSigningKey?.();
        const path = `/auth/sessions/${last?.id}/refresh`;
        const body = { clientPublicKey: key?.publicKey };
        const renewed = await wallet.signed?.(call, last?.key, 'POST', path, body);
        return { added, logins: logins.map((each) => each?.type), renewed };
      },
      { credentialId, challenge },
    );
    assert.deepEqual(complaints, []);
    assert.deepEqual([seen.added?.type, seen.added?.nickname], ['PASSKEY', "Ada's laptop"]);
    assert.deepEqual(seen.logins, ['PASSKEY', 'PASSKEY']);
    assert.deepEqual([seen.renewed?.type, seen.renewed?.accountId], ['PASSKEY', accountId]);
    const { body } = await platform.call('listAuthSessions', { query: { accountId } });
    assert.deepEqual(
      body.data.map(({ type }) => type),
      ['EMAIL_OTP', 'PASSKEY', 'PASSKEY', 'PASSKEY'],
    );
  });

  it('wallets.md §6.4.33, §6.9.46: opens sealed data: the words, and a key that the service created', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const { credentialId } = await givenWallet(platform);
    const { page, complaints } = await openPage(browser);
    const words = await page.evaluate(async (credentialId) => {
      const { wallet, call } = globalThis as unknown as Loaded;
      const session = await wallet.logInWithCode?.(call, credentialId, async () => '000000');
      const sealing = await wallet.newSealingKeys?.();
      const path = `/auth/sessions/${session?.id}/refresh`;
      const body = { clientPublicKey: sealing?.publicKey };
      const made = await wallet.signed?.(call, session?.key, 'POST', path, body);
      const key = await wallet.openSessionKey?.(made, sealing);
      return wallet.exportWords?.(call, { ...made, key });
    }, credentialId);
    assert.deepEqual(complaints, []);
    assert.ok(Mnemonic.isValidMnemonic(String(words)));
  });
});

interface Acme {
  readonly world: World;
  readonly platform: TestPlatform;
  readonly copied: WalletsPage;
}

/** The site of a platform: its page, its modules, and a backend that alone has the credentials. */
async function serve(request: IncomingMessage, reply: ServerResponse, acme: Acme): Promise<void> {
  const path = request.url ?? '/';
  if (path === '/') return void reply.setHeader('content-type', 'text/html').end(HTML);
  if (path.startsWith('/wallet/')) return passOn(request, reply, acme);
  const module = await readFile(join(acme.copied.folder, path)).catch(() => undefined);
  if (!module) return void reply.writeHead(404).end();
  reply.setHeader('content-type', 'text/javascript').end(module);
}

async function passOn(request: IncomingMessage, reply: ServerResponse, acme: Acme): Promise<void> {
  const { port } = acme.world.app.http.server.address() as AddressInfo;
  const path = request.url?.replace('/wallet', '/svc/2025-10-13');
  const signature = Object.entries(request.headers).filter(([name]) => /^(svc-wallet-|request-)/.test(name));
  const sent = await text(request);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: request.method ?? 'GET',
    headers: {
      ...Object.fromEntries(signature as [string, string][]),
      authorization: acme.platform.authorization,
      'content-type': 'application/json',
    },
    ...(sent && { body: sent }),
  });
  reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}
