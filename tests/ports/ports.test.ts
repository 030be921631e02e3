import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { addConnector } from '#capabilities/connectors/registry.ts';
import { noRails } from '#edge/providers/no-provider.ts';
import { operatorMessages } from '#edge/providers/operator-messages.ts';
import type { ProviderSettings } from '#edge/providers/settings.ts';
import { sandboxRails } from '#edge/sandbox/rails/rails.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import type { RailsPort } from '#foundation/ports/payments.ts';
import type { Ports } from '#foundation/ports/ports.ts';
import { sealedStorage } from '#foundation/uploads/storage/open-storage.ts';
import { s3Store } from '#foundation/uploads/storage/s3-store.ts';
import { ANY_ORDER } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { givenRates } from '#tests/given/rates.ts';
import { handClock } from '#tests/harness/hand-clock.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { createIssuer, type TestIssuer } from '#tests/harness/issuer.ts';
import { createMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';
import { type S3StandIn, startS3StandIn } from '#tests/harness/s3-stand-in.ts';
import {
  accountScreeningSuite,
  factorResetSuite,
  nameCheckSuite,
  networkFeesSuite,
  ownershipSuite,
  ownFundingSuite,
  provisioningSuite,
  quoteFundingSuite,
  usAccountsSuite,
} from '#tests/ports/accounts.ts';
import { cardsSuite } from '#tests/ports/cards.ts';
import { counterpartiesSuite } from '#tests/ports/counterparties.ts';
import { explanationsSuite } from '#tests/ports/explanations.ts';
import {
  authenticatorCodesSuite,
  custodySuite,
  hostedLinksSuite,
  identitySuite,
  inviteesSuite,
  issuersSuite,
  messagesSuite,
  umaDomainsSuite,
  walletSignaturesSuite,
} from '#tests/ports/people.ts';
import { assertOrdersEnd, railsSuite, type SettlesByItself } from '#tests/ports/rails.ts';
import { ratesSuite } from '#tests/ports/rates.ts';
import type { Suite } from '#tests/ports/shape.ts';
import { stablecoinsSuite } from '#tests/ports/stablecoins.ts';
import { storageSuite } from '#tests/ports/storage.ts';

let google: TestIssuer;

/** The guarantees of every adapter that the core relies on: a new port needs a suite, and every adapter passes it. */
const suitesOf = (environment: Environment): { readonly [Name in keyof Ports]: Suite<Ports[Name]> } => ({
  accountScreening: accountScreeningSuite,
  authenticatorCodes: authenticatorCodesSuite,
  cards: cardsSuite,
  counterparties: counterpartiesSuite,
  explanations: explanationsSuite(environment),
  factorReset: factorResetSuite,
  custody: custodySuite,
  hostedLinks: hostedLinksSuite,
  identity: identitySuite,
  invitees: inviteesSuite,
  issuers: issuersSuite(() => google),
  messages: messagesSuite,
  nameCheck: nameCheckSuite,
  networkFees: networkFeesSuite,
  ownership: ownershipSuite,
  provisioning: provisioningSuite,
  quoteFunding: ownFundingSuite,
  rails: railsSuite(SETTLES[environment]),
  rates: ratesSuite,
  stablecoins: stablecoinsSuite,
  storage: storageSuite,
  umaDomains: umaDomainsSuite,
  usAccounts: usAccountsSuite,
  walletSignatures: walletSignaturesSuite,
});

/** Production has the books alone (`noRails`): money that goes outside waits for the operator. */
const SETTLES: Readonly<Record<Environment, SettlesByItself>> = {
  SANDBOX: 'all orders',
  PRODUCTION: 'orders within our ledger',
};

describe('the adapters that src/app/adapters.ts brings', () => {
  const providers: { -readonly [Name in keyof ProviderSettings]: ProviderSettings[Name] } = {};
  let mail: MailServer;
  let gateway: Receiver;
  before(async () => {
    mail = await createMailServer();
    gateway = await createReceiver();
    providers.email = { host: '127.0.0.1', port: mail.port, encryption: 'none', from: 'codes@acme.example' };
    providers.sms = { url: gateway.url };
    google = await createIssuer();
    providers.issuers = [google];
  });
  after(async () => {
    await mail.close();
    await gateway.close();
    await google.keys.close();
  });
  const world = testWorld({ providers: () => providers });
  before(() => givenRates(world));

  for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
    describe(environment, () => {
      let platform: TestPlatform;
      before(async () => {
        platform = await world.platform({ environment });
      });
      const suites = suitesOf(environment);
      const run = <Name extends keyof Ports>(name: Name) => {
        const port = () => world.app.runtime.ports(environment)[name];
        describe(name, () => suites[name](port, () => platform.id));
      };
      for (const name of Object.keys(suites)) run(name as keyof Ports);
    });
  }
});

