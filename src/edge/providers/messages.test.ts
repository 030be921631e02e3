// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { contactJobs } from '#capabilities/customers/contacts/contact-verification.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { sql } from '#foundation/database/sql.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { type CreatedCustomer, EUROPEAN, givenCustomer } from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';

type Word = 'Email' | 'Phone';

type SmsBody = Readonly<Record<'to' | 'text' | 'reference', string>>;

const send = (platform: TestPlatform, { id }: CreatedCustomer, word: Word) =>
  platform.call(`sendCustomer${word}Verification`, { params: { customerId: id } });
const confirm = (platform: TestPlatform, { id }: CreatedCustomer, word: Word, code: string) =>
  platform.call(`confirmCustomer${word}Verification`, { params: { customerId: id }, body: { code } });

describe('messages without a provider', () => {
  const world = testWorld();

  it('customers.md §3.2, platform.md §10.5: a channel without one answers 501, and nothing is stored', async () => {
    const live = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenCustomer(live, EUROPEAN);
    for (const word of ['Email', 'Phone'] as const) {
      const reply = await send(live, customer, word);
      assert.deepEqual([reply.status, reply.body.code], [501, 'NOT_IMPLEMENTED']);
    }
    const kept = await world.database.query(sql`
      select 1 from codes where platform_id = ${live.id}
      union all select 1 from jobs where platform_id = ${live.id} and kind like 'customers.send-contact-code%'`);
    assert.deepEqual(kept, []);
  });

  it('customers.md §3.3: a customer who needs no verification, or does not exist, is refused first', async () => {
    const live = await world.platform({ environment: 'PRODUCTION' });
    const elsewhere = await givenCustomer(live, { ...EUROPEAN, region: 'US' });
    assert.equal((await send(live, elsewhere, 'Email')).status, 409);
    const foreign = await givenCustomer(await world.platform({ environment: 'PRODUCTION' }), EUROPEAN);
    assert.equal((await send(live, foreign, 'Email')).status, 404);
  });
});

