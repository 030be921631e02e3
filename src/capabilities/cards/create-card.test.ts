import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { inCurrency, listAccountWebhooks, platformAccounts } from '#tests/given/accounts.ts';
import {
  askCard,
  cardFor,
  changedCard,
  givenCardPlatform,
  givenNewCard,
  readCard,
} from '#tests/given/cards.ts';
import { BUSINESS, constraintsOf, fieldsOf, givenCustomer } from '#tests/given/customers.ts';
import { advance, givenPayer, listEventTypes, type Payer } from '#tests/given/payments.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('issuing cards', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;

  before(async () => {
    platform = await givenCardPlatform(world);
    ada = await givenPayer(platform, 0);
  });

  const codeOf = ({ status, body }: Answered<{ code?: string }>) => [status, body.code];
  const causeOf = ({ body }: Answered<{ details?: object }>) => (body.details as { cause?: string })?.cause;
  const UNKNOWN = { customer: publicId('Customer', newUuid()), account: 'InternalAccount:' };

  /** A body that breaks every row of cards.md §1, and the repair of each refused row, in turn. */
  it('cards.md §1, §1.11–1.19: a request that breaks every check is refused by the first one, then by the next, and so on', async () => {
    const off = await givenCardPlatform(world, { settings: { cards: { enabled: false } } });
    const full = await givenCardPlatform(world, { settings: { cards: { liveMax: 1 } } });
    const payer = await givenPayer(full, 0);
    await givenNewCard(full, payer, { platformCardId: 'taken' });
    const waiting = await givenCustomer(full, BUSINESS);
    const euros = payer.account('EUR').id;
    const broken = {
      customerId: UNKNOWN.customer,
      fundingSource: euros,
      platformCardId: 'taken',
      threeDSecurePassword: 'secret',
      maxSpendPerDay: 0,
    };
    const ask = (on: TestPlatform, body: object, as?: string) =>
      on.send('createCard', { body, ...(as !== undefined && { as }) });
    assert.deepEqual(codeOf(await ask(off, broken, 'nobody')), [401, 'UNAUTHORIZED']);
    assert.deepEqual(codeOf(await ask(off, broken)), [501, 'NOT_IMPLEMENTED']);
    const fields = await ask(full, broken);
    assert.deepEqual(codeOf(fields), [400, 'INVALID_INPUT']);
    assert.deepEqual(fieldsOf(fields.body).sort(), ['form', 'maxSpendPerDay']);
    const { maxSpendPerDay: _, ...form } = { ...broken, form: 'VIRTUAL' };
    const password = await ask(full, form);
    assert.deepEqual(codeOf(password), [400, 'INVALID_INPUT']);
    assert.deepEqual(fieldsOf(password.body), ['threeDSecurePassword']);
    const { threeDSecurePassword: __, ...open } = form;
    assert.deepEqual(codeOf(await ask(full, open)), [404, 'CUSTOMER_NOT_FOUND']);
    const unverified = { ...open, customerId: waiting.id };
    assert.deepEqual(codeOf(await ask(full, unverified)), [400, 'CARDHOLDER_KYC_NOT_APPROVED']);
    const known = { ...open, customerId: payer.id };
    const ineligible = await ask(full, known);
    assert.deepEqual(codeOf(ineligible), [400, 'INVALID_INPUT']);
    assert.equal(causeOf(ineligible), 'FUNDING_SOURCE_INELIGIBLE');
    const funded = { ...known, fundingSource: payer.account('USD').id };
    assert.deepEqual(codeOf(await ask(full, funded)), [409, 'CONFLICT']);
    const named = { ...funded, platformCardId: 'free' };
    const limited = await ask(full, named);
    assert.deepEqual(codeOf(limited), [409, 'CARD_LIMIT_REACHED']);
    assert.deepEqual(limited.body.details, { liveMax: 1 });
  });

  it('cards.md §1.12: a platform without cards gets 501 from every route, whatever else is wrong, and so does production without a provider', async () => {
    const off = await world.platform({ settings: { cards: { enabled: false } } });
    const production = await world.platform({
      environment: 'PRODUCTION',
      settings: { cards: { enabled: true } },
    });
    for (const on of [off, production]) {
      for (const [operation, call] of [
        ['createCard', { body: 'no JSON' }],
        ['listCards', { query: { status: 'BROKEN', limit: 0 } }],
        ['getCardById', { params: { id: 'malformed' } }],
        ['updateCardById', { params: { id: 'malformed' }, body: { status: 'BROKEN' } }],
      ] as const) {
        assert.deepEqual(codeOf(await on.send(operation, call)), [501, 'NOT_IMPLEMENTED'], operation);
      }
    }
  });

  it('cards.md §1.12: permission and credentials are checked before it', async () => {
    const off = await world.platform({
      settings: { cards: { enabled: false } },
      permissions: ['VIEW'],
    });
    assert.deepEqual(codeOf(await off.send('createCard', { body: {} })), [403, 'FORBIDDEN']);
    assert.deepEqual(codeOf(await off.send('listCards')), [501, 'NOT_IMPLEMENTED']);
  });

  it('cards.md §1.13: every bad field is named at once', async () => {
    const { status, body } = await platform.send('createCard', {
      body: {
        customerId: 'Customer:nobody',
        form: 'PHYSICAL',
        fundingSource: ada.account('USD').id.slice('InternalAccount:'.length),
        platformCardId: '',
        maxSpendPerTransaction: 0,
        maxSpendPerDay: 1.5,
        maxTransactionsPerDay: '3',
      },
    });
    assert.equal(status, 400);
    assert.deepEqual(fieldsOf(body).sort(), [
      'customerId',
      'form',
      'fundingSource',
      'maxSpendPerDay',
      'maxSpendPerTransaction',
      'maxTransactionsPerDay',
      'platformCardId',
    ]);
    assert.deepEqual(constraintsOf(body).form, { enum: ['VIRTUAL'] });
    const empty = await platform.send('createCard', { body: {} });
    assert.deepEqual(fieldsOf(empty.body).sort(), ['customerId', 'form', 'fundingSource']);
  });

  for (const field of ['maxSpendPerTransaction', 'maxSpendPerDay', 'maxTransactionsPerDay'] as const) {
    it(`cards.md §1.13, §1.6: ${field} is from 1 to the largest exact JSON number, or absent`, async () => {
      for (const value of [0, -1, Number.MAX_SAFE_INTEGER + 1, 1e300, '5', [5], {}, true]) {
        const reply = await askCard(platform, ada, { [field]: value });
        assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, [field]], String(value));
      }
      for (const value of [1, Number.MAX_SAFE_INTEGER]) {
        const card = await givenNewCard(platform, ada, { [field]: value });
        assert.equal(card[field], value);
        assert.equal((await readCard(platform, card.id))[field], value);
      }
      assert.equal((await givenNewCard(platform, ada, { [field]: null }))[field], null);
    });
  }

  it('cards.md §1.14: a static password is refused, an empty one too', async () => {
    for (const threeDSecurePassword of ['secret', '']) {
      const reply = await askCard(platform, ada, { threeDSecurePassword });
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['threeDSecurePassword']]);
      assert.doesNotMatch(reply.raw, /secret/);
    }
    assert.equal((await askCard(platform, ada, { threeDSecurePassword: null })).status, 201);
  });

  it('cards.md §1.15, customers.md §2.4.26: a customer of another platform and one that was deleted are unknown', async () => {
    const other = await givenCardPlatform(world);
    assert.deepEqual(codeOf(await askCard(other, ada)), [404, 'CUSTOMER_NOT_FOUND']);
    const gone = await givenPayer(platform, 0);
    await platform.call('deleteCustomerById', { params: { customerId: gone.id } });
    assert.deepEqual(codeOf(await askCard(platform, gone)), [404, 'CUSTOMER_NOT_FOUND']);
  });

  for (const [who, body, field] of [
    ['person', {}, 'kycStatus'],
    ['business', { ...BUSINESS, fullName: undefined }, 'kybStatus'],
  ] as const) {
    it(`cards.md §1.16, §1.1: a ${who} has a card once ${field} is APPROVED, and not before`, async () => {
      const holder = await givenPayer(platform, 0, body as never);
      const work = await platform.work();
      for (const status of ['UNVERIFIED', 'PENDING', 'HOLD', 'REJECTED'] as const) {
        await work.write((tx) => setCustomerStatus(tx, uuidOf(holder), status));
        const refused = await askCard(platform, holder);
        assert.deepEqual(codeOf(refused), [400, 'CARDHOLDER_KYC_NOT_APPROVED'], status);
        assert.deepEqual(refused.body.details, { customerId: holder.id });
      }
      await work.write((tx) => setCustomerStatus(tx, uuidOf(holder), 'APPROVED'));
      await givenNewCard(platform, holder);
    });
  }

  it('cards.md §1.17: an unknown account, one of another platform and one of a deleted customer are 404', async () => {
    const other = await givenPayer(await givenCardPlatform(world), 0);
    const gone = await givenPayer(platform, 0);
    await platform.call('deleteCustomerById', { params: { customerId: gone.id } });
    for (const fundingSource of [
      // Not a random id: its last digits could be ones that the sandbox refuses.
      'InternalAccount:019542f5-b3e7-7d02-8000-0000000000ff',
      other.account('USD').id,
      gone.account('USD').id,
    ]) {
      assert.deepEqual(codeOf(await askCard(platform, ada, { fundingSource })), [404, 'ACCOUNT_NOT_FOUND']);
    }
  });

  it('cards.md §1.17, §1.3: an account of another customer, one that is not ACTIVE and one in another currency cannot fund a card', async () => {
    const [other, frozen] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
    const work = await platform.work();
    await work.write((tx) => freezeAccount(tx, { accountId: uuidOf(frozen.account('USD')) }));
    for (const [payer, fundingSource, why] of [
      [ada, other.account('USD').id, /not an account of the cardholder/],
      [ada, inCurrency(await platformAccounts(platform), 'USD').id, /not an account of the cardholder/],
      [frozen, frozen.account('USD').id, /is FROZEN, and must be ACTIVE/],
      [ada, ada.account('EUR').id, /is in EUR, and must be in USD or USDB/],
    ] as const) {
      const reply = await askCard(platform, payer, { fundingSource });
      assert.deepEqual(codeOf(reply), [400, 'INVALID_INPUT']);
      assert.deepEqual(
        [causeOf(reply), fieldsOf(reply.body)],
        ['FUNDING_SOURCE_INELIGIBLE', ['fundingSource']],
      );
      assert.match(reply.raw, why);
    }
  });

  it('cards.md §1.3: dollars and USDB fund a card, whose currency is USD either way', async () => {
    for (const code of ['USD', 'USDB']) {
      const card = await givenNewCard(platform, ada, { fundingSource: ada.account(code).id });
      assert.deepEqual([card.currency, card.fundingSource], ['USD', ada.account(code).id]);
    }
  });

  for (const suffix of ['002', '003']) {
    it(`cards.md §1.25: a fundingSource that ends in ${suffix} is ineligible before it is looked up, and after cards.md §1.16`, async () => {
      const fundingSource = `${UNKNOWN.account}019542f5-b3e7-7d02-8000-000000000${suffix}`;
      const reply = await askCard(platform, ada, { fundingSource });
      assert.deepEqual(
        [...codeOf(reply), causeOf(reply)],
        [400, 'INVALID_INPUT', 'FUNDING_SOURCE_INELIGIBLE'],
      );
      const nobody = await askCard(platform, ada, { fundingSource, customerId: UNKNOWN.customer });
      assert.deepEqual(codeOf(nobody), [404, 'CUSTOMER_NOT_FOUND']);
    });
  }

  it('cards.md §1.18: a platformCardId is used once on a platform, closed cards included, and is free on another', async () => {
    const { id } = await givenNewCard(platform, ada, { platformCardId: 'mine' });
    const taken = await askCard(platform, ada, { platformCardId: 'mine' });
    assert.deepEqual(codeOf(taken), [409, 'CONFLICT']);
    await advance(platform, 1);
    await changedCard(platform, id, { status: 'CLOSED' });
    assert.deepEqual(codeOf(await askCard(platform, ada, { platformCardId: 'mine' })), [409, 'CONFLICT']);
    const other = await givenCardPlatform(world);
    await givenNewCard(other, await givenPayer(other, 0), { platformCardId: 'mine' });
  });

  it('cards.md §1.4, §2.1: the reply is PROCESSING, without the fields of the activation, and no event is sent', async () => {
    const card = await givenNewCard(platform, ada, { platformCardId: 'card-4711', maxSpendPerDay: 500 });
    const { id, createdAt } = card;
    assert.deepEqual(card, {
      id,
      customerId: ada.id,
      platformCardId: 'card-4711',
      status: 'PROCESSING',
      form: 'VIRTUAL',
      fundingSource: ada.account('USD').id,
      currency: 'USD',
      maxSpendPerTransaction: null,
      maxSpendPerDay: 500,
      maxTransactionsPerDay: null,
      createdAt,
      updatedAt: createdAt,
    });
    assert.match(id, /^Card:[0-9a-f-]{36}$/);
    assert.deepEqual(await listEventTypes(platform, id), []);
    assert.deepEqual(await readCard(platform, id), card);
  });

  it('cards.md §1.4: a platformCardId that was left out is generated, another one each time', async () => {
    const ids = [await givenNewCard(platform, ada), await givenNewCard(platform, ada)];
    assert.equal(new Set(ids.map(({ platformCardId }) => platformCardId)).size, 2);
    for (const { platformCardId } of ids) assert.match(platformCardId ?? '', /^[0-9a-f-]{36}$/);
  });

  it('cards.md §0.1: a request may use the earlier names; the first element of fundingSources counts', async () => {
    const { customerId, fundingSource, ...rest } = cardFor(ada);
    const fundingSources = [fundingSource, 'anything'];
    const reply = await platform.send('createCard', {
      body: { ...rest, cardholderId: customerId, fundingSources },
    });
    assert.equal(reply.status, 201, reply.raw);
    assert.deepEqual([reply.body.customerId, reply.body.fundingSource], [ada.id, fundingSource]);
    for (const name of ['cardholderId', 'fundingSources', 'state', 'stateReason']) {
      assert.ok(!(name in reply.body), name);
    }
    const both = { ...cardFor(ada), cardholderId: ada.id, fundingSources };
    assert.equal((await platform.send('createCard', { body: both })).status, 201);
  });

  it('cards.md §0.1: both names with different values are 400, and a missing or malformed value is reported under its name', async () => {
    const other = await givenPayer(platform, 0);
    const twice = { cardholderId: other.id, fundingSources: [other.account('USD').id] };
    const reply = await askCard(platform, ada, twice);
    assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['cardholderId', 'fundingSources']]);
    for (const [body, fields] of [
      [{ cardholderId: 'nobody', fundingSources: ['nothing'] }, ['cardholderId', 'fundingSources.0']],
      [{ cardholderId: null, fundingSources: [] }, ['customerId', 'fundingSource']],
      [{ cardholderId: 5, fundingSources: 'text' }, ['cardholderId', 'fundingSources']],
      [{ cardholderId: ada.id, fundingSources: [7] }, ['fundingSources.0']],
    ] as const) {
      const refused = await platform.send('createCard', { body: { form: 'VIRTUAL', ...body } });
      assert.equal(refused.status, 400);
      assert.deepEqual(fieldsOf(refused.body).sort(), fields, JSON.stringify(body));
    }
  });

  it('platform.md §2: a repeated key makes one card, and with another body it is 409', async () => {
    const body = { platformCardId: 'once' };
    const first = await askCard(platform, ada, body, { key: 'card-once' });
    const again = await askCard(platform, ada, body, { key: 'card-once' });
    assert.deepEqual([again.status, again.raw], [201, first.raw]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    const other = await askCard(platform, ada, { platformCardId: 'twice' }, { key: 'card-once' });
    assert.deepEqual(codeOf(other), [409, 'CONFLICT']);
    const keyed = await Promise.all(
      Array.from({ length: 5 }, () => askCard(platform, ada, {}, { key: 'card-parallel' })),
    );
    assert.equal(new Set(keyed.map(({ raw }) => raw)).size, 1);
  });

  it('cards.md §11: an event has the card in the same form as the reply', async () => {
    const { id } = await givenNewCard(platform, ada);
    await advance(platform, 1);
    const told = (await listAccountWebhooks(platform, 'CARD.')).filter(({ resourceId }) => resourceId === id);
    assert.deepEqual(
      told.map(({ type, data }) => [type, data]),
      [['CARD.STATUS_CHANGE', await readCard(platform, id)]],
    );
  });
});
