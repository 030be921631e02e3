// lane: whole — several processes contend

import assert from 'node:assert/strict';
import { randomBytes, randomUUID, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { givenPayer, givenPlatform, readTransaction } from '#tests/given/payments.ts';
import { command } from '#tests/harness/command-line.ts';
import { type Environment, freePort, launch, type Server, serve } from '#tests/harness/corridor-process.ts';
import { createTestDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { shellEnvironment } from '#tests/harness/developer-world.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createReceiver } from '#tests/harness/receiver.ts';

const BALANCE = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';
const KILLS = 3;
const FUNDINGS = 60;

describe('corridor listen while the server is killed', () => {
  let files: TestDatabase;
  let server: Server;
  /** Waits until the killed server is back. */
  let serving: Promise<void> | undefined;
  let environment: Environment;

  before(async () => {
    files = await createTestDatabase();
    environment = {
      PORT: String(await freePort()),
      DATABASE_URL: files.url,
      PERSON_KEYS_URL: personKeysUrl(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      API_TOKEN_ID: randomBytes(16).toString('hex'),
      API_CLIENT_SECRET: randomBytes(24).toString('hex'),
    };
    server = await serve(environment);
  });
  after(async () => {
    server.kill('SIGTERM');
    await server.finished;
    await files.drop();
  });

  const auth = () => `${environment.API_TOKEN_ID}:${environment.API_CLIENT_SECRET}`;

  /** Repeats a request under one idempotency key until it is answered, because a kill may interrupt it. */
  async function call(method: string, path: string, body?: object) {
    const key = randomUUID();
    const base = `http://127.0.0.1:${environment.PORT}/svc/2025-10-13`;
    const headers = {
      authorization: `Basic ${Buffer.from(auth()).toString('base64')}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
    };
    for (;;) {
      try {
        const reply = await fetch(`${base}${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        if (reply.status < 300) return await reply.json();
        assert.ok(reply.status >= 500 || reply.status === 409, `${method} ${path}: ${reply.status}`);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
      }
      await serving;
    }
  }

  async function killAndStart(): Promise<void> {
    server.kill('SIGKILL');
    await server.finished;
    server = await serve(environment);
  }

  it('platform.md §4.8.3, §4.8.10: nothing is lost, nothing out of order per resource, and signatures verify', async (t) => {
    const receiver = await createReceiver();
    t.after(() => receiver.close());
    const shell = {
      CORRIDOR_URL: `http://127.0.0.1:${environment.PORT}/svc/2025-10-13`,
      CORRIDOR_AUTH: auth(),
    };
    const listener = await launch(['listen', '--forward-to', receiver.url], shell);
    await listener.prints(/Listening/);
    const { data: accounts } = (await call('GET', '/platform/internal-accounts')) as {
      data: { id: string }[];
    };
    const storm = Promise.all(
      accounts.map(async ({ id }) => {
        for (let i = 0; i < FUNDINGS; i++)
          await call('POST', `/sandbox/internal-accounts/${id}/fund`, { amount: 1 });
      }),
    );
    for (let kill = 0; kill < KILLS; kill++) {
      const seen = receiver.received.length;
      await receiver.until(({ length }) => length >= seen + 10);
      serving = killAndStart();
      await serving;
    }
    await storm;
    const told = () => receiver.received.filter(({ body }) => body.type === BALANCE);
    await receiver.until(() => new Set(told().map(({ body }) => body.id)).size >= FUNDINGS * accounts.length);
    const keys = (await call('GET', '/webhooks/keys')) as { data: { publicKey: string }[] };
    for (const { raw, headers } of receiver.received) {
      const { s } = JSON.parse(String(headers['x-svc-signature'])) as { s: string };
      assert.ok(
        keys.data.some(({ publicKey }) => verify('sha256', raw, publicKey, Buffer.from(s, 'base64'))),
      );
    }
    for (const [account, events] of Map.groupBy(told(), ({ body }) => body.data.id)) {
      const totals = events.map(({ body }) => (body.data.totalBalance as { amount: number }).amount);
      assert.deepEqual(
        totals,
        totals.toSorted((a, b) => a - b),
        String(account),
      );
      assert.equal(totals.length, FUNDINGS, 'each once');
    }
    listener.kill('SIGINT');
    assert.equal((await listener.finished).code, 0);
  });
});

describe('questions that corridor listen answers', () => {
  const world = testWorld();

  for (const [status, result] of [
    [200, 'DELIVERED'],
    [403, 'EXHAUSTED'],
  ] as const) {
    it(`platform.md §4.8.7, §4.8.10: a receiver's ${status} decides, end to end`, async (t) => {
      const platform = await givenPlatform(world);
      const customer = await givenPayer(platform, 0);
      const receiver = await createReceiver();
      t.after(() => receiver.close());
      receiver.answer({ status });
      const shell = await shellEnvironment(world, platform);
      const listener = await launch(['listen', '--forward-to', receiver.url], shell);
      await listener.prints(/Listening/);
      const offer = await platform.call('sandboxReceive', {
        body: {
          senderUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
          customerId: customer.id,
          receivingCurrencyCode: 'USD',
          receivingCurrencyAmount: 5_000,
        },
      });
      assert.equal(offer.status, 200, offer.raw);
      await listener.prints(
        new RegExp(`INCOMING_PAYMENT.PENDING ${offer.body.id} → ${status} .*answered, ${result}`),
      );
      const { status: shown } = await readTransaction(platform, offer.body.id);
      assert.equal(shown, status === 403 ? 'REJECTED' : 'PENDING');
      listener.kill('SIGINT');
      assert.equal((await listener.finished).code, 0);
    });
  }

  for (const [what, cursor] of [
    ['is ahead of the database', '900000000000.1'],
    ['is none', 'nonsense'],
  ] as const) {
    it(`platform.md §4.8.3: reports a cursor that ${what}, and listens from now on`, async (t) => {
      const platform = await world.platform();
      const folder = await mkdtemp(join(tmpdir(), 'listen-'));
      t.after(() => rm(folder, { recursive: true }));
      const resume = join(folder, 'cursor');
      await writeFile(resume, `${cursor}\n`);
      const listener = await launch(['listen', '--resume', resume], await shellEnvironment(world, platform));
      await listener.prints(
        /corridor: cursor: .*\. Listening from now on; earlier events are not delivered\./,
      );
      await listener.prints(/^Listening\.$/m);
      await fund(platform);
      await listener.prints(/INTERNAL_ACCOUNT.BALANCE_UPDATED/);
      listener.kill('SIGINT');
      assert.equal((await listener.finished).code, 0);
      assert.match(await readFile(resume, 'utf8'), /^\d+\.\d+\n$/);
    });
  }

  const fund = async (platform: TestPlatform) =>
    platform.call('sandboxFundInternalAccount', {
      params: { accountId: await loadDollarAccount(platform) },
      body: { amount: 100 },
    });

  it('platform.md §4.8.2, §4.8.10: two listeners at once each forward everything to their receiver, in order', async (t) => {
    const platform = await world.platform();
    const shell = await shellEnvironment(world, platform);
    const each = await Promise.all(
      [1, 2].map(async () => {
        const receiver = await createReceiver();
        t.after(() => receiver.close());
        const listener = await launch(['listen', '--forward-to', receiver.url, '--events', BALANCE], shell);
        await listener.prints(/Listening/);
        return { receiver, listener };
      }),
    );
    for (let n = 0; n < 5; n++) await fund(platform);
    for (const { receiver, listener } of each) {
      await receiver.until(({ length }) => length >= 5);
      assert.deepEqual(
        receiver.received.map(({ body }) => body.id),
        await listEvents(platform),
      );
      listener.kill('SIGINT');
      assert.equal((await listener.finished).code, 0);
    }
  });

  it('platform.md §4.8.3, §4.8.10: with --resume a stopped listener continues where it stopped, and loses nothing', async (t) => {
    const platform = await world.platform();
    const shell = await shellEnvironment(world, platform);
    const receiver = await createReceiver();
    const folder = await mkdtemp(join(tmpdir(), 'listen-'));
    t.after(async () => {
      await receiver.close();
      await rm(folder, { recursive: true });
    });
    const words = [
      'listen',
      '--forward-to',
      receiver.url,
      '--events',
      BALANCE,
      '--resume',
      join(folder, 'cursor'),
    ];
    const heard = () => new Set(receiver.received.map(({ body }) => body.id)).size;
    for (const signal of ['SIGINT', 'SIGKILL', 'SIGINT'] as const) {
      const listener = await launch(words, shell);
      await listener.prints(/Listening/);
      const before = (await listEvents(platform)).length;
      await fund(platform);
      await receiver.until(() => heard() >= before + 1);
      listener.kill(signal);
      await listener.finished;
      await fund(platform);
    }
    const last = await launch(words, shell);
    const all = await listEvents(platform);
    await receiver.until(() => heard() >= all.length);
    assert.deepEqual([...new Set(receiver.received.map(({ body }) => body.id))], all);
    last.kill('SIGINT');
    assert.equal((await last.finished).code, 0);
  });

  it('platform.md §4.8.10: says at the start which key signs, which one will sign next, and where their public keys are', async () => {
    const platform = await world.platform();
    const shell = await shellEnvironment(world, platform);
    const begun = async (url = shell.CORRIDOR_URL ?? '') => {
      const listener = await launch(['listen'], { ...shell, CORRIDOR_URL: url });
      await listener.prints(/webhooks\/keys\n/);
      listener.kill('SIGINT');
      return (await listener.finished).stdout;
    };
    const [signing] = (await platform.call('listWebhookKeys')).body.data;
    const whole = `${shell.CORRIDOR_URL}/svc/2025-10-13`;
    const where = `The public key:\n  curl -su "$CORRIDOR_AUTH" ${whole}/webhooks/keys\n`;
    assert.equal(await begun(), `Listening.\nSigned by ${signing?.id}. ${where}`);
    assert.ok((await begun(whole)).endsWith(where), 'the path of the API may be given or not');
    const [, next] = (await platform.call('rotateWebhookKey')).body.data;
    assert.equal(
      await begun(),
      `Listening.\nSigned by ${signing?.id}, and from ${next?.signsFrom} on by ${next?.id}. ${where}`,
    );
  });

  it('platform.md §4.8.10: forwards an event again that the receiver answered with 500', async (t) => {
    const platform = await world.platform();
    const receiver = await createReceiver();
    t.after(() => receiver.close());
    receiver.answer(() => ({ status: receiver.received.length === 1 ? 500 : 200 }));
    const words = ['listen', '--forward-to', receiver.url, '--events', BALANCE];
    const listener = await launch(words, await shellEnvironment(world, platform));
    await listener.prints(/Listening/);
    await fund(platform);
    await listener.prints(/ → 500 \d+ ms\n.* → 200 \d+ ms \(attempt 2\)\n/);
    const [first, second] = receiver.received;
    assert.deepEqual(second?.raw, first?.raw);
    listener.kill('SIGINT');
    assert.equal((await listener.finished).code, 0);
  });

  it('platform.md §4.8.11: an event resent by "events resend" reaches the receiver again', async (t) => {
    const platform = await world.platform();
    const receiver = await createReceiver();
    t.after(() => receiver.close());
    const shell = await shellEnvironment(world, platform);
    const listener = await launch(['listen', '--forward-to', receiver.url], shell);
    await listener.prints(/Listening/);
    await fund(platform);
    await listener.prints(/BALANCE_UPDATED InternalAccount:\S+ → 200/);
    const told = receiver.received.find(({ body }) => body.type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED');
    const { stdout } = await command(['events', 'resend', told?.body.id ?? ''], shell);
    assert.match(stdout, /is sent again to listeners; there is no webhook endpoint\.\n$/);
    await listener.prints(/BALANCE_UPDATED InternalAccount:\S+ \(sent again\) → 200/);
    assert.equal(receiver.received.filter(({ body }) => body.id === told?.body.id).length, 2);
    listener.kill('SIGINT');
    assert.equal((await listener.finished).code, 0);
  });

  /** The events of balances, the oldest first. */
  async function listEvents(platform: TestPlatform): Promise<string[]> {
    const { body } = await platform.call('listEvents', { query: { type: BALANCE } });
    return body.data.map(({ id }) => id).reverse();
  }

  async function loadDollarAccount(platform: TestPlatform): Promise<string> {
    const { body } = await platform.call('listPlatformInternalAccounts', { query: { currency: 'USD' } });
    return body.data[0]?.id ?? '';
  }

  it('refuses a wrong type, address or token before it listens', async () => {
    const shell = await shellEnvironment(world, await world.platform());
    const production = await shellEnvironment(world, await world.platform({ environment: 'PRODUCTION' }));
    const cases = [
      [
        ['--events', 'card.*,outgoing_payment.complete'],
        shell,
        2,
        /"outgoing_payment.complete" is not an event type/,
      ],
      [['--forward-to', 'localhost:3000'], shell, 2, /must be an http or https URL/],
      [
        ['--forward-to', 'ftp://x'],
        shell,
        2,
        /must be an http or https URL \(see "corridor listen --help"\)\n$/,
      ],
      [
        ['--resume', '/dev/null/cursor'],
        shell,
        2,
        /^corridor: --resume must name a file .* \(ENOTDIR\) .*\n$/,
      ],
      [['--resume', tmpdir()], shell, 2, /^corridor: --resume must name a file .* \(EISDIR\) .*\n$/],
      [[], production, 1, /403 FORBIDDEN: .*sandbox/],
    ] as const;
    for (const [words, environment, code, why] of cases) {
      const done = await command(['listen', ...words], environment);
      assert.match(done.stderr, why);
      assert.equal(done.code, code);
    }
  });
});
