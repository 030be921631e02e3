// lane: whole — searches every table for erased values

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { loadAttention } from '#app/attention.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { destroyKey } from '#capabilities/erasure/destroy-key.ts';
import { receiveArrival } from '#capabilities/payments/incoming/receive-deposit.ts';
import { resendMatching } from '#edge/webhooks/resend-matching.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { emit } from '#foundation/events/emit.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import { HOLDER } from '#tests/checks/external-account-examples.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { givenAgentQuote, sendAs } from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent } from '#tests/given/agents.ts';
import { givenCard, givenCardPlatform } from '#tests/given/cards.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { buildAccountRequest } from '#tests/given/external-accounts.ts';
import { csvForm, personRow, renderCsv } from '#tests/given/imports.ts';
import {
  BUSINESS_PAPERS,
  documentFields,
  documentForm,
  FULL_BUSINESS,
  ownerBody,
} from '#tests/given/packets.ts';
import {
  advance,
  fetchBalance,
  fetchPayer,
  givenFunds,
  givenPayer,
  givenPlatform,
  type Payer,
} from '#tests/given/payments.ts';
import { purchaseBody, simulated } from '#tests/given/purchases.ts';
import { lookedUp, quoteBody } from '#tests/given/quotes.ts';
import { EventListener } from '#tests/harness/event-listener.ts';
import { type Call, TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Answer } from '#tests/harness/receiver.ts';
import { allRows, formsOf, openedValues } from '#tests/harness/table-contents.ts';

/** Unique words that nothing else in the database contains. */
const MARKS = [
  'Zebulon',
  'zebulon',
  'Quixworth',
  'quixworth',
  'Quixtown',
  '+14155559876',
  '1983-07-19',
  'zq-reference',
  '219-09-9461',
  'DE89370400440532013000',
  '203.0.113.199',
];

const ZEBULON = {
  ...PERSON,
  fullName: 'Zebulon Quixworth',
  birthDate: '1983-07-19',
  email: 'zebulon@quixworth.example',
  phoneNumber: '+14155559876',
  address: { line1: '7 Quixworth Lane', city: 'Quixtown', state: 'CA', postalCode: '94199', country: 'US' },
  identifier: '219-09-9461',
  platformCustomerId: 'zq-reference-7',
};

