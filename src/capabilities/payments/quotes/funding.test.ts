import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isBitcoinAddress } from '#foundation/lib/identifiers/bitcoin-address.ts';
import { hasValidCrc } from '#foundation/lib/identifiers/brazil.ts';
import { invoiceExpiry } from '#foundation/lib/identifiers/lightning.ts';
import { sparkIdentityKey } from '#foundation/lib/identifiers/spark.ts';
import { isWalletAddress } from '#foundation/lib/identifiers/wallet-address.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { supports } from '#tests/given/accounts.ts';
import { refusedFields } from '#tests/given/external-accounts.ts';
import {
  givenOutside,
  givenPayer,
  givenPlatform,
  type Payer,
  readTransaction,
} from '#tests/given/payments.ts';
import { askQuote, quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const FIAT = ['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'CAD', 'COP', 'KES', 'VND', 'XOF', 'DKK'];

describe('ways to fund a quote', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform, 0);
    await supports(platform, [...FIAT, 'BTC', 'USDC', 'USDT', 'USDB']);
  });

  async function instructions(realtime: string, network?: string, send = 100_000) {
    const from = { realtime, ...(network !== undefined && { network }) };
    return (await quoted(platform, { from, to: payer.account('EUR').id, send })).paymentInstructions;
  }

  const infos = async (currency: string, network?: string, send?: number) =>
    infosOf(await instructions(currency, network, send));

  it('money.md §2.9: one bank entry for every fiat currency, over its instant rails', async () => {
    const wanted: Record<string, [string, string[] | undefined]> = {
      USD: ['USD_ACCOUNT', ['RTP', 'FEDNOW']],
      EUR: ['EUR_ACCOUNT', ['SEPA_INSTANT']],
      GBP: ['GBP_ACCOUNT', ['FASTER_PAYMENTS']],
      MXN: ['MXN_ACCOUNT', ['SPEI']],
      BRL: ['BRL_ACCOUNT', undefined],
      INR: ['INR_ACCOUNT', ['UPI']],
    };
    for (const currency of FIAT) {
      const entries = await infos(currency);
      assert.equal(entries.length, 1, currency);
      const [accountType, rails] = wanted[currency] ?? [entries[0].accountType, entries[0].paymentRails];
      assert.equal(entries[0].accountType, accountType);
      assert.deepEqual(entries[0].paymentRails, rails);
    }
    assert.ok(hasValidCrc((await infos('BRL'))[0].qrCode));
  });

  it('money.md §2.9: the reference is the quote’s own and reconciles the transaction', async () => {
    const seen = new Set<string>();
    for (const currency of ['USD', 'EUR', 'KES', 'USD']) {
      const from = { realtime: currency };
      const quote = await quoted(platform, { from, to: payer.account('EUR').id });
      const [{ reference }] = infosOf(quote.paymentInstructions);
      assert.match(reference, /^SVC-Q[A-Z2-7]{8}$/);
      const transaction = await readTransaction(platform, quote.transactionId);
      assert.equal(transaction.reconciliationInstructions.reference, reference);
      assert.deepEqual(transaction.paymentInstructions, quote.paymentInstructions);
      seen.add(reference);
    }
    assert.equal(seen.size, 4);
  });

  it('money.md §2.9: under another service name new references carry that name, and existing ones stay unchanged', async () => {
    const { runtime } = world.app;
    const { names } = runtime;
    const quote = () => quoted(platform, { from: { realtime: 'USD' }, to: payer.account('EUR').id });
    const before = await quote();
    Object.assign(runtime, { names: wireNames('Acme') });
    try {
      const { transactionId } = await quote();
      const { reference } = (await readTransaction(platform, transactionId)).reconciliationInstructions;
      assert.match(reference, /^ACME-Q[A-Z2-7]{8}$/);
      const earlier = await readTransaction(platform, before.transactionId);
      assert.match(earlier.reconciliationInstructions.reference, /^SVC-Q[A-Z2-7]{8}$/);
    } finally {
      Object.assign(runtime, { names });
    }
  });

  it('money.md §2.9: bitcoin has three entries, each for exactly this quote', async () => {
    const quote = await quoted(platform, {
      from: { realtime: 'BTC' },
      to: payer.account('EUR').id,
      send: 123_456,
    });
    const [spark, lightning, chain] = infosOf(quote.paymentInstructions);
    assert.deepEqual(
      [spark.accountType, lightning.accountType, chain.accountType],
      ['SPARK_WALLET', 'LIGHTNING', 'BITCOIN_L1'],
    );
    assert.equal(spark.assetType, 'BTC');
    assert.deepEqual(sparkIdentityKey(spark.invoice), sparkIdentityKey(spark.address));
    assert.match(lightning.invoice, /^lntb1234560n1/);
    const expiry = invoiceExpiry(lightning.invoice)?.getTime() ?? 0;
    assert.ok(Math.abs(expiry - Date.parse(quote.expiresAt)) < 1000);
    assert.equal(chain.network, 'BITCOIN');
    assert.ok(isBitcoinAddress(chain.address));
    const [other] = await infos('BTC');
    assert.notEqual(other.address, spark.address);
    assert.notEqual(other.invoice, spark.invoice);
  });

  it('money.md §2.9: a stablecoin has one entry, for the requested network', async () => {
    const pairs: [string, string][] = [
      ['USDC', 'SOLANA'],
      ['USDC', 'BASE'],
      ['USDC', 'POLYGON'],
      ['USDC', 'ETHEREUM'],
      ['USDT', 'TRON'],
      ['USDT', 'PLASMA'],
      ['USDT', 'ETHEREUM'],
      ['USDT', 'SOLANA'],
      ['USDB', 'SPARK'],
    ];
    for (const [currency, network] of pairs) {
      const entries = await infos(currency, network, 5_000_000);
      assert.equal(entries.length, 1);
      assert.equal(entries[0].accountType, `${network}_WALLET`);
      assert.equal(entries[0].assetType, currency);
      assert.ok(isWalletAddress(entries[0].accountType as 'BASE_WALLET', entries[0].address));
    }
  });

  it('money.md §2.9: a stablecoin without a network, or over one that does not carry it → INVALID_INPUT', async () => {
    const to = payer.account('EUR').id;
    for (const network of [undefined, 'TRON', 'BITCOIN', 'ARBITRUM', 'solana']) {
      const from = { realtime: 'USDC', ...(network !== undefined && { network }) };
      const reply = await askQuote(platform, { from, to });
      assert.deepEqual(refusedFields(reply), ['source.cryptoNetwork']);
      assert.deepEqual(reply.body.details.errors[0].constraint.enum, [
        'ETHEREUM',
        'SOLANA',
        'BASE',
        'POLYGON',
      ]);
    }
  });

  it('money.md §2.9: a quote from an account has none', async () => {
    const to = await givenOutside(platform, payer.id);
    const quote = await quoted(platform, { from: payer.account('USD').id, to });
    assert.equal(quote.paymentInstructions, undefined);
  });

  it('money.md §2.9: the entries name the owner of the money', async () => {
    const to = await givenOutside(platform, undefined);
    const own = await quoted(platform, { from: { realtime: 'USD' }, to });
    assert.equal(own.paymentInstructions[0].isPlatformAccount, true);
    assert.equal(own.paymentInstructions[0].accountOrWalletInfo.accountHolderName, 'Svc FBO Test platform');
    const theirs = await quoted(platform, { from: { realtime: 'USD', customerId: payer.id }, to });
    assert.equal(theirs.paymentInstructions[0].isPlatformAccount, false);
    assert.equal(theirs.paymentInstructions[0].accountOrWalletInfo.accountHolderName, 'Svc FBO Ada Lovelace');
  });

  it('in production real-time funding is not available yet → 501, and nothing is stored', async () => {
    const live = await givenPlatform(world, { environment: 'PRODUCTION' });
    await givenRates(world);
    const accounts = await live.call('listPlatformInternalAccounts');
    const work = await live.work();
    await work.write(async (tx) => {
      await tx.sql`update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED' where platform_id = ${tx.platformId}`;
    });
    const to = accounts.body.data.find(({ balance }) => balance.currency.code === 'EUR');
    const reply = await askQuote(live, { from: { realtime: 'USD' }, to: to?.id ?? '' });
    assert.equal(reply.status, 501, reply.raw);
  });
});

/** The fields depend on the rail; the reply is checked against the schema. */
function infosOf(instructions: readonly { accountOrWalletInfo: object }[]): [Info, Info, Info, ...Info[]] {
  return instructions.map(({ accountOrWalletInfo }) => accountOrWalletInfo) as [Info, Info, Info, ...Info[]];
}

type Info = Readonly<
  Record<'accountType' | 'assetType' | 'address' | 'invoice' | 'network' | 'qrCode' | 'reference', string>
> & {
  readonly paymentRails?: string[];
};
