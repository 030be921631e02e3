import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { postEntry } from '#capabilities/accounts/post-entry.ts';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { openLedgerAccounts } from '#foundation/ledger/store.ts';
import { INSTALLATION, type Platform } from '#foundation/lib/platform.ts';
import { inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { ARRANGED_AT_BANKS } from '#tests/given/bank-operations.ts';
import { givenCard } from '#tests/given/cards.ts';
import { ARRANGED_AT_CONNECTORS, conflictingOrder } from '#tests/given/connector-operations.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { askMint, type CoinOperationReply, givenSparkWallet } from '#tests/given/mints.ts';
import { listSuspended } from '#tests/given/open-items.ts';
import { givenInvited, givenJoined } from '#tests/given/operators.ts';
import { documentFields, documentForm } from '#tests/given/packets.ts';
import {
  advance,
  execute,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
} from '#tests/given/payments.ts';
import { bought, givenCardholder, simulated } from '#tests/given/purchases.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import { decideOn, givenCoin } from '#tests/given/stablecoins.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** A call that needs a second operator, and works now. */
export interface ArrangedCall {
  /** Where it takes place. */
  readonly platform: Platform;
  readonly params: Record<string, string>;
  readonly body?: Record<string, unknown>;
}

/** What a proposal comes to if the same call was performed meanwhile. */
export type MeanwhileDone = 'APPROVED' | 'FAILED' | 'PROPOSAL_STALE';

export interface ArrangedOperation {
  arrange(world: World): Promise<ArrangedCall>;
  readonly meanwhile: MeanwhileDone;
}

async function on(world: World, platform: TestPlatform, call: Omit<ArrangedCall, 'platform'>) {
  const found = await findPlatform(world.database.query, platform.id);
  assert.ok(found);
  return { platform: found, ...call };
}

const FUNDS = 1_000_000;

/** A payment that waits for its rail. */
async function paymentCall(world: World, suffix = '003') {
  const platform = await givenPlatform(world);
  const payer = await givenPayer(platform, FUNDS);
  const to = await givenOutside(platform, payer.id, suffix);
  const quote = await quoted(platform, { from: payer.account('USD').id, to, send: 4_000 });
  assert.equal((await execute(platform, quote.id)).status, 200);
  await world.app.worker.settle(platform.id);
  return { platform, payer, transactionId: uuidOf(quote.transactionId) };
}

async function waitingPayment(world: World) {
  const { platform, transactionId } = await paymentCall(world);
  return on(world, platform, { params: { transactionId } });
}

async function completedPayment(world: World) {
  const { platform, transactionId } = await paymentCall(world, '999');
  await advance(platform, 2);
  return on(world, platform, { params: { transactionId } });
}

async function deposit(world: World) {
  const platform = await givenPlatform(world);
  const payer = await givenPayer(platform, 0);
  const body = { amount: 1_250, currency: 'USD', sender: 'Grace Hopper', bankReference: randomUUID() };
  return on(world, platform, { params: { accountId: uuidOf(payer.account('USD')) }, body });
}

/** Money in suspense: a refund that failed. */
async function suspended(world: World) {
  const { platform, payer } = await paymentCall(world, '007');
  await advance(platform, 3);
  const [item] = await (await platform.work()).read((tx) => listSuspended(tx));
  assert.ok(item);
  return on(world, platform, { params: { entryId: item.id }, body: { to: payer.account('USD').id } });
}

/** A debt that nobody has paid: what a reversed collection leaves behind. */
export async function owed(platform: TestPlatform, ownerId: CustomerId | PlatformId) {
  const account = receivableAccount(ownerId, 'USD');
  const [currency, amount] = ['USD', 700n];
  await (await platform.work()).write(async (tx) => {
    await openLedgerAccounts(tx, [{ account, currency }]);
    postEntry(tx, {
      kind: 'collection.reversed',
      lines: [
        { account, currency, side: 'DEBIT', amount },
        { account: 'RAIL:SANDBOX:USD', currency, side: 'CREDIT', amount },
      ],
    });
  });
}

/** A purchase that owes 1,000 cents, and money enough to pay them. */
async function cardException(world: World) {
  const platform = await givenPlatform(world);
  const { payer, cardId } = await givenCardholder(platform, 0);
  await givenFunds(platform, payer.account('USD').id, 1);
  const { id } = await bought(world, platform, cardId, 1);
  await simulated(world, platform, cardId, 'clearing', { cardTransactionId: id, amount: 1_001 });
  await givenFunds(platform, payer.account('USD').id, 5_000);
  return on(world, platform, { params: { transactionId: id } });
}

async function emptyAccount(world: World) {
  const platform = await givenPlatform(world);
  const payer = await givenPayer(platform, 0);
  return on(world, platform, { params: { accountId: uuidOf(payer.account('USD')) } });
}

/** An account of a platform whose bank has not set it up. */
async function pendingAccount(world: World) {
  const platform = await world.platform({ environment: 'PRODUCTION' });
  const accountId = uuidOf(inCurrency(await platformAccounts(platform), 'USD'));
  const coordinates = {
    USD_ACCOUNT: { accountNumber: '4711004711', routingNumber: '021000021', bankName: 'A Bank' },
    SOLANA_WALLET: { address: '4Nd1mYQn6yVbVb3q5V4rXwYwz5kJb9pQk1G2h3J4K5L6' },
  };
  return on(world, platform, { params: { accountId }, body: { coordinates } });
}

async function swiftAccount(world: World) {
  const account = await emptyAccount(world);
  const body = {
    ...{ country: 'US', swiftCode: 'SBOXUS33', bankName: 'Sandbox Bank', accountNumber: '4711' },
  };
  return { ...account, body };
}

async function activeCard(world: World) {
  const platform = await givenPlatform(world);
  const card = await givenCard(platform);
  return on(world, platform, { params: { cardId: uuidOf(card) } });
}

/** A customer with a wallet, a bank account and a file, whose data is in several folders and in the storage. */
async function deletedCustomer(world: World) {
  const platform = await givenPlatform(world, { currencies: ['USD', 'USDB'] });
  const { id } = await givenCustomer(platform);
  await givenOutside(platform, id);
  const body = documentForm(documentFields(id, 'PASSPORT'));
  const uploaded = await platform.call('uploadDocument', { body });
  assert.equal(uploaded.status, 201, uploaded.raw);
  const deleted = await platform.call('deleteCustomerById', { params: { customerId: id } });
  assert.equal(deleted.status, 200, deleted.raw);
  return on(world, platform, { params: { customerId: uuidOf(id) } });
}

async function customerInReview(world: World) {
  const platform = await givenPlatform(world);
  const { id } = await givenCustomer(platform);
  const customerId = uuidOf<'Customer'>(id as never);
  await (await platform.work()).write((tx) => updateCustomerStatus(tx, customerId, 'PENDING'));
  return on(world, platform, { params: { customerId } });
}

async function askedCoin(world: World) {
  const platform = await givenPlatform(world, { currencies: ['USD'] });
  const { id } = await givenCoin(platform);
  const asked = await platform.call('requestStablecoinEnablement', { params: { stablecoinId: id } });
  assert.equal(asked.status, 200, asked.raw);
  return on(world, platform, { params: { coinId: uuidOf(id) } });
}

async function disabledCoin(world: World) {
  const platform = await givenPlatform(world, { currencies: ['USD'] });
  const coin = await givenCoin(platform, { enabled: true });
  await decideOn(platform, coin, 'disable');
  return on(world, platform, { params: { coinId: uuidOf(coin) } });
}

async function runningMint(world: World) {
  const platform = await givenPlatform(world, { currencies: ['USD'] });
  const coin = await givenCoin(platform, { enabled: true });
  await supports(platform, ['USD', coin.symbol]);
  const payer = await givenPayer(platform, 10_000);
  const wallet = await givenSparkWallet(platform);
  const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: payer.account('USD').id };
  const mint = { fundingSource, destination: { accountId: wallet.id }, description: 'treasury 001' };
  const made = await askMint(platform, coin, mint);
  assert.equal(made.status, 201, made.raw);
  return on(world, platform, { params: { operationId: uuidOf(made.body as CoinOperationReply) } });
}