describe('traces of a customer after an erasure', () => {
  const world = testWorld();

  async function findTraces(marks: readonly string[] = MARKS): Promise<string[]> {
    const rows = [
      ...(await allRows(world.database)),
      ...(await openedValues(world.database, world.app.runtime)),
    ];
    const found = rows.flatMap(({ table, text }) =>
      marks
        .filter((mark) => formsOf(mark).some((form) => text.includes(form)))
        .map((mark) => `${table}: ${mark}`),
    );
    return [...new Set(found)].sort();
  }

  let keys = 0;
  const calls: { platform: TestPlatform; operation: string; call: Call; status: number }[] = [];
  /** A call with its own key, which is repeated after the erasure. */
  async function keyed(platform: TestPlatform, operation: string, call: Call = {}) {
    const withKey = { ...call, key: `erased-${++keys}` };
    const reply = await platform.send(operation, withKey);
    assert.ok(reply.status < 300, `${operation}: ${reply.raw}`);
    calls.push({ platform, operation, call: withKey, status: reply.status });
    return reply.body as never as Record<string, never> & { id: string };
  }

  /** Pays the person's balance to another customer. */
  async function emptied(platform: TestPlatform, from: Payer, to: Payer): Promise<void> {
    const left = await fetchBalance(platform, from, 'USD');
    const body = quoteBody({ from: from.account('USD').id, to: to.account('USD').id, send: left });
    const quote = await platform.call('createQuote', { body });
    assert.equal(quote.status, 201, quote.raw);
    const done = await platform.call('executeQuote', { params: { quoteId: quote.body.id } });
    assert.equal(done.status, 200, done.raw);
    assert.equal(await fetchBalance(platform, from, 'USD'), 0);
  }

  async function remove(platform: TestPlatform, customerId: string): Promise<void> {
    const deleted = await platform.call('deleteCustomerById', { params: { customerId } });
    assert.equal(deleted.status, 200, deleted.raw);
  }

  /** Money from the person for a closed account, so that it stays in SUSPENSE. */
  async function depositLate(platform: TestPlatform, zebulon: Payer): Promise<void> {
    const accountId = uuidOf(zebulon.account('USD').id);
    const arrival = { accountId, amount: 500n, currency: 'USD', rail: 'ACH', providerReference: 'BR-1' };
    const originator = { accountHolderName: 'Zebulon Quixworth' };
    const work = await platform.work();
    await work.write((tx) => receiveArrival(tx, { ...arrival, reference: 'From Quixworth', originator }));
    const kept = (await findTraces()).filter((found) => found.startsWith('payment_receipts'));
    assert.deepEqual(kept, [
      'payment_receipts.sender: Quixworth',
      'payment_receipts.sender: Zebulon',
      'payment_receipts.stated_reference: Quixworth',
    ]);
  }

  async function erase(platform: TestPlatform, customerId: string): Promise<void> {
    await remove(platform, customerId);
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, uuidOf(customerId)));
  }

  /** All of a platform's events with their content, as the API returns them. */
  async function shownEvents(platform: TestPlatform) {
    const shown = [];
    for (let cursor: string | undefined; ; ) {
      const page = await platform.call('listEvents', { query: { limit: 100, ...(cursor && { cursor }) } });
      for (const { id } of page.body.data) {
        shown.push(await platform.call('getEventById', { params: { eventId: id } }));
        shown.push(await platform.call('listEventAttempts', { params: { eventId: id } }));
      }
      if (!page.body.hasMore) return shown;
      cursor = page.body.nextCursor;
    }
  }

  it('customers.md §2.4.26b: a business with its owners and documents leaves nothing either', async () => {
    const platform = await world.platform({ settings: { requestLogBodies: true } });
    const receiver = await platform.receive();
    receiver.answer(({ body }) => ({ status: 500, body }));
    const businessInfo = {
      ...FULL_BUSINESS.businessInfo,
      legalName: 'Quixworth Engines',
      taxId: '219-09-9461',
    };
    const business = await keyed(platform, 'createCustomer', {
      body: {
        ...FULL_BUSINESS,
        ...{ businessInfo, email: 'office@quixworth.example', platformCustomerId: 'zq-reference-8' },
        address: ZEBULON.address,
      },
    });
    for (const type of BUSINESS_PAPERS) {
      const form = documentForm(documentFields(business.id, type, { documentNumber: 'zq-reference-9' }));
      await keyed(platform, 'uploadDocument', { body: form });
    }
    const { firstName, lastName, birthDate } = {
      firstName: 'Zebulon',
      lastName: 'Quixworth',
      birthDate: '1983-07-19',
    };
    await keyed(platform, 'createBeneficialOwner', {
      body: ownerBody(business.id, { firstName, lastName, birthDate, address: ZEBULON.address }),
    });
    await keyed(platform, 'createVerification', { body: { customerId: business.id } });
    await world.app.worker.settle(platform.id);
    await advance(platform, 10);
    assert.ok((await findTraces()).some((found) => found.startsWith('events.payload')));
    await erase(platform, business.id);
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await findTraces(), []);
    for (const { platform: caller, operation, call } of calls.filter((one) => one.platform === platform)) {
      const again = await caller.send(operation, call);
      for (const mark of MARKS) assert.ok(!again.raw.includes(mark), `${mark} in ${operation} ${again.raw}`);
      // An upload checks its holder before its idempotency key.
      const expected =
        operation === 'uploadDocument' ? [404, 'DOCUMENT_HOLDER_NOT_FOUND'] : [410, 'CUSTOMER_DELETED'];
      assert.deepEqual([again.status, again.body.code], expected, operation);
    }
  });

  /** A customer with an event, the call that created it and an endpoint. */
  async function givenTold(answer: Answer = { status: 200 }) {
    const platform = await givenPlatform(world);
    const receiver = await platform.receive();
    await world.app.worker.settle(platform.id);
    receiver.received.splice(0);
    receiver.answer(answer);
    const call = { body: { ...ZEBULON }, key: 'made' };
    const made = await platform.call('createCustomer', call);
    assert.equal(made.status, 201, made.raw);
    const { data } = (
      await platform.call('listEvents', {
        query: { resourceId: made.body.id, type: 'CUSTOMER.KYC_APPROVED' },
      })
    ).body;
    const [event] = data;
    assert.ok(event);
    return { platform, receiver, call, customerId: made.body.id, eventId: event.id };
  }

  it('customers.md §2.4.26b, platform.md §4.7.4: an event keeps its id, type and times, is returned empty and never sent', async () => {
    const { platform, receiver, customerId, eventId } = await givenTold({ status: 500 });
    const listener = await new EventListener().begin(platform);
    const params = { eventId };
    await world.app.worker.settle(platform.id);
    const before = (await platform.call('getEventById', { params })).body;
    assert.deepEqual(
      [before.state, (before.data as { fullName: string }).fullName],
      ['PENDING', ZEBULON.fullName],
    );
    await platform.call('resendEvent', { params });
    await erase(platform, customerId);
    const { body: after } = await platform.call('getEventById', { params });
    const { nextAttemptAt: _, ...rest } = before;
    assert.deepEqual(after, {
      ...rest,
      ...{ state: 'SKIPPED', data: {}, erasedAt: new Date(world.clock.now()).toISOString() },
    });
    const listed = await platform.call('listEvents', { query: { resourceId: customerId } });
    assert.deepEqual(
      listed.body.data.map(({ erasedAt }) => typeof erasedAt),
      ['string'],
    );
    const refused = await platform.call('resendEvent', { params });
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
    receiver.received.splice(0);
    receiver.answer({ status: 200 });
    await platform.call('resendFailedEvents', { body: { since: before.createdAt, includeSkipped: true } });
    await advance(platform, 24 * 3_600);
    await listener.hear(platform);
    const sent = receiver.received.filter(({ body }) => body.id === eventId);
    assert.deepEqual([sent, [...listener.heard.values()].filter(({ id }) => id === eventId)], [[], []]);
  });

  it('customers.md §2.4.26b: an event in delivery at that moment is not retried, and its response is not stored', async () => {
    const hold = Promise.withResolvers<void>();
    const { platform, receiver, customerId, eventId } = await givenTold();
    receiver.answer(async ({ body }) => {
      await hold.promise;
      return { status: 500, body };
    });
    const settling = world.app.worker.settle(platform.id);
    await receiver.until((received) => received.some(({ body }) => body.id === eventId));
    await erase(platform, customerId);
    hold.resolve();
    await settling;
    await advance(platform, 3_600);
    assert.equal(receiver.received.filter(({ body }) => body.id === eventId).length, 1);
    const { body } = await platform.call('listEventAttempts', { params: { eventId } });
    assert.deepEqual(
      body.data.map(({ responseBody }) => responseBody),
      body.data.map(() => undefined),
    );
    assert.equal((await platform.call('getEventById', { params: { eventId } })).body.state, 'SKIPPED');
    assert.deepEqual(await findTraces(), []);
  });

  it('platform.md §2.5a: a reply stored after the erasure by an earlier call is also 410, and is deleted ten minutes later', async () => {
    const { platform, call, customerId } = await givenTold();
    const [stored] = await world.database.query<{ reply: Buffer }>(sql`
      select reply from idempotency_keys where platform_id = ${platform.id} and key = 'made'`);
    await erase(platform, customerId);
    await world.database.query(sql`
      update idempotency_keys set reply = ${stored?.reply} where platform_id = ${platform.id} and key = 'made'`);
    const replayed = await platform.call('createCustomer', call);
    assert.deepEqual([replayed.status, replayed.body.code], [410, 'CUSTOMER_DELETED']);
    assert.match(replayed.body.reason, /has already taken effect/);
    const other = await platform.call('createCustomer', { ...call, body: PERSON });
    assert.equal(other.status, 409, 'another body is still a conflict');
    await advance(platform, 601);
    assert.deepEqual(await findTraces(), []);
    assert.equal((await platform.call('createCustomer', call)).status, 410);
    const customers = await world.database.query(sql`
      select from customers where platform_id = ${platform.id}`);
    assert.equal(customers.length, 1, 'the call had no second effect');
  });

  it('customers.md §2.4.26b: an event committed right after by a transaction that had read before is emptied, later ones are not', async () => {
    const { platform, receiver, customerId } = await givenTold();
    const work = await platform.work();
    const tell = (data: object) =>
      work.write(async (tx) => emit(tx, { type: 'CUSTOMER.KYC_PENDING', resourceId: customerId, data }));
    await erase(platform, customerId);
    receiver.answer({ status: 500 });
    const late = await tell({ id: customerId, fullName: ZEBULON.fullName });
    await advance(platform, 120);
    const later = await (await platform.work()).write(async (tx) =>
      emit(tx, { type: 'CUSTOMER.KYC_PENDING', resourceId: customerId, data: { id: customerId } }),
    );
    await advance(platform, 500);
    const shown = async (eventId: string) =>
      (await platform.call('getEventById', { params: { eventId } })).body;
    assert.deepEqual([(await shown(late)).data, (await shown(later)).data], [{}, { id: customerId }]);
    assert.deepEqual(await findTraces(), []);
  });

  it('customers.md §2.4.26b: customers erased by an earlier version are processed again after the upgrade', async () => {
    const { platform, customerId, eventId } = await givenTold();
    const kept = await world.database.query<{ payload: Buffer; reply: Buffer }>(sql`
      select e.payload, k.reply from events e join idempotency_keys k on k.platform_id = e.platform_id and k.key = 'made'
       where e.platform_id = ${platform.id} and e.id = ${uuidOf(eventId)}`);
    await erase(platform, customerId);
    const [{ payload, reply }] = kept as [{ payload: Buffer; reply: Buffer }];
    await world.database.query(sql`
      update events set payload = ${payload}, facts = null, erased_at = null
       where platform_id = ${platform.id} and id = ${uuidOf(eventId)}`);
    await world.database.query(sql`
      update idempotency_keys set reply = ${reply} where platform_id = ${platform.id} and key = 'made'`);
    await world.database.query(sql`delete from jobs where platform_id = ${platform.id}`);
    assert.notDeepEqual(await findTraces(), []);
    const migration = await readFile('migrations/0044_erased_events.sql', 'utf8');
    const [, statement = ''] = /(insert into jobs[^;]+);/.exec(migration) ?? [];
    const at = `'${new Date(world.clock.now()).toISOString()}'::timestamptz`;
    await world.database.query(
      rawSql(`${statement.replaceAll('now()', at)} and c.platform_id = '${platform.id}'`),
    );
    await world.app.worker.settle(platform.id);
    assert.deepEqual(await findTraces(), []);
  });

  it('customers.md §2.4.26b: very many events are emptied in the same commit, and no other customer’s', async () => {
    const { platform, call, customerId } = await givenTold();
    const other = await platform.call('createCustomer', { body: { ...PERSON }, key: 'other' });
    const elsewhere = await givenTold();
    await world.database.query(sql`
      insert into events (platform_id, id, type, resource_id, facts, created_at, state, finished_at)
      select ${platform.id}, gen_random_uuid(), 'CUSTOMER.KYC_PENDING', ${customerId}, '{"name": "Zebulon"}', now(),
             'DELIVERED', now()
        from generate_series(1, 4500)`);
    await erase(platform, customerId);
    const counted = await world.database.query(sql`
      select count(*)::integer as events, count(erased_at)::integer as erased from events
       where platform_id = ${platform.id} and resource_id = ${customerId} and (facts = '{}' or payload is null)`);
    assert.deepEqual(counted, [{ events: 4501, erased: 4501 }]);
    const again = await platform.call('createCustomer', { body: { ...PERSON }, key: 'other' });
    assert.deepEqual([again.status, again.raw], [201, other.raw]);
    const told = await platform.call('listEvents', { query: { resourceId: other.body.id } });
    assert.ok(told.body.data.every(({ erasedAt }) => erasedAt === undefined));
    const kept = await elsewhere.platform.call('getEventById', { params: { eventId: elsewhere.eventId } });
    assert.equal((kept.body.data as { fullName: string }).fullName, ZEBULON.fullName);
    assert.equal((await elsewhere.platform.call('createCustomer', call)).status, 201);
    await erase(elsewhere.platform, elsewhere.customerId);
  });

  it('customers.md §2.4.26b: a person with data in every area leaves nothing in any column, sealed or not', async () => {
    const platform = await givenCardPlatform(world, { settings: { requestLogBodies: true } });
    const receiver = await platform.receive();
    // The receiver's response echoes the request.
    receiver.answer(({ body }) => ({ status: body.type === 'CARD.STATUS_CHANGE' ? 500 : 200, body }));
    const domain = (await givenCustomer(platform)).umaAddress.split('@')[1];
    const consent = { acceptedAt: '2026-03-01T00:00:00Z', ipAddress: '203.0.113.199', termsVersion: 'V1' };
    const created = await keyed(platform, 'createCustomer', {
      body: {
        ...ZEBULON,
        umaAddress: `$zebulon@${domain}`,
        endUserTermsConsent: { ...consent, acceptanceMethod: 'CHECKBOX' },
      },
    });
    const zebulon = await fetchPayer(platform, created);
    const other = await givenPayer(platform, 500_000, { platformCustomerId: 'somebody-else' });
    const params = { customerId: zebulon.id };
    await givenFunds(platform, zebulon.account('USD').id, 100_000);
    const holder = { ...HOLDER, fullName: 'Zebulon Quixworth' };
    const bank = await keyed(platform, 'createCustomerExternalAccount', {
      body: {
        ...buildAccountRequest(
          'EUR_ACCOUNT',
          { iban: 'DE89370400440532013000', beneficiary: holder },
          params,
        ),
        platformAccountId: 'zq-reference-bank',
      },
    });
    await world.app.worker.settle(platform.id);
    const ours = inCurrency(await platformAccounts(platform), 'USD');
    await givenFunds(platform, ours.id, 100_000);
    // Payments to the bank and to another customer, and from another customer to the person's address and bank.
    for (const [from, to] of [
      [zebulon.account('USD').id, bank.id],
      [zebulon.account('USD').id, other.account('USD').id],
      [other.account('USD').id, `$zebulon@${domain}`],
      [ours.id, bank.id],
    ] as const) {
      const lookup = to.startsWith('$') ? { lookupId: await lookedUp(platform, to) } : {};
      const quote = await keyed(platform, 'createQuote', {
        body: quoteBody({
          ...{ from, to, send: 10_000 },
          more: { description: from === zebulon.account('USD').id ? 'Rent of Zebulon' : 'Rent', ...lookup },
        }),
      });
      await keyed(platform, 'executeQuote', { params: { quoteId: quote.id } });
    }
    await advance(platform, 10);
    // An incoming payment with the payer's name.
    await keyed(platform, 'sandboxReceive', {
      body: {
        senderUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
        customerId: zebulon.id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 5_000,
      },
    });
    await advance(platform, 10);
    const card = await givenCard(platform, zebulon, { platformCardId: 'zq-reference-card' });
    const bought = await simulated(world, platform, card.id, 'authorization', purchaseBody(1_500));
    await simulated(world, platform, card.id, 'clearing', {
      cardTransactionId: publicId('Transaction', bought.id),
      amount: 1_500,
    });
    const agent = await givenConnectedAgent(platform, zebulon, APPROVAL);
    await platform.call('updateAgent', { params: { agentId: agent.id }, body: { name: 'Zebulon’s booker' } });
    const wish = { from: zebulon.account('USD').id, to: bank.id, send: 1_000 };
    const asked = await givenAgentQuote(platform, agent, { ...wish, more: { description: 'For Zebulon' } });
    const action = await sendAs(platform, agent, 'agentExecuteQuote', {
      params: { quoteId: asked.id },
      key: 'agent-1',
    });
    assert.ok(action.status < 300, action.raw);
    await keyed(platform, 'rejectAgentAction', {
      params: { agentId: agent.id, actionId: action.body.id },
      body: { reason: 'Zebulon says no' },
    });
    const invitation = await keyed(platform, 'createInvitation', {
      body: { inviterUma: `$zebulon@${domain}`, firstName: 'Quixworth' },
    });
    await keyed(platform, 'claimInvitation', {
      params: { invitationCode: invitation.code as unknown as string },
      body: { inviteeUma: '$friend@elsewhere.example' },
    });
    await keyed(platform, 'uploadCustomersCsv', {
      body: csvForm(renderCsv([personRow(1, { platformCustomerId: 'zq-reference-7' }), personRow(2)])),
    });
    await world.app.worker.settle(platform.id);
    assert.ok(
      (await findTraces()).some((found) => found.startsWith('events.payload')),
      'the search finds existing data',
    );
    // All money is withdrawn before the deletion.
    await platform.call('updateCardById', { params: { id: card.id }, body: { status: 'CLOSED' } });
    await advance(platform, 3_600);
    await emptied(platform, zebulon, other);
    await advance(platform, 10);
    await remove(platform, zebulon.id);
    await depositLate(platform, zebulon);
    await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(zebulon.id)));
    assert.deepEqual(await findTraces(), []);
    for (const { raw } of await shownEvents(platform)) {
      for (const mark of MARKS) assert.ok(!raw.includes(mark), `${mark} in ${raw}`);
    }
    for (const { operation, call } of calls.filter((one) => one.platform === platform)) {
      const again = await platform.send(operation, call);
      for (const mark of MARKS) assert.ok(!again.raw.includes(mark), `${mark} in ${operation} ${again.raw}`);
      assert.ok(
        again.status === 410 || again.headers['idempotency-replayed'] === 'true',
        `${operation} ${again.raw}`,
      );
    }
    const first = calls.find((one) => one.platform === platform);
    const replay = await platform.send(first?.operation ?? '', first?.call);
    assert.deepEqual([replay.status, replay.body.code], [410, 'CUSTOMER_DELETED']);
    receiver.answer({ status: 200 });
    receiver.received.splice(0);
    await platform.call('resendFailedEvents', {
      body: { since: '2020-01-01T00:00:00.000Z', includeSkipped: true },
    });
    await advance(platform, 3_600);
    for (const { raw } of receiver.received) {
      for (const mark of MARKS) assert.ok(!String(raw).includes(mark), mark);
    }
    assert.deepEqual(await findTraces(), []);
    assert.deepEqual(
      world.logged.filter((line) => MARKS.some((mark) => line.includes(mark))),
      [],
    );
  });

  it('customers.md §2.4.26b: the sender of money for a deleted customer is erased', async () => {
    const platform = await givenPlatform(world);
    const made = await platform.call('createCustomer', { body: ZEBULON });
    const zebulon = await fetchPayer(platform, made.body as never);
    await remove(platform, zebulon.id);
    await depositLate(platform, zebulon);
    const work = await platform.work();
    await work.write((tx) => eraseCustomer(tx, uuidOf(zebulon.id)));
    assert.deepEqual(await findTraces(), []);
  });

  it('customers.md §2.4.26d: money that arrives for a customer whose key is destroyed is kept in SUSPENSE', async () => {
    const platform = await givenPlatform(world);
    const erased = await givenPayer(platform, 0);
    await erase(platform, erased.id);
    await destroyKey(await platform.work(), uuidOf(erased.id));
    const accountId = uuidOf(erased.account('USD').id);
    const arrival = { accountId, amount: 700n, currency: 'USD', rail: 'ACH', providerReference: 'BR-late' };
    const originator = { accountHolderName: 'Somebody Else' };
    const work = await platform.work();
    await work.write((tx) => receiveArrival(tx, { ...arrival, reference: 'late', originator }));
    const kept = await world.database.query<{ sender: Buffer | null }>(sql`
      select sender from payment_receipts
       where platform_id = ${platform.id} and provider_reference = 'BR-late'`);
    assert.equal(kept.length, 1);
    const [holder] = readReferences(kept[0]?.sender ?? Buffer.alloc(0));
    assert.equal(
      holder?.person,
      strangersOf(world.app.runtime.vault, platform.id, new Date(world.clock.now())),
    );
  });

  /** A customer with an address, whom another customer is about to pay. */
  async function givenQuoteToZebulon() {
    const platform = await givenPlatform(world);
    const receiver = await platform.receive();
    const domain = (await givenCustomer(platform)).umaAddress.split('@')[1];
    const to = `$zebulon@${domain}`;
    const made = await platform.call('createCustomer', { body: { ...ZEBULON, umaAddress: to } });
    const zebulon = await fetchPayer(platform, made.body as never);
    const other = await givenPayer(platform, 500_000, { platformCustomerId: 'somebody-else' });
    await world.app.worker.settle(platform.id);
    const lookupId = await lookedUp(platform, to);
    const quote = await platform.call('createQuote', {
      body: quoteBody({
        ...{ from: other.account('USD').id, to, send: 10_000 },
        more: { description: 'Rent', lookupId },
      }),
    });
    assert.equal(quote.status, 201, quote.raw);
    await world.app.worker.settle(platform.id);
    const execute = async () => {
      const done = await platform.call('executeQuote', { params: { quoteId: quote.body.id } });
      assert.equal(done.status, 200, done.raw);
    };
    return { platform, receiver, zebulon, other, transactionId: quote.body.transactionId, execute };
  }

  for (const status of [500, 200]) {
    it(`customers.md §2.4.26b: an event of another customer’s payment that is in delivery, and answered ${status}, leaves nothing`, async () => {
      const { platform, receiver, zebulon, other, transactionId, execute } = await givenQuoteToZebulon();
      const hold = Promise.withResolvers<void>();
      let isHeld = true;
      const isCompleted = ({ body }: { body: { type?: unknown } }) =>
        body.type === 'OUTGOING_PAYMENT.COMPLETED';
      receiver.answer(async ({ body }) => {
        if (!isCompleted({ body }) || !isHeld) return { status: 200, body };
        await hold.promise;
        return { status, body };
      });
      await execute();
      const settling = advance(platform, 10);
      await receiver.until((received) => received.some(isCompleted));
      await emptied(platform, zebulon, other);
      // The worker waits for the response; meanwhile its other work is triggered repeatedly.
      const pump = setInterval(() => void world.app.worker.settle(platform.id).catch(() => undefined), 300);
      for (let isOpen = true; isOpen; ) {
        const open = await world.database.query(sql`
          select from transactions
           where platform_id = ${platform.id} and status in ('PENDING', 'PROCESSING') and executed_at is not null`);
        isOpen = open.length > 0;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      clearInterval(pump);
      await erase(platform, zebulon.id);
      isHeld = false;
      receiver.received.splice(0);
      hold.resolve();
      await settling;
      await advance(platform, 300);
      const named = receiver.received.filter(({ raw }) => MARKS.some((mark) => String(raw).includes(mark)));
      assert.deepEqual(
        named.map(({ body }) => body.type),
        [],
      );
      const events = await world.database.query(sql`
        select state, erased_at from events
         where platform_id = ${platform.id} and type = 'OUTGOING_PAYMENT.COMPLETED' and resource_id = ${transactionId}`);
      assert.deepEqual(events, [{ state: 'DELIVERED', erased_at: null }]);
      await advance(platform, 3_600);
      assert.deepEqual(await findTraces(), []);
    });
  }

  it('customers.md §2.4.26b: erased events need no attention from operators', async () => {
    const { platform, customerId } = await givenTold({ status: 500 });
    await world.app.worker.settle(platform.id);
    await world.database.query(sql`
      update events set state = 'EXHAUSTED', finished_at = now(), next_attempt_at = null
       where platform_id = ${platform.id} and resource_id = ${customerId}`);
    await erase(platform, customerId);
    const groups = await loadAttention(world.database, {
      now: new Date(world.clock.now()),
      environments: ['SANDBOX', 'PRODUCTION'],
      shown: 100,
    });
    const items = groups
      .filter(({ kind }) => kind === 'webhooks')
      .flatMap((group) => group.items)
      .filter(({ platformId }) => platformId === platform.id);
    const sent = await resendMatching(await platform.work(), {
      filter: { state: 'EXHAUSTED', createdAfter: new Date(0) },
      limit: 100,
      isDry: false,
      reason: undefined,
    });
    assert.deepEqual([items, sent.count], [[], 0]);
  });

  it('customers.md §2.4.26b: an event of another customer’s payment that was not tried yet is sent, even if its endpoint is down for ten minutes', async () => {
    const { platform, receiver, zebulon, other, transactionId, execute } = await givenQuoteToZebulon();
    // A backlog: no worker has tried to send these yet.
    await world.database.query(sql`
      create function test_backlog() returns trigger language plpgsql as $$
      begin new.next_attempt_at := '2100-01-01'; return new; end $$`);
    await world.database.query(sql`
      create trigger test_backlog before insert on events for each row
      when (new.type = 'OUTGOING_PAYMENT.COMPLETED') execute function test_backlog()`);
    await execute();
    await advance(platform, 10);
    await world.database.query(sql`drop trigger test_backlog on events`);
    await emptied(platform, zebulon, other);
    await advance(platform, 10);
    await erase(platform, zebulon.id);
    receiver.answer({ status: 503 });
    const [event] = await world.database.query<{ id: string }>(sql`
      update events set next_attempt_at = null
       where platform_id = ${platform.id} and type = 'OUTGOING_PAYMENT.COMPLETED' and resource_id = ${transactionId}
      returning id`);
    await world.database.query(sql`
      update webhook_queues set lane = 'FIRST', due_at = 'epoch'
       where platform_id = ${platform.id} and resource_id = ${transactionId}`);
    await world.app.worker.settle(platform.id);
    await advance(platform, 605);
    receiver.answer({ status: 200 });
    await advance(platform, 24 * 3_600);
    const last = await world.database.query(sql`
      select state from events where platform_id = ${platform.id} and id = ${event?.id}`);
    assert.deepEqual(last, [{ state: 'DELIVERED' }]);
  });
});
