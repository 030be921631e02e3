import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { countTransactions, freeze } from '#tests/given/quotes.ts';
import type { RequestOf } from '#tests/harness/api-types.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const sender = (scenario: string, domain = TEST_DOMAINS.sandboxUmaDomain) => `$${scenario}@${domain}`;

describe('POST /sandbox/uma/receive', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let customer: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    await platform.receive();
    customer = await givenPayer(platform, 0);
  });

  const body = (more: RequestOf<'sandboxReceive'> = {}) => ({
    senderUmaAddress: sender('success.usd'),
    customerId: customer.id,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 1_000,
    ...more,
  });
  const receive = (more: RequestOf<'sandboxReceive'> = {}, on = platform) =>
    on.call('sandboxReceive', { body: body(more) });

  it('money.md §9.6: by address or by customer, 200 with the pending transaction', async () => {
    const { umaAddress } = (await platform.call('getCustomerById', { params: { customerId: customer.id } }))
      .body;
    for (const to of [
      {},
      { customerId: undefined, receiverUmaAddress: umaAddress },
      { customerId: undefined, receiverUmaAddress: umaAddress.toUpperCase() },
      { receiverUmaAddress: umaAddress },
    ]) {
      const reply = await receive(to);
      assert.equal(reply.status, 200, reply.raw);
      assert.deepEqual(
        [reply.body.status, reply.body.type, reply.body.customerId],
        ['PENDING', 'INCOMING', customer.id],
      );
      assert.equal(reply.body.destination.accountId, customer.account('USD').id);
    }
  });

  it('money.md §9.6: address and customerId must name the same customer, and both must exist', async () => {
    const other = await givenCustomer(platform, { ...PERSON, platformCustomerId: newUuid() });
    const two = await receive({ receiverUmaAddress: other.umaAddress });
    assert.deepEqual([two.status, two.body.code], [400, 'INVALID_INPUT'], two.raw);
    assert.match(two.raw, /is not the address of customerId/);
    const unknown = await receive({
      receiverUmaAddress: other.umaAddress,
      customerId: `Customer:${newUuid()}`,
    });
    assert.equal(unknown.body.code, 'CUSTOMER_NOT_FOUND');
    const nobody = await receive({ receiverUmaAddress: `$nobody@${TEST_DOMAINS.defaultUmaDomain}` });
    assert.equal(nobody.body.code, 'USER_NOT_FOUND');
  });

  const WRONG: [string, object, number, string][] = [
    ['neither receiver', { customerId: undefined }, 400, 'INVALID_INPUT'],
    [
      'an unknown address',
      { customerId: undefined, receiverUmaAddress: `$nobody@${TEST_DOMAINS.defaultUmaDomain}` },
      404,
      'USER_NOT_FOUND',
    ],
    ['a malformed address', { customerId: undefined, receiverUmaAddress: 'ada' }, 400, 'INVALID_UMA_ADDRESS'],
    ['an unknown customer', { customerId: `Customer:${newUuid()}` }, 404, 'CUSTOMER_NOT_FOUND'],
    ['another kind of id', { customerId: `Card:${newUuid()}` }, 400, 'INVALID_INPUT'],
    ['a malformed sender', { senderUmaAddress: 'nobody' }, 400, 'INVALID_UMA_ADDRESS'],
    ['an unknown sender', { senderUmaAddress: sender('nobody') }, 404, 'UMA_NOT_FOUND'],
    ['a sender elsewhere', { senderUmaAddress: sender('success.usd', 'else.test') }, 404, 'UMA_NOT_FOUND'],
    [
      'a sender whose domain only ends alike',
      { senderUmaAddress: sender('success.usd', `not${TEST_DOMAINS.sandboxUmaDomain}`) },
      404,
      'UMA_NOT_FOUND',
    ],
    ['fail.version.usd', { senderUmaAddress: sender('fail.version.usd') }, 404, 'UMA_NOT_FOUND'],
    ['fail.lnurlp.usd', { senderUmaAddress: sender('fail.lnurlp.usd') }, 404, 'UMA_NOT_FOUND'],
    ['fail.payreq.usd', { senderUmaAddress: sender('fail.payreq.usd') }, 404, 'UMA_NOT_FOUND'],
    ['a currency that is not configured', { receivingCurrencyCode: 'MXN' }, 400, 'INVALID_CURRENCY'],
    ['a currency that does not exist', { receivingCurrencyCode: 'XYZ' }, 400, 'INVALID_CURRENCY'],
    ['no amount', { receivingCurrencyAmount: undefined }, 400, 'INVALID_INPUT'],
    ['nothing', { receivingCurrencyAmount: 0 }, 400, 'INVALID_AMOUNT'],
    ['less than nothing', { receivingCurrencyAmount: -1 }, 400, 'INVALID_AMOUNT'],
    ['too much', { receivingCurrencyAmount: 1_000_000_001 }, 400, 'AMOUNT_OUT_OF_RANGE'],
  ];
  for (const [what, more, status, code] of WRONG) {
    it(`money.md §9.6: ${what} → ${status} ${code}, and nothing is stored`, async () => {
      const before = await countTransactions(platform);
      const reply = await receive(more);
      assert.deepEqual([reply.status, reply.body.code], [status, code], reply.raw);
      assert.equal(await countTransactions(platform), before);
    });
  }

  it('money.md §9.6: the platform’s bounds are exact at both edges', async () => {
    const own = await givenPlatform(world);
    await own.receive();
    const { id } = await givenPayer(own, 0);
    const { body: config } = await own.call('getPlatformConfig');
    const bounds = { minAmount: 10, maxAmount: 20 };
    const supportedCurrencies = config.supportedCurrencies.map((rule: object) => ({ ...rule, ...bounds }));
    await own.call('updatePlatformConfig', { body: { supportedCurrencies } });
    const codes: (string | undefined)[] = [];
    for (const receivingCurrencyAmount of [9, 10, 20, 21]) {
      const body = {
        senderUmaAddress: sender('success.usd'),
        customerId: id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount,
      };
      codes.push((await own.call('sandboxReceive', { body })).body.code);
    }
    assert.deepEqual(codes, ['AMOUNT_OUT_OF_RANGE', undefined, undefined, 'AMOUNT_OUT_OF_RANGE']);
  });

  it('platform.md §3.2.4: a currency that is not accepted → 400 INVALID_RECEIVER', async () => {
    const own = await givenPlatform(world);
    await own.receive();
    const payer = await givenPayer(own, 0);
    const supportedCurrencies = [
      {
        currencyCode: 'USD',
        minAmount: 1,
        maxAmount: 1_000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ['OUTGOING'],
      },
    ];
    await own.call('updatePlatformConfig', { body: { supportedCurrencies } });
    const reply = await receive({ customerId: payer.id }, own);
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_RECEIVER']);
  });

  it('money.md §9.6: without a webhook endpoint to ask → 400 WEBHOOK_ENDPOINT_NOT_SET', async () => {
    const own = await givenPlatform(world);
    const payer = await givenPayer(own, 0);
    const reply = await receive({ customerId: payer.id }, own);
    assert.deepEqual([reply.status, reply.body.code], [400, 'WEBHOOK_ENDPOINT_NOT_SET']);
  });

  it('money.md §7.4: a receiver without an active account in the currency → 400 INVALID_RECEIVER', async () => {
    const payer = await givenPayer(platform, 0);
    await freeze(platform, payer.account('USD').id);
    const reply = await receive({ customerId: payer.id });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_RECEIVER']);
  });

  it('platform.md §10: a receiver who is not approved → 403 USER_NOT_READY', async () => {
    const made = await givenCustomer(platform, PERSON);
    const work = await platform.work();
    await work.write((tx) => setCustomerStatus(tx, uuidOf(made.id), 'PENDING'));
    const reply = await receive({ customerId: made.id });
    assert.deepEqual([reply.status, reply.body.code], [403, 'USER_NOT_READY']);
  });

  it('platform.md §2: the same key is the same payment', async () => {
    const call = () => platform.call('sandboxReceive', { body: body(), key: 'receive-once' });
    const [first, second] = [await call(), await call()];
    assert.equal(first.status, 200);
    assert.equal(second.raw, first.raw);
  });

  it('platform.md §1: refuses callers without credentials', async () => {
    assert.equal((await platform.call('sandboxReceive', { body: body(), as: 'nobody' })).status, 401);
  });
});