describe('production with a connector that opens accounts, checks names and pays', () => {
  const world = testWorld();
  let platform: TestPlatform;
  before(async () => {
    platform = await world.platform({ environment: 'PRODUCTION' });
    await onInstallation(world, async (tx) => {
      const about = { name: 'bank', reason: 'test' };
      await addConnector(tx, { ...about, url: 'http://127.0.0.1:9' });
      await setRoute(tx, { ...about, number: 1, ...ANY_ORDER });
    });
    const types = ['USD_ACCOUNT', 'EUR_ACCOUNT', 'MXN_ACCOUNT', 'SOLANA_WALLET'];
    const pooled = { id: 'main', currency: 'USD', label: 'Main', zone: 'UTC' };
    const coordinates = { USD_ACCOUNT: { accountNumber: '1000000000', routingNumber: '021000021' } };
    const capabilities = {
      ...EUR_ACCOUNTS,
      settlementAccounts: [{ ...pooled, coordinates }],
      accounts: [{ currency: 'USD', accountTypes: types }],
      nameChecks: types,
    };
    await world.database.query(
      sql`update connectors set store = 's', capabilities = ${JSON.stringify(capabilities)}::jsonb`,
    );
  });
  const ports = () => world.app.runtime.ports('PRODUCTION');
  const id = () => platform.id;

  describe('provisioning', () => provisioningSuite(() => ports().provisioning, id));
  describe('nameCheck', () => nameCheckSuite(() => ports().nameCheck, id));
  describe('quoteFunding', () => quoteFundingSuite(() => ports().quoteFunding, id));
});

describe('other adapters', () => {
  const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret', region: 'eu-central-1' };
  const clock = handClock();
  let bucket: S3StandIn;
  before(async () => {
    bucket = await startS3StandIn(keys, () => clock.now());
  });
  after(() => bucket.close());

  describe('storage in a bucket', () =>
    storageSuite(() => {
      const place = { endpoint: bucket.url, bucket: 'papers', prefix: 'live/', ...keys };
      return sealedStorage(s3Store(place, { clock, retryAfterMs: [] }));
    }, newUuid));
  describe('messages without a message provider', () => messagesSuite(() => operatorMessages({}), newUuid));
});

describe('the suite of the rails finds an adapter that', () => {
  const nothing = async () => ({ notices: [] });
  const swallowing: Record<string, Partial<RailsPort>> = {
    'swallows payouts': { pay: nothing },
    'accepts payouts and forgets them': { pay: async () => ({ notices: [{ kind: 'accepted' }] }) },
    'swallows pulls': { collect: nothing },
    'swallows refunds': { refund: nothing },
    'knows nothing more when it is asked again': { follow: nothing },
  };
  for (const [what, broken] of Object.entries(swallowing)) {
    it(what, () =>
      assert.rejects(assertOrdersEnd({ ...sandboxRails, ...broken }, 'all orders'), /never comes to an end/),
    );
  }

  it('does nothing within our ledger, while all others wait for a notice', () =>
    assert.rejects(
      assertOrdersEnd({ ...noRails, pay: nothing }, 'orders within our ledger'),
      /never comes to an end/,
    ));

  it('ends an order twice', () =>
    assert.rejects(
      assertOrdersEnd(
        { ...noRails, pay: async () => ({ notices: [{ kind: 'delivered' }, { kind: 'delivered' }] }) },
        'orders within our ledger',
      ),
      /ends more than once/,
    ));
});
