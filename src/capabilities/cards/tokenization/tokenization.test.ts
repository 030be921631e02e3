// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { issueTokenizationCode, tokenizationJobs } from '#capabilities/cards/tokenization/send-code.ts';
import { verifyTokenizationCode } from '#capabilities/cards/tokenization/verify-code.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import type { MessageChannel } from '#foundation/ports/messages.ts';
import { changedCard, givenCard, givenCardPlatform, givenNewCard } from '#tests/given/cards.ts';
import { refusedFields } from '#tests/given/external-accounts.ts';
import { givenPayer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';
import { allRows, formsOf } from '#tests/harness/table-contents.ts';

const EMAIL = 'ada@example.com';
const PHONE = '+14155550123';
const CODE = '123456';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

const simulate = (platform: TestPlatform, id: string, body: object, more: object = {}) =>
  platform.send('sandboxSimulateCardTokenization', { params: { id }, body, ...more });

describe('codes for adding a card to a phone', () => {
  const world = testWorld();

  async function scene(options: object = {}) {
    const platform = await givenCardPlatform(world, options);
    const payer = await givenPayer(platform, 0);
    const card = await givenCard(platform, payer);
    const ask = async (channel: MessageChannel = 'EMAIL') => {
      const reply = await simulate(platform, card.id, { channel });
      assert.equal(reply.status, 204, reply.raw);
      await world.app.worker.settle(platform.id);
    };
    /** The status, and the reason if the code was wrong. */
    const type = async (code = CODE) => answerOf(await simulate(platform, card.id, { code }));
    return { platform, payer, card, ask, type };
  }

  function answerOf({ status, body }: { status: number; body: object }): string {
    const { code, details } = body as { code?: string; details?: { errors?: { message: string }[] } };
    return [status, code, details?.errors?.[0]?.message].filter((part) => part !== undefined).join(' ');
  }

  const inbox = async (platform: TestPlatform, recipient: string) =>
    (await platform.call('listSandboxMessages', { query: { recipient } })).body.data;

  const configure = async (platform: TestPlatform, cardTokenization2faConfig: unknown) => {
    const reply = await platform.send('updatePlatformConfig', { body: { cardTokenization2faConfig } });
    return { reply, config: (reply.body as Record<string, unknown>).cardTokenization2faConfig };
  };

  it('cards.md §10.1: the configuration merges at every depth, null clears, and later messages use it', async () => {
    const { platform, ask } = await scene();
    await ask();
    assert.match((await inbox(platform, EMAIL))[0]?.text ?? '', /^Test platform\n\nUse this code/);
    await configure(platform, { displayName: 'Acme', email: { subject: 'Code', bodyText: 'Type this:' } });
    const { config } = await configure(platform, { email: { subject: null }, sms: { bodyText: 'Acme:' } });
    assert.deepEqual(config, {
      displayName: 'Acme',
      email: { bodyText: 'Type this:' },
      sms: { bodyText: 'Acme:' },
    });
    await ask();
    await ask('SMS');
    const [mail] = await inbox(platform, EMAIL);
    assert.match(mail?.text ?? '', /^Acme\n\nType this:\n\n123456\n/);
    const [sms] = await inbox(platform, PHONE);
    assert.deepEqual([sms?.text, sms?.channel], ['Acme: 123456', 'SMS']);
    assert.equal((await configure(platform, null)).config, undefined);
  });

  it('cards.md §10.1: values that are too long, not https:// or not an e-mail address are 400, with every bad field', async () => {
    const { platform } = await scene();
    const { reply } = await configure(platform, {
      displayName: 'x'.repeat(256),
      logoUrl: 'http://acme.example/logo.png',
      email: { fromAddress: 'nobody', replyToAddress: '@', bodyText: 'x'.repeat(2001) },
      sms: { templateSid: 'x'.repeat(65), bodyText: 'x'.repeat(481) },
    });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT']);
    const names = ['displayName', 'logoUrl', 'email.fromAddress', 'email.replyToAddress', 'email.bodyText'];
    assert.deepEqual(
      refusedFields(reply as never),
      [...names, 'sms.templateSid', 'sms.bodyText'].map((name) => `cardTokenization2faConfig.${name}`),
    );
    const { config } = await configure(platform, { email: { fromAddress: 'nobody@nowhere.invalid' } });
    assert.deepEqual(config, { email: { fromAddress: 'nobody@nowhere.invalid' } }, 'cards.md §10.3');
  });

  it('cards.md §10.3, §10.5: a code is requested, appears in the inbox, and works once', async () => {
    const { platform, ask, type } = await scene();
    assert.equal(await type(), '400 INVALID_INPUT was never sent for this card');
    for (const [channel, recipient] of [
      ['EMAIL', EMAIL],
      ['SMS', PHONE],
    ] as const) {
      await ask(channel);
      const [message, ...others] = await inbox(platform, recipient);
      assert.deepEqual([message?.channel, others.length], [channel, 0]);
      assert.match(message?.text ?? '', new RegExp(CODE));
      assert.equal(await type(), '204');
      assert.equal(await type(), '400 INVALID_INPUT was used already');
    }
  });

  it('cards.md §10.3: a code is valid for ten minutes', async () => {
    const { ask, type } = await scene();
    await ask();
    world.clock.advance(10 * MINUTE_MS - 1);
    assert.equal(await type('654321'), '400 INVALID_INPUT is wrong');
    world.clock.advance(1);
    assert.equal(await type(), '400 INVALID_INPUT has expired');
    await ask();
    world.clock.advance(10 * MINUTE_MS - 1);
    assert.equal(await type(), '204');
  });

  it('cards.md §10.3: the fifth wrong try voids the code; a new code is not affected', async () => {
    const { ask, type } = await scene();
    await ask();
    for (const wrong of ['654321', '', '12345', '123456 ', '１２３４５６']) {
      assert.equal(await type(wrong), '400 INVALID_INPUT is wrong');
    }
    assert.equal(await type(), '400 INVALID_INPUT is void after too many wrong tries');
    await ask();
    assert.equal(await type('654321'), '400 INVALID_INPUT is wrong');
    assert.equal(await type(), '204');
  });

  it('cards.md §10.3: of many concurrent tries, in two processes, one succeeds and every wrong guess is counted', async () => {
    const { platform, card, ask } = await scene();
    const other = await world.elsewhere(platform);
    const atOnce = (codes: readonly string[]) =>
      Promise.all(
        codes.map(async (code, i) =>
          answerOf(await simulate(i % 2 === 0 ? platform : other, card.id, { code })),
        ),
      );
    await ask();
    const right = await atOnce(Array(10).fill(CODE));
    assert.equal(right.filter((answer) => answer === '204').length, 1);
    assert.equal(right.filter((answer) => answer.endsWith('was used already')).length, 9);
    await ask();
    const wrong = await atOnce(Array(12).fill('654321'));
    assert.equal(wrong.filter((answer) => answer.endsWith('is wrong')).length, 5);
    assert.equal(wrong.filter((answer) => answer.endsWith('too many wrong tries')).length, 7);
  });

  it('cards.md §10.4: only an active card is added to a phone; a code outlives a freeze', async () => {
    const { platform, payer, card, ask, type } = await scene();
    const refused = async (id: string, body: object) => {
      const reply = await simulate(platform, id, body);
      return [reply.status, reply.body.code];
    };
    await ask();
    await changedCard(platform, card.id, { status: 'FROZEN' });
    for (const body of [{ channel: 'EMAIL' }, { code: CODE }]) {
      assert.deepEqual(await refused(card.id, body), [409, 'CONFLICT']);
    }
    await changedCard(platform, card.id, { status: 'ACTIVE' });
    assert.equal(await type(), '204');
    await ask();
    await changedCard(platform, card.id, { status: 'CLOSED' });
    for (const body of [{ channel: 'EMAIL' }, { code: CODE }]) {
      assert.deepEqual(await refused(card.id, body), [409, 'CONFLICT']);
    }
    const waiting = await givenNewCard(platform, payer, { platformCardId: 'card-001' });
    assert.deepEqual(await refused(waiting.id, { channel: 'SMS' }), [409, 'CONFLICT']);
  });

  it('cards.md §10.4: an expired card is not added to a phone', async () => {
    const { platform, card } = await scene();
    world.clock.advance(Date.UTC(card.expYear ?? 0, card.expMonth ?? 0, 1) - world.clock.now());
    const reply = await simulate(platform, card.id, { channel: 'EMAIL' });
    assert.deepEqual([reply.status, reply.body.code], [409, 'CONFLICT']);
    assert.match(String(reply.body.reason), /expired/);
  });

  it('cards.md §10.4: codes of one card are limited by the day, each card by itself, also in two processes', async () => {
    const { platform, payer, card } = await scene({ settings: { cards: { codesPerDay: 3 } } });
    const second = await givenCard(platform, payer);
    const other = await world.elsewhere(platform);
    const channel = 'EMAIL';
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => simulate(i % 2 === 0 ? platform : other, card.id, { channel })),
    );
    assert.equal(replies.filter(({ status }) => status === 204).length, 3);
    const [blocked] = replies.filter(({ status }) => status === 429);
    assert.equal(blocked?.body.code, 'RATE_LIMITED');
    const now = await (await platform.work()).read(async (tx) => tx.now.getTime());
    const untilMidnightMs = DAY_MS - (now % DAY_MS);
    assert.equal(blocked?.headers['retry-after'], String(Math.ceil(untilMidnightMs / SECOND_MS)));
    assert.equal((await simulate(platform, second.id, { channel })).status, 204);
    world.clock.advance(untilMidnightMs - 1);
    assert.equal((await simulate(platform, card.id, { channel })).status, 429);
    world.clock.advance(1);
    for (let i = 0; i < 3; i++) assert.equal((await simulate(platform, card.id, { channel })).status, 204);
    assert.equal((await simulate(platform, card.id, { channel })).status, 429);
  });

  it('cards.md §10.5: a channel for which the cardholder has no address or number is refused', async () => {
    const { platform } = await scene();
    const payer = await givenPayer(platform, 0, { email: undefined, phoneNumber: undefined } as never);
    const card = await givenCard(platform, payer);
    for (const [channel, what] of [
      ['EMAIL', 'e-mail address'],
      ['SMS', 'phone number'],
    ] as const) {
      const reply = await simulate(platform, card.id, { channel });
      assert.equal(answerOf(reply), `400 INVALID_INPUT cannot be used: the cardholder has no ${what}`);
    }
  });

  it('cards.md §10.5: one of channel and code is needed; unknown cards, production and platforms without cards are refused', async () => {
    const { platform, card } = await scene();
    for (const body of [{}, { channel: 'EMAIL', code: CODE }]) {
      assert.deepEqual(refusedFields((await simulate(platform, card.id, body)) as never), [
        'channel',
        'code',
      ]);
    }
    for (const body of [
      { channel: 'PIGEON' },
      { channel: null },
      { code: 123456 },
      { code: 'x'.repeat(65) },
    ]) {
      const reply = await simulate(platform, card.id, body);
      assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], JSON.stringify(body));
    }
    const foreign = await givenCardPlatform(world);
    for (const body of [{ channel: 'SMS' }, { code: CODE }]) {
      assert.equal((await simulate(foreign, card.id, body)).body.code, 'NOT_FOUND');
    }
    const without = await givenCardPlatform(world, { settings: { cards: { enabled: false } } });
    assert.equal((await simulate(without, card.id, { channel: 'SMS' })).body.code, 'NOT_IMPLEMENTED');
    const live = await world.platform({ environment: 'PRODUCTION' });
    assert.equal((await simulate(live, card.id, { channel: 'SMS' })).body.code, 'FORBIDDEN');
  });

  it('cards.md §10.5: an Idempotency-Key replays the answer, and sends or counts nothing again', async () => {
    const { platform, card, type } = await scene();
    for (let i = 0; i < 2; i++) {
      assert.equal((await simulate(platform, card.id, { channel: 'EMAIL' }, { key: 'one' })).status, 204);
    }
    await world.app.worker.settle(platform.id);
    assert.equal((await inbox(platform, EMAIL)).length, 1);
    for (let i = 0; i < 2; i++) {
      assert.equal((await simulate(platform, card.id, { code: CODE }, { key: 'two' })).status, 204);
    }
    assert.equal(await type(), '400 INVALID_INPUT was used already');
  });

  it('cards.md §10.3: each code and each try is audited, without the code itself', async () => {
    const { platform, card, ask, type } = await scene();
    await ask();
    await type('654321');
    await type();
    const rows = await world.database.query<{ action: string; details: object }>(sql`
      select action, details from audit_log
       where platform_id = ${platform.id} and resource = ${card.id} and action like 'card code %' order by at, id`);
    assert.deepEqual(
      rows.map(({ action, details }) => [action, details]),
      [
        ['card code issued', { channel: 'EMAIL' }],
        ['card code typed', { outcome: 'WRONG' }],
        ['card code typed', { outcome: 'RIGHT' }],
      ],
    );
  });

  it('cards.md §10.3: a code is deleted a day after it expired, and with the erasure of its holder', async () => {
    const { platform, payer, card, ask } = await scene();
    const count = async () =>
      (await world.database.query(sql`select 1 from codes where platform_id = ${platform.id}`)).length;
    const work = await platform.work();
    const purge = () =>
      work.write(async (tx) => {
        for (const one of SERVICE.purges) await one(tx, 1_000);
      });
    await ask();
    world.clock.advance(DAY_MS + 10 * MINUTE_MS);
    await purge();
    assert.equal(await count(), 1);
    world.clock.advance(1);
    await purge();
    assert.equal(await count(), 0);
    await ask();
    await changedCard(platform, card.id, { status: 'CLOSED' });
    const deleted = await platform.call('deleteCustomerById', { params: { customerId: payer.id } });
    assert.equal(deleted.status, 200, deleted.raw);
    assert.equal(await count(), 1);
    await work.write((tx) => eraseCustomer(tx, uuidOf(payer.id)));
    assert.equal(await count(), 0);
    assert.deepEqual(await inbox(platform, EMAIL), []);
  });
});

