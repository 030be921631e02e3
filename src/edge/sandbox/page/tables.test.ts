// lane: whole — every scenario of the sandbox

import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { supportsCurrency } from '#capabilities/accounts/networks.ts';
import { CustomerInfoFieldName } from '#capabilities/platform/schemas.ts';
import { DELAYS } from '#edge/sandbox/delays-table.ts';
import { rowsOf, SANDBOX_TABLES } from '#edge/sandbox/page/tables.ts';
import { SENDER_INFORMATION, UMA_DOMAIN_PLACEHOLDER } from '#edge/sandbox/rails/uma-table.ts';
import type { SandboxRow } from '#edge/sandbox/table.ts';
import type { Network } from '#foundation/ports/network-fees.ts';
import { EXAMPLES } from '#tests/checks/external-account-examples.ts';
import { fetchAccounts, inCurrency, platformAccounts, supports } from '#tests/given/accounts.ts';
import { askCard, givenCard, givenCardPlatform, givenNewCard, readCard } from '#tests/given/cards.ts';
import { EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { addAccount, buildAccountRequest, givenExternalAccount } from '#tests/given/external-accounts.ts';
import { askBurn, askMint, givenSparkWallet } from '#tests/given/mints.ts';
import {
  documentFields,
  documentForm,
  givenBusiness,
  givenCompleteBusiness,
  givenCompletePerson,
  givenOwner,
  submitted,
} from '#tests/given/packets.ts';
import { advance, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { bought } from '#tests/given/purchases.ts';
import { askQuote, quoted } from '#tests/given/quotes.ts';
import { givenEuropean, givenTotp, startedLogin } from '#tests/given/sca.ts';
import { askCoin, askLink, givenCoin, givenLink } from '#tests/given/stablecoins.ts';
import { authorize, givenScaPayer, givenWaiting } from '#tests/given/waiting.ts';
import type { OperationId } from '#tests/harness/api-types.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import {
  callStamped,
  givenWallet,
  newClientKey,
  sealCode,
  signedHeaders,
} from '#tests/harness/wallet-client.ts';

const SECOND_MS = 1_000;
const HOUR_SECONDS = 3_600;

/** Starts one row's example, and returns how to read its state from the API. */
type Try = (example: string) => Promise<{ platform: TestPlatform; read: () => Promise<unknown> }>;

describe('the sandbox’s tables', () => {
  const world = testWorld();

  const LIGHT = { settings: { isRegulatedFinancialInstitution: true } };

  /** For rows that store nothing. */
  const anyPlatform = once(() => world.platform());

  /** One for all rows of a table, because their resources do not interfere. */
  const payerScene = () =>
    once(async (): Promise<{ platform: TestPlatform; payer: Payer }> => {
      const platform = await givenPlatform(world);
      return { platform, payer: await givenPayer(platform, 10_000_000) };
    });
  const scenes = {
    crossing: payerScene(),
    withinOne: payerScene(),
    pulling: payerScene(),
    umaReceivers: payerScene(),
    usAccounts: payerScene(),
    cards: payerScene(),
    purchases: payerScene(),
  };

  const reading =
    <Id extends OperationId>(platform: TestPlatform, operation: Id, params: Record<string, string>) =>
    async () =>
      (await platform.send(operation, { params })).body;

  const transaction = (platform: TestPlatform, transactionId: string) =>
    reading(platform, 'getTransactionById', { transactionId });

  const coinScene = once(async () => {
    const platform = await givenPlatform(world);
    return { platform, coin: await givenCoin(platform) };
  });

  /** A mint or burn, or its refusal. */
  const asOperation = (platform: TestPlatform, { body }: { body: { id?: string } }) => ({
    platform,
    read: body.id
      ? reading(platform, 'getStablecoinOperation', { stablecoinOperationId: body.id })
      : async () => body,
  });

  /** A payment to a platform that requires every field of its sender. */
  const informedScene = once(async () => {
    const platform = await givenPlatform(world);
    const [first, ...others] = (await platform.call('getPlatformConfig')).body.supportedCurrencies;
    const requiredCounterpartyFields = Object.keys(SENDER_INFORMATION).map((name) => ({
      name,
      mandatory: true,
    }));
    const supportedCurrencies = [{ ...first, requiredCounterpartyFields }, ...others];
    await platform.call('updatePlatformConfig', { body: { supportedCurrencies } });
    await platform.receive();
    const made = await platform.call('sandboxReceive', {
      body: {
        senderUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}`,
        customerId: (await givenPayer(platform, 0)).id,
        receivingCurrencyCode: first.currencyCode,
        receivingCurrencyAmount: 5_000,
      },
    });
    return { platform, read: transaction(platform, made.body.id) };
  });

  const TRIES: Record<string, Try> = {
    async 'cross-currency-payouts'(iban) {
      const { platform, payer } = await scenes.crossing();
      const to = await givenExternalAccount(platform, 'EUR_ACCOUNT', { iban }, { customerId: payer.id });
      const more = { immediatelyExecute: true };
      const quote = await quoted(platform, { from: payer.account('USD').id, to: to.id, more });
      return { platform, read: transaction(platform, quote.transactionId) };
    },
    async 'same-currency-payouts'(accountNumber) {
      const { platform, payer } = await scenes.withinOne();
      const rest = { customerId: payer.id };
      const to = await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber }, rest);
      const reply = await platform.call('createTransferOut', {
        body: {
          source: { accountId: payer.account('USD').id },
          destination: { accountId: to.id },
          amount: 5_000,
        },
      });
      return { platform, read: transaction(platform, reply.body.id) };
    },
    async pulls(accountNumber) {
      const { platform, payer } = await scenes.pulling();
      const rest = { customerId: payer.id };
      const from = await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber }, rest);
      const reply = await platform.call('createTransferIn', {
        body: {
          source: { accountId: from.id },
          destination: { accountId: payer.account('USD').id },
          amount: 5_000,
        },
      });
      return { platform, read: transaction(platform, reply.body.id) };
    },
    async 'uma-receivers'(receiverUmaAddress) {
      const { platform, payer } = await scenes.umaReceivers();
      const lookup = (await platform.call('lookupUma', { params: { receiverUmaAddress } })).body;
      if (lookup.lookupId === undefined) return { platform, read: async () => ({ lookup }) };
      const from = payer.account('USD').id;
      const more = { lookupId: lookup.lookupId, immediatelyExecute: true };
      const quote = (await askQuote(platform, { from, to: receiverUmaAddress, more })).body;
      const read = async () => ({
        lookup,
        quote,
        ...(quote.transactionId && {
          transaction: await transaction(platform, quote.transactionId)(),
        }),
      });
      return { platform, read };
    },
    async 'uma-senders'(senderUmaAddress) {
      const platform = await givenPlatform(world);
      (await platform.receive()).answer({ status: 202 });
      const { id } = await givenPayer(platform, 0, { nationality: undefined });
      const offer = { customerId: id, receivingCurrencyCode: 'USD', receivingCurrencyAmount: 5_000 };
      const made = (await platform.call('sandboxReceive', { body: { ...offer, senderUmaAddress } })).body;
      if (made.id === undefined) return { platform, read: async () => ({ transaction: made }) };
      await world.app.worker.settle(platform.id);
      const params = { transactionId: made.id };
      const approval = (await platform.call('approvePendingPayment', { params })).body;
      const read = async () => ({ approval, transaction: await transaction(platform, made.id)() });
      return { platform, read };
    },
    'uma-sender-information': async () => informedScene(),
    async invitees(inviteeUma) {
      const platform = await world.platform();
      const { umaAddress } = await givenCustomer(platform);
      const { code } = (await platform.call('createInvitation', { body: { inviterUma: umaAddress } })).body;
      const params = { invitationCode: code };
      await platform.call('claimInvitation', { params, body: { inviteeUma } });
      return { platform, read: reading(platform, 'getInvitation', params) };
    },
    async 'uma-domains'(umaDomain) {
      const platform = await world.platform();
      const { body } = await platform.call('updatePlatformConfig', { body: { umaDomain } });
      return { platform, read: async () => body };
    },
    async 'name-check'(iban) {
      const platform = await world.platform();
      const { body } = await addAccount(platform, buildAccountRequest('EUR_ACCOUNT', { iban }));
      if (body.id === undefined) return { platform, read: async () => body };
      const read = reading(platform, 'getCustomerExternalAccountById', { externalAccountId: body.id });
      return { platform, read };
    },
    async 'us-accounts'(routingNumber) {
      const { platform, payer } = await scenes.usAccounts();
      const rest = { customerId: payer.id };
      const { id } = await givenExternalAccount(platform, 'USD_ACCOUNT', { routingNumber }, rest);
      const wish = { from: id, to: payer.account('USD').id };
      return { platform, read: async () => ({ quote: (await askQuote(platform, wish)).body }) };
    },
    async liveness(address) {
      const platform = await world.platform({ settings: { counterpartyRequirements: true } });
      const fields = { address, vaspName: undefined };
      const own = { ownershipType: 'FIRST_PARTY' };
      const { id } = await givenExternalAccount(platform, 'BASE_WALLET', fields, own);
      const params = { externalAccountId: id };
      const body = { method: 'LIVENESS' };
      await platform.call('createExternalAccountOwnershipChallenge', { params, body });
      return { platform, read: reading(platform, 'getCustomerExternalAccountById', params) };
    },
    async 'people-at-create'(fullName) {
      const platform = await world.platform(LIGHT);
      const { id } = await givenCustomer(platform, { ...PERSON, fullName });
      return { platform, read: reading(platform, 'getCustomerById', { customerId: id }) };
    },
    async 'people-submitted'(fullName) {
      const platform = await world.platform();
      return verified(platform, (await givenCompletePerson(platform, fullName)).id);
    },
    async 'businesses-submitted'(registrationNumber) {
      const platform = await world.platform();
      return verified(platform, (await givenCompleteBusiness(platform, registrationNumber)).id);
    },
    async 'beneficial-owners'(lastName) {
      const platform = await world.platform(LIGHT);
      const business = await givenBusiness(platform);
      const early = await givenOwner(platform, business.id, { lastName });
      await submitted(platform, business.id);
      const late = await givenOwner(platform, business.id, { lastName });
      const read = async () => {
        const [first, second] = await Promise.all(
          [early, late].map(({ id }) => reading(platform, 'getBeneficialOwner', { beneficialOwnerId: id })()),
        );
        assert.equal(first?.kycStatus, second?.kycStatus);
        return first;
      };
      return { platform, read };
    },
    async documents(name) {
      const platform = await world.platform();
      const form = documentForm(documentFields((await givenCustomer(platform)).id), { name });
      const { body } = await platform.call('uploadDocument', { body: form });
      return { platform, read: async () => body };
    },
    async codes(code) {
      const platform = await world.platform();
      const params = { customerId: (await givenCustomer(platform, EUROPEAN)).id };
      await platform.call('sendCustomerEmailVerification', { params });
      const { body } = await platform.call('confirmCustomerEmailVerification', { params, body: { code } });
      return { platform, read: async () => body };
    },
    async wallets(email) {
      const platform = await world.platform();
      const wallet = await givenWallet(platform, { ...PERSON, email });
      const params = { id: wallet.credentialId };
      const read = async () => ({
        account: inCurrency(await fetchAccounts(platform, wallet.customer.id), 'USDB'),
        challenge: (await platform.send('challengeAuthCredential', { params })).body,
      });
      return { platform, read };
    },
    async 'card-codes'(code) {
      const platform = await givenCardPlatform(world);
      const params = { id: (await givenCard(platform)).id };
      const simulate = (body: object) => platform.send('sandboxSimulateCardTokenization', { params, body });
      await simulate({ channel: 'EMAIL' });
      const { status, body } = await simulate({ code });
      return { platform, read: async () => ({ ...body, status }) };
    },
    async 'sca-codes'(code) {
      const platform = await givenPlatform(world);
      const waiting = await givenWaiting(platform, await givenScaPayer(platform));
      const { body } = await authorize(platform, waiting.id, { code });
      return { platform, read: async () => body };
    },
    async 'authenticator-codes'(code) {
      const platform = await world.platform();
      const customer = await givenEuropean(platform);
      await givenTotp(platform, customer);
      const login = { ...(await startedLogin(platform, customer, 'TOTP')), code };
      const query = { customerId: customer.id };
      const { body } = await platform.call('completeScaLogin', { query, body: login });
      return { platform, read: async () => body };
    },
    async 'factor-resets'(search) {
      const platform = await world.platform();
      const query = { customerId: (await givenEuropean(platform)).id };
      const started = await platform.call('startTwoFactorReset', { query, body: { factor: 'SMS_OTP' } });
      const { resetId, verificationLink } = started.body;
      const { pathname } = new URL(String(verificationLink));
      const page = await world.app.http.inject({ method: 'GET', url: `${pathname}${search}` });
      assert.equal(page.statusCode, 200);
      const read = async () =>
        (await platform.call('getTwoFactorResetStatus', { query, params: { resetId } })).body;
      return { platform, read };
    },
    async 'wallet-codes'(code) {
      const { platform, credentialId: id } = await walletScene();
      const challenge = await platform.send('challengeAuthCredential', { params: { id } });
      const key = newClientKey();
      const bundle = await sealCode(challenge.body.otpEncryptionTargetBundle, key, code);
      const call = { params: { id }, body: { type: 'EMAIL_OTP', encryptedOtpBundle: bundle } };
      const first = await platform.send('verifyAuthCredential', call);
      if (first.status !== 202) return { platform, read: async () => first.body };
      const headers = await signedHeaders(key, first.body as never);
      const { body } = await platform.send('verifyAuthCredential', { ...call, headers });
      return { platform, read: async () => body };
    },
    async 'wallet-signatures'(signature) {
      const { platform, accountId: id } = await walletScene();
      const call = { params: { id }, body: { privateEnabled: true } };
      const { body } = await callStamped(platform, 'updateInternalAccount', call, signature);
      return { platform, read: async () => body };
    },
    async 'passkey-signatures'(signature) {
      const { platform, accountId } = await walletScene();
      const [passkey, challenge] = [createPasskey(), 'Y2hhbGxlbmdl'];
      const registration = { nickname: 'Phone', challenge, attestation: passkey.register(challenge) };
      const { body: added } = await callStamped(platform, 'createAuthCredential', {
        body: { type: 'PASSKEY', accountId, ...registration },
      });
      const params = { id: String(added.id) };
      const asked = await platform.send('challengeAuthCredential', {
        params,
        body: { clientPublicKey: newClientKey().compressed },
      });
      const { challenge: login, requestId } = asked.body;
      const { body } = await platform.send('verifyAuthCredential', {
        params,
        body: { type: 'PASSKEY', assertion: { ...passkey.assert(login), signature } },
        headers: { 'request-id': requestId },
      });
      return { platform, read: async () => body };
    },
    async 'id-tokens'(oidcToken) {
      const { platform, accountId } = await walletScene();
      const { body } = await platform.send('createAuthCredential', {
        body: { type: 'OAUTH', accountId, oidcToken },
      });
      return { platform, read: async () => body };
    },
    async 'wallet-contacts'(email) {
      const { platform, customer } = await walletScene();
      const call = { params: { customerId: customer.id }, body: { customerType: 'INDIVIDUAL', email } };
      const { body } = await callStamped(platform, 'updateCustomerById', call);
      return { platform, read: async () => body };
    },
    async 'card-issuance'(platformCardId) {
      const { platform, payer } = await scenes.cards();
      const { id } = await givenNewCard(platform, payer, { platformCardId });
      return { platform, read: () => readCard(platform, id) };
    },
    async 'card-funding'(fundingSource) {
      const { platform, payer } = await scenes.cards();
      const { body } = await askCard(platform, payer, { fundingSource });
      return { platform, read: async () => body };
    },
    async 'card-merchants'(descriptor) {
      const { platform, payer } = await scenes.purchases();
      const cardId = (await givenCard(platform, payer)).id;
      const { id } = await bought(world, platform, cardId, 1_250, descriptor);
      // They make a second transaction, so the list is checked.
      const isTwofold = /01[34]$/.test(descriptor);
      const listed = async () => (await platform.send('listTransactions', { query: { cardId } })).body;
      return { platform, read: isTwofold ? listed : transaction(platform, id) };
    },
    async 'stablecoin-logins'(apiClientId) {
      const platform = await world.platform();
      const { body } = await askLink(platform, { apiClientId });
      if (body.id === undefined) return { platform, read: async () => body };
      const params = { stablecoinProviderAccountId: body.id };
      return { platform, read: reading(platform, 'getStablecoinProviderAccount', params) };
    },
    async 'stablecoin-tokens'(providerTokenIdentifier) {
      const platform = await world.platform();
      await givenLink(platform);
      const { body } = await askCoin(platform, { providerTokenIdentifier });
      if (body.id === undefined) return { platform, read: async () => body };
      return { platform, read: reading(platform, 'getStablecoin', { stablecoinId: body.id }) };
    },
    async 'stablecoin-enablement'(providerTokenIdentifier) {
      const platform = await world.platform();
      const params = { stablecoinId: (await givenCoin(platform, { providerTokenIdentifier })).id };
      await platform.call('requestStablecoinEnablement', { params });
      return { platform, read: reading(platform, 'getStablecoin', params) };
    },
    async 'stablecoin-operations'(description) {
      const { platform, coin } = await coinScene();
      const accountId = (await givenSparkWallet(platform, description)).id;
      return asOperation(
        platform,
        await askMint(platform, coin, { destination: { accountId }, description }),
      );
    },
    async 'stablecoin-debits'(accountNumber) {
      const { platform, coin } = await coinScene();
      const { id: externalAccountId } = await givenExternalAccount(platform, 'USD_ACCOUNT', {
        accountNumber,
      });
      const fundingSource = { type: 'ACH_DEBIT', externalAccountId };
      const accountId = (await givenSparkWallet(platform, accountNumber)).id;
      return asOperation(
        platform,
        await askMint(platform, coin, { fundingSource, destination: { accountId } }),
      );
    },
    async 'stablecoin-accounts'(accountNumber) {
      const { platform, coin } = await coinScene();
      const { id: externalAccountId } = await givenExternalAccount(platform, 'USD_ACCOUNT', {
        accountNumber,
      });
      const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail: 'WIRE' };
      const { body } = await askBurn(platform, coin, { destination });
      return { platform, read: async () => body };
    },
    async rates(destinationCurrency) {
      const platform = await anyPlatform();
      const query = { sourceCurrency: 'USD', destinationCurrency };
      const read = async () => (await platform.call('getExchangeRates', { query })).body.data[0];
      return { platform, read };
    },
    async 'network-fees'(cryptoNetwork) {
      const platform = await anyPlatform();
      const currency =
        ['BTC', 'USDC', 'USDT'].find((code) => supportsCurrency(cryptoNetwork as Network, code)) ?? '';
      await supports(platform, [currency]);
      const internalAccountId = inCurrency(await platformAccounts(platform), currency).id;
      const wallet = EXAMPLES[`${cryptoNetwork}_WALLET`] ?? EXAMPLES.SPARK_WALLET;
      const destinationAddress =
        cryptoNetwork === 'LIGHTNING' ? EXAMPLES.LIGHTNING?.info.lightningAddress : wallet?.info.address;
      const body = { internalAccountId, currency, cryptoNetwork, amount: 100_000_000, destinationAddress };
      const read = async () => (await platform.send('estimateCryptoWithdrawalFee', { body })).body;
      return { platform, read };
    },
    async delays(body) {
      const platform = await world.platform();
      const { body: moved } = await platform.send('advanceSandboxClock', { body });
      return { platform, read: async () => moved };
    },
  };

  async function walletScene() {
    const platform = await world.platform();
    return { platform, ...(await givenWallet(platform)) };
  }

  async function verified(platform: TestPlatform, customerId: string) {
    const { id } = await submitted(platform, customerId);
    const read = async () => ({
      verification: await reading(platform, 'getVerification', { verificationId: id })(),
      customer: await reading(platform, 'getCustomerById', { customerId })(),
    });
    return { platform, read };
  }

  async function assertHappens(
    { value, example, shows, overAfterMs }: SandboxRow,
    attempt: Try,
  ): Promise<void> {
    const { platform, read } = await attempt(
      example.replace(UMA_DOMAIN_PLACEHOLDER, TEST_DOMAINS.sandboxUmaDomain),
    );
    const seen = async () => ({ value, ...picked(await read(), Object.keys(shows)) });
    const expected = { value, ...shows };
    if (overAfterMs === undefined) {
      await advance(platform, HOUR_SECONDS);
    } else {
      const seconds = overAfterMs / SECOND_MS;
      if (seconds > 1) await advance(platform, seconds - 1);
      assert.notDeepEqual(await seen(), expected, 'it is over too early');
      await advance(platform, 1);
    }
    assert.deepEqual(await seen(), expected);
  }

  it('are all tested here, each with rows of its own', () => {
    assert.deepEqual(SANDBOX_TABLES.map(({ id }) => id).sort(), Object.keys(TRIES).sort());
    for (const table of SANDBOX_TABLES) {
      const values = rowsOf(table).map(({ value }) => value);
      assert.equal(new Set(values).size, values.length, table.id);
    }
  });

  it('name existing operations', () => {
    const known = new Set(world.app.operations.map(({ id }) => id));
    const named = SANDBOX_TABLES.flatMap(({ operations }) => operations);
    assert.deepEqual(
      named.filter((id) => !known.has(id)),
      [],
    );
  });

  for (const table of SANDBOX_TABLES) {
    it(`${table.title}: the effect of each row happens, and not earlier than stated`, async () => {
      for (const row of rowsOf(table)) await assertHappens(row, TRIES[table.id] as Try);
    });
  }

  it('customers.md §9: the sandbox holds no customer by itself', () => {
    const told = JSON.stringify(SANDBOX_TABLES.flatMap(rowsOf).map(({ shows }) => shows));
    assert.match(told, /"PENDING_MANUAL_REVIEW"/);
    assert.doesNotMatch(told, /"HOLD"/);
  });

  it('money.md §9.7: every delay is used', async () => {
    const files = (await Array.fromAsync(glob('src/edge/sandbox/**/*.ts'))).filter(
      (path) => !/\.test\.ts$|delays-table\.ts$/.test(path),
    );
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
    const unused = Object.keys(DELAYS).filter(
      (name) => !texts.some((text) => text.includes(`DELAYS.${name}.ms`)),
    );
    assert.deepEqual(unused, []);
  });

  it('a sender’s provider discloses every field that a platform can require', () => {
    const { enum: fields } = CustomerInfoFieldName as unknown as { enum: string[] };
    assert.deepEqual(Object.keys(SENDER_INFORMATION).sort(), fields.toSorted());
  });
});

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The values at these paths. */
function picked(from: unknown, paths: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    paths.map((path) => [
      path,
      path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], from),
    ]),
  );
}