describe('messages by the operator’s providers', () => {
  const providers: { -readonly [Name in keyof ProviderSettings]: ProviderSettings[Name] } = {};
  let mail: MailServer;
  let gateway: Receiver;
  before(async () => {
    mail = await createMailServer();
    gateway = await createReceiver();
    const from = 'codes@acme.example';
    providers.email = { host: '127.0.0.1', port: mail.port, encryption: 'none', from };
    providers.sms = { url: gateway.url.replace('http://', 'http://ada:s3cret@') };
  });
  const world = testWorld({ providers: () => providers });
  after(async () => {
    await mail.close();
    await gateway.close();
  });
  beforeEach(() => {
    mail.received.length = 0;
    gateway.received.length = 0;
    mail.refuse(undefined);
    gateway.answer({ status: 200 });
  });

  async function scene() {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    return { platform, customer: await givenCustomer(platform, EUROPEAN) };
  }

  const settle = (platform: TestPlatform) => world.app.worker.settle(platform.id);
  const mailedCodes = () => mail.received.map(({ raw }) => /code is (\d{6})/.exec(raw)?.[1] ?? '');
  /** The gateway's body differs from a webhook's. */
  const smsBodies = () => gateway.received.map(({ raw }) => JSON.parse(raw.toString())) as [SmsBody, SmsBody];
  const waiting = (platform: TestPlatform) =>
    world.database.query<{ attempts: number; last_error: string | null }>(sql`
      select attempts, last_error from jobs
       where platform_id = ${platform.id} and kind like 'customers.send-contact-code%'`);
  const keptCodes = (platform: TestPlatform) =>
    world.database.query<{ code: Buffer | null }>(sql`
      select code from codes where platform_id = ${platform.id}`);

  it('customers.md §3.2: both channels send six digits that confirm, after the commit, and do not store them', async () => {
    const { platform, customer } = await scene();
    assert.equal((await send(platform, customer, 'Email')).status, 204);
    assert.equal((await send(platform, customer, 'Phone')).status, 204);
    assert.deepEqual([mail.received, gateway.received], [[], []]);
    await settle(platform);
    assert.deepEqual(mail.received[0]?.to, [EUROPEAN.email]);
    const [sms] = smsBodies();
    assert.equal(sms.to, EUROPEAN.phoneNumber);
    const codes = { Email: mailedCodes()[0] ?? '', Phone: /\d{6}/.exec(sms.text)?.[0] ?? '' };
    for (const word of ['Email', 'Phone'] as const) {
      assert.equal((await confirm(platform, customer, word, codes[word])).status, 200, word);
    }
    assert.deepEqual(await keptCodes(platform), [{ code: null }, { code: null }]);
    assert.deepEqual(await waiting(platform), []);
  });

  it('a text message is signed with the platform’s webhook key, over the exact bytes', async () => {
    const { platform, customer } = await scene();
    await send(platform, customer, 'Phone');
    await settle(platform);
    const [delivery] = gateway.received;
    assert.ok(delivery);
    const { v, s } = JSON.parse(String(delivery.headers['x-svc-signature']));
    const key = createPublicKey(platform.webhookPublicKey);
    assert.equal(v, '1');
    assert.ok(verify('sha256', delivery.raw, key, Buffer.from(s, 'base64')));
    const basic = Buffer.from('ada:s3cret').toString('base64');
    assert.equal(delivery.headers.authorization, `Basic ${basic}`);
    const [{ text, reference, ...rest }] = smsBodies();
    assert.match(text, /^Your verification code is \d{6}\./);
    assert.match(reference, /^contact-code:[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      platformId: `Platform:${platform.id}`,
      timestamp: new Date(world.clock.now()).toISOString(),
      to: EUROPEAN.phoneNumber,
      senderName: 'Test platform',
    });
  });

  it('a temporary failure is retried with the same code and reference', async () => {
    const { platform, customer } = await scene();
    mail.refuse({ step: 'recipient', code: 451 });
    gateway.answer({ status: 503 });
    await send(platform, customer, 'Email');
    await send(platform, customer, 'Phone');
    await settle(platform);
    assert.deepEqual((await waiting(platform)).map(({ last_error }) => last_error).sort(), [
      'Error: SMS_URL answers with status 503',
      'Error: the mail server answered 451 to RCPT TO',
    ]);
    const [sealed] = await keptCodes(platform);
    assert.ok(sealed?.code);
    mail.refuse(undefined);
    gateway.answer({ status: 202 });
    world.clock.advance(1_000);
    await settle(platform);
    assert.equal(mail.received.length, 1);
    const [first, second] = smsBodies();
    assert.deepEqual([second.text, second.reference], [first.text, first.reference]);
    assert.equal((await confirm(platform, customer, 'Email', mailedCodes()[0] ?? '')).status, 200);
    assert.deepEqual(await waiting(platform), []);
  });

  it('a permanent refusal is not retried, and 409 means that the message was sent before', async () => {
    const { platform, customer } = await scene();
    mail.refuse({ step: 'recipient', code: 550 });
    gateway.answer({ status: 409 });
    await send(platform, customer, 'Email');
    await send(platform, customer, 'Phone');
    await settle(platform);
    assert.deepEqual(await waiting(platform), []);
    assert.deepEqual(await keptCodes(platform), [{ code: null }, { code: null }]);
    for (const [status, left] of [
      [422, 0],
      [404, 1],
      [302, 1],
    ] as const) {
      world.clock.advance(30_000);
      gateway.answer({ status });
      await send(platform, customer, 'Phone');
      await settle(platform);
      assert.equal((await waiting(platform)).length, left, String(status));
      gateway.answer({ status: 200 });
      world.clock.advance(10_000);
      await settle(platform);
    }
  });

  it('a gateway that does not answer delays no e-mail', { timeout: 60_000 }, async () => {
    const { platform, customer } = await scene();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    gateway.answer(async () => {
      asked.resolve();
      await released.promise;
      return { status: 200 };
    });
    await world.app.worker.settle();
    await send(platform, customer, 'Phone');
    const runner = new JobRunner(world.app.runtime, contactJobs);
    await runner.pump();
    await asked.promise;
    await send(platform, customer, 'Email');
    await runner.pump();
    while (mail.received.length === 0) await turn();
    released.resolve();
    await runner.drain(10_000);
    assert.deepEqual(await waiting(platform), []);
  });

  it('customers.md §3.1, §3.2: a new code voids the previous one, and a pending message with it is not sent', async () => {
    const { platform, customer } = await scene();
    mail.refuse({ step: 'recipient', code: 451 });
    await send(platform, customer, 'Email');
    await settle(platform);
    const early = await send(platform, customer, 'Email');
    assert.deepEqual([early.status, early.headers['retry-after']], [429, '30']);
    world.clock.advance(30_000);
    mail.refuse(undefined);
    await send(platform, customer, 'Email');
    await settle(platform);
    assert.equal(mail.received.length, 1, 'only the newer of the two');
    world.clock.advance(30_000);
    await send(platform, customer, 'Email');
    await settle(platform);
    const [old = '', fresh = ''] = mailedCodes();
    if (old !== fresh) assert.equal((await confirm(platform, customer, 'Email', old)).status, 400);
    assert.equal((await confirm(platform, customer, 'Email', fresh)).status, 200);
  });

  it('customers.md §3.2: a code whose ten minutes are over is not sent', async () => {
    const { platform, customer } = await scene();
    gateway.answer({ status: 500 });
    await send(platform, customer, 'Phone');
    await settle(platform);
    const before = gateway.received.length;
    gateway.answer({ status: 200 });
    world.clock.advance(600_000);
    await settle(platform);
    assert.equal(gateway.received.length, before);
    assert.deepEqual(await waiting(platform), []);
    assert.deepEqual(await keptCodes(platform), [{ code: null }]);
  });

  it('neither codes nor recipients nor credentials are in the log or in any table in the clear', async () => {
    const { platform, customer } = await scene();
    const from = world.logged.length;
    mail.refuse({ step: 'message', code: 451 });
    gateway.answer({ status: 500 });
    await send(platform, customer, 'Email');
    await send(platform, customer, 'Phone');
    await settle(platform);
    const [{ text }] = smsBodies();
    const code = /\d{6}/.exec(text)?.[0] ?? '';
    mail.refuse({ step: 'message', code: 550 });
    world.clock.advance(1_000);
    await settle(platform);
    const log = world.logged.slice(from).join('\n');
    assert.match(log, /a message will not be sent/);
    for (const secret of [code, EUROPEAN.email, EUROPEAN.phoneNumber, 's3cret']) {
      assert.ok(!log.includes(secret), secret);
    }
    for (const table of ['jobs', 'codes', 'audit_log', 'events']) {
      const rows = await world.database.query<{ row: string }>(sql`
        select query_to_xml('select * from ' || ${table}, false, true, '')::text as row`);
      assert.ok(!rows.some(({ row }) => row.includes(`is ${code}`) || row.includes(`>${code}<`)), table);
    }
  });
});