describe('codes for adding a card to a phone, by the operator’s providers', () => {
  const providers: { -readonly [Name in keyof ProviderSettings]: ProviderSettings[Name] } = {};
  let mail: MailServer;
  let gateway: Receiver;
  before(async () => {
    mail = await createMailServer();
    gateway = await createReceiver();
    const from = 'operator@corridor.example';
    providers.email = { host: '127.0.0.1', port: mail.port, encryption: 'none', from };
    providers.sms = { url: gateway.url };
  });
  const world = testWorld({ providers: () => providers });
  after(async () => {
    await mail.close();
    await gateway.close();
  });
  beforeEach(async () => {
    // Messages that a test has not sent.
    await world.app.worker.settle();
    mail.received.length = 0;
    gateway.received.length = 0;
    mail.refuse(undefined);
    gateway.answer({ status: 200 });
  });

  /** A card of the sandbox whose codes are generated and sent as in production. */
  async function scene() {
    const platform = await givenCardPlatform(world, { settings: { cards: { codesPerDay: 10 } } });
    const card = await givenCard(platform, await givenPayer(platform, 0));
    const { runtime, platform: row, actor } = await platform.work();
    const { messages } = runtime.ports('PRODUCTION');
    const live: Runtime = {
      ...runtime,
      ports: (environment) => ({ ...runtime.ports(environment), messages }),
    };
    const work = new Work(live, row, actor);
    const cardId = uuidOf(card.id);
    const send = async () => {
      const runner = new JobRunner(live, tokenizationJobs);
      await runner.pump();
      await runner.drain(10_000);
    };
    const ask = (channel: MessageChannel) => work.write((tx) => issueTokenizationCode(tx, cardId, channel));
    const type = (code: string) => work.write((tx) => verifyTokenizationCode(tx, cardId, code));
    return { platform, work, card, ask, send, type };
  }

  const configure = (platform: TestPlatform, cardTokenization2faConfig: object) =>
    platform.call('updatePlatformConfig', { body: { cardTokenization2faConfig } });
  const smsBodies = () => gateway.received.map(({ raw }) => JSON.parse(raw.toString()));
  const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? '';

  it('cards.md §10.2, §10.3: an e-mail in text and HTML, under the platform’s name, whose six digits are right', async () => {
    const { platform, ask, send, type } = await scene();
    await configure(platform, {
      displayName: 'Acme <Cards>',
      logoUrl: 'https://acme.example/logo.png',
      email: {
        fromAddress: 'codes@acme.example',
        replyToAddress: 'help@acme.example',
        bodyText: 'Type <this>:',
      },
    });
    await ask('EMAIL');
    assert.deepEqual(mail.received, [], 'it is sent after the commit');
    await send();
    const [{ from, to, raw } = { from: '', to: [], raw: '' }, ...others] = mail.received;
    assert.equal(others.length, 0);
    assert.deepEqual([from, to], ['operator@corridor.example', [EMAIL]]);
    assert.match(raw, /^From: .*<codes@acme\.example>\r$/m);
    assert.match(raw, /^Reply-To: help@acme\.example\r$/m);
    assert.match(raw, /^Subject: Your Acme <Cards> code\r$/m);
    const [, text = '', html = ''] = raw.split(/^Content-Type: text\/(?:plain|html).*$/m);
    assert.match(text, /Acme <Cards>\r\n\r\nType <this>:\r\n\r\n\d{6}\r\n/);
    assert.match(html, /<h1>Acme &#60;Cards&#62;<\/h1>/);
    assert.match(html.replace(/=\r\n/g, ''), /Type &#60;this&#62;:/);
    assert.match(
      html.replace(/=\r\n/g, '').replace(/=3D/g, '='),
      /<img src="https:\/\/acme\.example\/logo\.png"/,
    );
    assert.equal(codeIn(html.slice(html.indexOf('<strong>'))), codeIn(text));
    assert.equal(await type(codeIn(text)), 'RIGHT');
  });

  it('cards.md §10.2: a text message with its template, or in words', async () => {
    const { platform, ask, send, type } = await scene();
    await configure(platform, { displayName: 'Acme', sms: { bodyText: 'Acme:' } });
    await ask('SMS');
    await send();
    await configure(platform, { sms: { templateSid: 'HX4711' } });
    world.clock.advance(30 * SECOND_MS);
    await ask('SMS');
    await send();
    const [plain, templated] = smsBodies();
    assert.match(plain.text, /^Acme: \d{6}$/);
    assert.deepEqual([plain.to, plain.senderName, plain.template], [PHONE, 'Acme', undefined]);
    assert.deepEqual(templated.template, { sid: 'HX4711', code: codeIn(templated.text) });
    assert.match(templated.reference, /^card-code:[0-9a-f-]{36}$/);
    assert.equal(await type(codeIn(plain.text)), plain.text === templated.text ? 'RIGHT' : 'WRONG');
    if (plain.text !== templated.text) assert.equal(await type(templated.template.code), 'RIGHT');
  });

  it('cards.md §10.3: a bad sender or template fails that delivery, and nothing else', async () => {
    const { platform, ask, send } = await scene();
    const set = await configure(platform, { email: { fromAddress: 'nobody@nowhere.invalid' } });
    assert.equal(set.status, 200);
    mail.refuse({ step: 'message', code: 554 });
    gateway.answer({ status: 422 });
    await ask('EMAIL');
    await send();
    world.clock.advance(30 * SECOND_MS);
    await ask('SMS');
    await send();
    const left = await world.database.query(sql`
      select 1 from jobs where platform_id = ${platform.id} and kind like 'cards.send-tokenization-code%'`);
    assert.deepEqual(left, []);
    assert.deepEqual(mail.received, []);
    assert.match(world.logged.join('\n'), /a message will not be sent/);
    mail.refuse(undefined);
    world.clock.advance(30 * SECOND_MS);
    await ask('EMAIL');
    await send();
    assert.equal(mail.received.length, 1);
  });

  it('cards.md §10.4: codes of one card are 30 seconds apart, and ten a day', async () => {
    const { ask } = await scene();
    await ask('EMAIL');
    world.clock.advance(30 * SECOND_MS - 1);
    await assert.rejects(ask('SMS'), { code: 'RATE_LIMITED', headers: { 'retry-after': '1' } });
    for (let i = 1; i < 10; i++) {
      world.clock.advance(30 * SECOND_MS);
      await ask('SMS');
    }
    world.clock.advance(30 * SECOND_MS);
    await assert.rejects(ask('SMS'), { code: 'RATE_LIMITED' });
  });

  it('cards.md §10.3: a message that could not be sent is retried with the same code, while the code is valid', async () => {
    const { platform, ask, send, type } = await scene();
    gateway.answer({ status: 503 });
    await ask('SMS');
    await send();
    gateway.answer({ status: 200 });
    world.clock.advance(SECOND_MS);
    await send();
    const [first, second] = smsBodies();
    assert.deepEqual([second.text, second.reference], [first.text, first.reference]);
    assert.equal(await type(codeIn(second.text)), 'RIGHT');
    gateway.received.length = 0;
    gateway.answer({ status: 503 });
    world.clock.advance(MINUTE_MS);
    await ask('SMS');
    await send();
    gateway.answer({ status: 200 });
    world.clock.advance(10 * MINUTE_MS);
    await send();
    assert.equal(gateway.received.length, 1);
    const [row] = await world.database.query<{ code: Buffer | null }>(sql`
      select code from codes where platform_id = ${platform.id}`);
    assert.equal(row?.code, null);
  });

  it('cards.md §10.3: no code is stored or logged in the clear; until it is sent it is encrypted', async () => {
    const { platform, work, ask, send, type } = await scene();
    await ask('EMAIL');
    const columns = await sealedColumns(world.database.query);
    const sealed = columns.find(({ table, column }) => table === 'codes' && column === 'code');
    const [row] = await world.database.query<Record<string, unknown>>(sql`
      select * from codes where platform_id = ${platform.id}`);
    assert.ok(sealed && row);
    const code = work.runtime.vault.openText(row.code as Buffer, sealContext(sealed, row));
    const rows = await allRows(world.database);
    await send();
    await type('x');
    await type(code);
    rows.push(...(await allRows(world.database)));
    assert.deepEqual(
      rows.filter(({ text }) => isIn(text, code)),
      [],
    );
    assert.ok(!world.logged.some((line) => isIn(line, code)));
  });

  /** The code itself, or its bytes, and not some digits of an id or a time. */
  function isIn(text: string, code: string): boolean {
    const [, ...forms] = formsOf(code);
    return (
      new RegExp(`(?<![0-9a-f.-])${code}(?![0-9a-f-])`).test(text) ||
      forms.some((form) => text.includes(form))
    );
  }

  it('cards.md §10.5: without a provider for the channel it is 501, and nothing is stored', async () => {
    const { platform, work, card } = await scene();
    const { runtime, platform: row, actor } = work;
    const messages = { ...work.ports.messages, supports: (channel: MessageChannel) => channel === 'EMAIL' };
    const mailOnly: Runtime = {
      ...runtime,
      ports: (environment) => ({ ...runtime.ports(environment), messages }),
    };
    const ask = new Work(mailOnly, row, actor).write((tx) =>
      issueTokenizationCode(tx, uuidOf(card.id), 'SMS'),
    );
    await assert.rejects(ask, { code: 'NOT_IMPLEMENTED' });
    const kept = await world.database.query(sql`
      select 1 from codes where platform_id = ${platform.id}`);
    assert.deepEqual(kept, []);
  });
});
