// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  confirmContactCode,
  contactJobs,
  issueContactCode,
} from '#capabilities/customers/contacts/contact-verification.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { createWorker } from '#foundation/jobs/worker.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { issueRandomCode, type Message } from '#foundation/ports/messages.ts';
import {
  type CreatedCustomer,
  EUROPEAN,
  fieldsOf,
  givenCustomer,
  givenWithoutWallet,
  PERSON,
} from '#tests/given/customers.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

type Word = 'Email' | 'Phone';
const MINUTE_MS = 60_000;

describe('contact verification', () => {
  const world = testWorld();

  const send = (platform: TestPlatform, { id }: CreatedCustomer, word: Word = 'Email') =>
    platform.call(`sendCustomer${word}Verification`, { params: { customerId: id } });
  const confirm = (
    platform: TestPlatform,
    { id }: CreatedCustomer,
    code: unknown = '123456',
    word: Word = 'Email',
  ) => platform.send(`confirmCustomer${word}Verification`, { params: { customerId: id }, body: { code } });

  async function refusedCode(
    platform: TestPlatform,
    customer: CreatedCustomer,
    code: unknown = '123456',
  ): Promise<void> {
    const reply = await confirm(platform, customer, code);
    assert.equal(reply.status, 400, reply.raw);
    assert.equal(reply.body.code, 'INVALID_INPUT');
    assert.deepEqual(fieldsOf(reply.body), ['code']);
  }

  it('customers.md §3.1: a code is sent with 204 and its confirmation answers with the customer, separately for each channel', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    const sent = await send(platform, customer);
    assert.equal(sent.status, 204);
    assert.equal(sent.raw, '');
    const first = await confirm(platform, customer);
    assert.equal(first.status, 200);
    assert.deepEqual(first.body, {
      ...customer,
      contactVerification: { email: 'VERIFIED', phone: 'PENDING' },
      updatedAt: first.body.updatedAt,
    });
    await send(platform, customer, 'Phone');
    const second = await confirm(platform, customer, '123456', 'Phone');
    assert.deepEqual(second.body.contactVerification, { email: 'VERIFIED', phone: 'VERIFIED' });
  });

  it('customers.md §3.2: the sandbox sends nothing; its inbox shows each message, newest first, by recipient', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    await send(platform, customer);
    world.clock.advance(1000);
    await send(platform, customer, 'Phone');
    await world.app.worker.settle(platform.id);
    const { body } = await platform.call('listSandboxMessages');
    assert.deepEqual(
      body.data.map((message) => [message.channel, message.recipient]),
      [
        ['SMS', EUROPEAN.phoneNumber],
        ['EMAIL', EUROPEAN.email],
      ],
    );
    const [{ sentAt: second }, { sentAt: first }] = body.data;
    assert.equal(Date.parse(second) - Date.parse(first), 1000);
    for (const message of body.data) assert.match(message.text, /\b123456\b/);
    const mine = await platform.call('listSandboxMessages', { query: { recipient: EUROPEAN.email } });
    assert.equal(mine.body.totalCount, 1);
    const nobody = await platform.call('listSandboxMessages', { query: { recipient: 'x@example.com' } });
    assert.deepEqual(nobody.body.data, []);
    const other = await (await world.platform()).call('listSandboxMessages');
    assert.deepEqual(other.body.data, []);
    const live = await world.platform({ environment: 'PRODUCTION' });
    assert.equal((await live.call('listSandboxMessages')).status, 403);
  });

  it('customers.md §3.1: the sandbox allows sending again at once, and every send is a new message', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    for (let i = 0; i < 3; i++) {
      assert.equal((await send(platform, customer)).status, 204);
      await world.app.worker.settle(platform.id);
    }
    const { body } = await platform.call('listSandboxMessages', { query: { limit: 2 } });
    assert.equal(body.totalCount, 3);
    assert.ok(body.hasMore && body.nextCursor);
    assert.equal((await confirm(platform, customer)).status, 200);
  });

  it('customers.md §3.3: send and confirm are 409 if the channel needs no verification or is verified', async () => {
    const platform = await world.platform();
    const elsewhere = await givenCustomer(platform, PERSON);
    const done = await givenCustomer(platform, EUROPEAN);
    await send(platform, done);
    await confirm(platform, done);
    for (const customer of [elsewhere, done]) {
      for (const reply of [await send(platform, customer), await confirm(platform, customer)]) {
        assert.equal(reply.status, 409);
        assert.equal(reply.body.code, 'CONFLICT');
      }
    }
  });

  it('customers.md §3.3: never issued, wrong, used and expired codes and a code of the other channel are 400', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    await refusedCode(platform, customer);
    await send(platform, customer, 'Phone');
    await refusedCode(platform, customer);
    await send(platform, customer);
    for (const wrong of ['123457', '1234567', '000000', ' 123456', 'x'])
      await refusedCode(platform, customer, wrong);
    await send(platform, customer);
    world.clock.advance(10 * MINUTE_MS - 1);
    await refusedCode(platform, customer, 'wrong');
    world.clock.advance(1);
    await refusedCode(platform, customer);
    await send(platform, customer);
    assert.equal((await confirm(platform, customer)).status, 200);
  });

  it('customers.md §3.3: a missing or malformed code is 400', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    await send(platform, customer);
    for (const code of [null, 123456, '', 'x'.repeat(21), ['123456']])
      await refusedCode(platform, customer, code);
    assert.equal((await confirm(platform, customer)).status, 200);
  });

  it('customers.md §3.2: the sandbox accepts 123456 after any number of wrong codes, sequential or concurrent', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    await send(platform, customer);
    for (let i = 0; i < 6; i++) await refusedCode(platform, customer, '654321');
    await Promise.all(Array.from({ length: 6 }, (_, i) => refusedCode(platform, customer, `77777${i}`)));
    assert.equal((await confirm(platform, customer)).status, 200);
  });

  it('customers.md §3.2: in production five wrong tries void a code; a new code has five tries again', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenCustomer(platform, EUROPEAN);
    const { issue, attempt } = await listCodes(platform, customer);
    const first = await issue();
    for (let i = 0; i < 5; i++) assert.equal(await attempt(wrongFor(first)), false);
    assert.equal(await attempt(first), false, 'void');
    world.clock.advance(30_000);
    const second = await issue();
    for (let i = 0; i < 4; i++) assert.equal(await attempt(wrongFor(second)), false);
    assert.equal(await attempt(second), true);
  });

  it('customers.md §3.2: parallel guesses cannot bypass the count of wrong tries', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenCustomer(platform, EUROPEAN);
    const { issue, attempt } = await listCodes(platform, customer);
    const code = await issue();
    await Promise.all(Array.from({ length: 12 }, () => attempt(wrongFor(code))));
    const [row] = await world.database.query<{ wrong_tries: number }>(sql`
      select wrong_tries from codes where platform_id = ${platform.id}`);
    assert.equal(row?.wrong_tries, 5);
    assert.equal(await attempt(code), false);
  });

  const wrongFor = (code: string) => (code === '654321' ? '123456' : '654321');

  /** Issues email codes as production does, and tries some; true: the code was right. */
  async function listCodes(platform: TestPlatform, customer: CreatedCustomer) {
    const { work, deliver, sent } = await withProvider(platform);
    const id = uuidOf(customer.id);
    return {
      async issue(): Promise<string> {
        await work.write((tx) => issueContactCode(tx, id, 'EMAIL'));
        await deliver();
        return /\b\d{6}\b/.exec(sent.at(-1)?.text ?? '')?.[0] ?? '';
      },
      async attempt(code: string): Promise<boolean> {
        const answer = work.write((tx) => confirmContactCode(tx, id, 'EMAIL', code));
        return !((await answer.catch((error) => error)) instanceof Refusal);
      },
    };
  }

  it('customers.md §3.1: of two parallel confirms of one code one succeeds', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    await send(platform, customer);
    const replies = await Promise.all([confirm(platform, customer), confirm(platform, customer)]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 409]);
  });

  it("customers.md §1.1: unknown and other platforms' customers are 404; VIEW is not enough", async () => {
    const platform = await world.platform();
    const foreign = await givenCustomer(await world.platform(), EUROPEAN);
    for (const reply of [await send(platform, foreign), await confirm(platform, foreign)]) {
      assert.equal(reply.status, 404);
      assert.equal(reply.body.code, 'CUSTOMER_NOT_FOUND');
    }
    const viewer = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await send(viewer, foreign)).status, 403);
    assert.equal(
      (
        await platform.call('sendCustomerEmailVerification', {
          params: { customerId: foreign.id },
          as: 'nobody',
        })
      ).status,
      401,
    );
  });

  it('customers.md §3.2, §9: production sends six random digits, at most every 30 s, and a new code voids the old', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenCustomer(platform, EUROPEAN);
    const { work, deliver, sent } = await withProvider(platform);
    const id = uuidOf(customer.id);
    await work.write((tx) => issueContactCode(tx, id, 'EMAIL'));
    await deliver();
    world.clock.advance(29_999);
    await assert.rejects(
      work.write((tx) => issueContactCode(tx, id, 'EMAIL')),
      (error: Refusal) => {
        assert.equal(error.code, 'RATE_LIMITED');
        assert.equal(error.headers['retry-after'], '1');
        return true;
      },
    );
    await work.write((tx) => issueContactCode(tx, id, 'PHONE'));
    world.clock.advance(1);
    await work.write((tx) => issueContactCode(tx, id, 'EMAIL'));
    await deliver();
    const codes = sent
      .filter(({ channel }) => channel === 'EMAIL')
      .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? '');
    assert.equal(codes.length, 2);
    assert.ok(codes.every((code) => /^\d{6}$/.test(code)));
    const [old = '', fresh = ''] = codes;
    if (old !== fresh) {
      assert.ok((await work.write((tx) => confirmContactCode(tx, id, 'EMAIL', old))) instanceof Refusal);
    }
    assert.ok(!((await work.write((tx) => confirmContactCode(tx, id, 'EMAIL', fresh))) instanceof Refusal));
  });

  it('customers.md §3.2: a changed address does not shorten the pause, and the old address’s code is not sent', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenWithoutWallet(platform);
    const { work, deliver, sent } = await withProvider(platform);
    const issue = () => work.write((tx) => issueContactCode(tx, uuidOf(customer.id), 'EMAIL'));
    await issue();
    const body = { customerType: 'INDIVIDUAL', email: 'noether@example.com' };
    await platform.call('updateCustomerById', { params: { customerId: customer.id }, body });
    world.clock.advance(29_999);
    await assert.rejects(issue(), (error: Refusal) => error.code === 'RATE_LIMITED');
    world.clock.advance(1);
    await issue();
    await deliver();
    assert.deepEqual(
      sent.map(({ recipient }) => recipient),
      ['noether@example.com'],
    );
  });

  it('a message goes to the provider after the commit, once per reference, and then its code is deleted', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenCustomer(platform, EUROPEAN);
    const id = uuidOf(customer.id);
    const { work, deliver, sent } = await withProvider(platform, { failures: 1 });
    await work.write((tx) => issueContactCode(tx, id, 'EMAIL'));
    assert.equal(sent.length, 0);
    await deliver();
    world.clock.advance(MINUTE_MS);
    await deliver();
    assert.equal(sent.length, 2);
    assert.equal(sent[0]?.reference, sent[1]?.reference);
    const [row] = await world.database.query<{ code: Buffer | null }>(sql`
      select code from codes where platform_id = ${platform.id}`);
    assert.deepEqual(row, { code: null });
  });

  it('customers.md §3.1: a code that was replaced before its message went out is never sent', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform, EUROPEAN);
    await send(platform, customer);
    await send(platform, customer);
    await world.app.worker.settle(platform.id);
    const { body } = await platform.call('listSandboxMessages');
    assert.equal(body.totalCount, 1);
  });

  it('customers.md §3.2: a code that expired before its message went out is never sent, and its text is deleted', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const customer = await givenCustomer(platform, EUROPEAN);
    const { work, deliver, sent } = await withProvider(platform);
    await work.write((tx) => issueContactCode(tx, uuidOf(customer.id), 'EMAIL'));
    world.clock.advance(10 * MINUTE_MS);
    await deliver();
    assert.deepEqual(sent, []);
    const rows = await world.database.query(sql`
      select code from codes where platform_id = ${platform.id}`);
    assert.deepEqual(rows, [{ code: null }]);
  });

  it('customers.md §3.2: codes are random', () => {
    const codes = new Set(Array.from({ length: 50 }, () => issueRandomCode('CONTACT_EMAIL').code));
    assert.ok(codes.size > 40);
  });

  /** The platform's work and worker, with a message provider that a test can inspect. */
  async function withProvider(platform: TestPlatform, { failures = 0 } = {}) {
    const plain = await platform.work();
    const { runtime } = plain;
    const sent: Message[] = [];
    let left = failures;
    const messages = {
      ...runtime.ports('PRODUCTION').messages,
      supports: () => true,
      issueCode: issueRandomCode,
      async send(message: Message) {
        sent.push(message);
        if (left-- > 0) throw new Error('the provider is away');
        return 'sent' as const;
      },
    };
    const wired = {
      ...runtime,
      ports: (environment: 'SANDBOX' | 'PRODUCTION') => ({ ...runtime.ports(environment), messages }),
    };
    const worker = createWorker([new JobRunner(wired, contactJobs)]);
    const work = new Work(wired, plain.platform, plain.actor);
    return { work, sent, deliver: () => worker.settle(platform.id) };
  }
});