async function ownPlatform(world: World, body: Record<string, unknown>) {
  const platform = await world.platform({ environment: 'PRODUCTION' });
  return on(world, platform, { params: { platformId: platform.id }, body });
}

const installation = (body: Record<string, unknown>, params: Record<string, string> = {}) => ({
  ...{ platform: INSTALLATION, params, body },
});

/** A currency of its own for each call, because rates belong to the whole installation. */
const CURRENCIES = ['EUR', 'GBP', 'MXN', 'BRL', 'INR', 'PHP', 'NGN', 'KES', 'COP', 'CAD'];
let currencies = 0;
const nextCurrency = () => CURRENCIES[currencies++ % CURRENCIES.length] ?? assert.fail();

/** Every operation that needs a second operator, with a call of it that works. */
export const ARRANGED: Readonly<Record<string, ArrangedOperation>> = {
  settlePayment: { arrange: waitingPayment, meanwhile: 'FAILED' },
  failPayment: { arrange: waitingPayment, meanwhile: 'PROPOSAL_STALE' },
  returnPayment: { arrange: completedPayment, meanwhile: 'FAILED' },
  ...ARRANGED_AT_CONNECTORS,
  ...ARRANGED_AT_BANKS,
  bookBreak: {
    async arrange(world) {
      const { platform, transactionId } = await paymentCall(world);
      return conflictingOrder(world, platform, transactionId);
    },
    meanwhile: 'FAILED',
  },
  bookDeposit: { arrange: deposit, meanwhile: 'PROPOSAL_STALE' },
  resolveSuspense: { arrange: suspended, meanwhile: 'FAILED' },
  writeOffDebtOfCustomer: {
    async arrange(world) {
      const platform = await givenPlatform(world);
      const customerId = uuidOf<'Customer'>((await givenPayer(platform, 0)).id as never);
      await owed(platform, customerId);
      return on(world, platform, { params: { customerId }, body: { currency: 'USD' } });
    },
    meanwhile: 'FAILED',
  },
  writeOffDebtOfPlatform: {
    async arrange(world) {
      const platform = await givenPlatform(world);
      await owed(platform, platform.id);
      return on(world, platform, { params: { platformId: platform.id }, body: { currency: 'USD' } });
    },
    meanwhile: 'FAILED',
  },
  collectException: { arrange: cardException, meanwhile: 'FAILED' },
  writeOffException: { arrange: cardException, meanwhile: 'FAILED' },
  closeAccount: { arrange: emptyAccount, meanwhile: 'FAILED' },
  provisionAccount: { arrange: pendingAccount, meanwhile: 'PROPOSAL_STALE' },
  addSwiftInstructions: { arrange: swiftAccount, meanwhile: 'FAILED' },
  closeCard: { arrange: activeCard, meanwhile: 'FAILED' },
  eraseCustomer: { arrange: deletedCustomer, meanwhile: 'PROPOSAL_STALE' },
  rejectReview: { arrange: customerInReview, meanwhile: 'FAILED' },
  approveStablecoin: { arrange: askedCoin, meanwhile: 'FAILED' },
  declineStablecoin: { arrange: askedCoin, meanwhile: 'FAILED' },
  enableStablecoin: { arrange: disabledCoin, meanwhile: 'FAILED' },
  completeStablecoinOperation: { arrange: runningMint, meanwhile: 'FAILED' },
  failStablecoinOperation: { arrange: runningMint, meanwhile: 'FAILED' },
  setRates: {
    arrange: async () => installation({ perUsd: { [nextCurrency()]: '1.25' } }),
    meanwhile: 'PROPOSAL_STALE',
  },
  clearRates: {
    async arrange(world) {
      const currency = nextCurrency();
      await givenRates(world, { [currency]: '1.5' });
      return installation({ currencies: [currency] });
    },
    meanwhile: 'FAILED',
  },
  createPlatform: {
    arrange: async () => installation({ name: 'Analytical Engines', environment: 'PRODUCTION' }),
    meanwhile: 'APPROVED',
  },
  setPlatform: {
    arrange: (world) => ownPlatform(world, { name: 'Difference Engines' }),
    meanwhile: 'PROPOSAL_STALE',
  },
  createTokenOfPlatform: {
    arrange: (world) => ownPlatform(world, { name: 'For a backend', permissions: ['VIEW'] }),
    meanwhile: 'APPROVED',
  },
  inviteOperator: {
    arrange: async () =>
      installation({ name: 'Alan Turing', email: `${randomUUID()}@example.com`, roles: ['treasury'] }),
    meanwhile: 'PROPOSAL_STALE',
  },
  renewOperatorAddress: {
    async arrange(world) {
      const { id } = await givenJoined(world, ['viewer']);
      return installation({}, { operatorId: id });
    },
    meanwhile: 'APPROVED',
  },
  setOperatorRoles: {
    async arrange(world) {
      const { id } = await givenInvited(world, ['viewer']);
      return installation({ roles: ['finance'] satisfies OperatorRole[] }, { operatorId: id });
    },
    meanwhile: 'PROPOSAL_STALE',
  },
};
