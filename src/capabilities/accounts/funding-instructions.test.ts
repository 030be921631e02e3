import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  buildHolderName,
  fundingEntriesOf,
  fundingInstructions,
  fundingReference,
  needsReference,
} from '#capabilities/accounts/funding-instructions.ts';
import { PaymentInstructions } from '#capabilities/accounts/payment-instruction-schemas.ts';
import { chooseAccountType } from '#capabilities/accounts/rules.ts';
import { sandboxProvisioning } from '#edge/sandbox/accounts/provisioning.ts';
import { validate } from '#foundation/http/read/validate.ts';
import { currencyCodes } from '#foundation/lib/currencies.ts';
import {
  isAbaRoutingNumber,
  isClabe,
  isCvu,
  isSepaIban,
} from '#foundation/lib/identifiers/account-numbers.ts';
import { hasValidCrc } from '#foundation/lib/identifiers/brazil.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

const REFERENCED = 'AED CAD HKD IDR MYR NGN PHP SGD THB VND ZAR EUR DKK GBP MXN USD'.split(' ');
const PLAIN = 'BRL INR COP ARS'.split(' ');
const DIGITAL: Record<string, string[]> = {
  BTC: ['SPARK_WALLET', 'BITCOIN_L1'],
  USDC: ['SOLANA_WALLET', 'BASE_WALLET', 'POLYGON_WALLET', 'ETHEREUM_WALLET'],
  USDT: ['TRON_WALLET', 'ETHEREUM_WALLET', 'PLASMA_WALLET', 'SOLANA_WALLET'],
  USDB: ['SPARK_WALLET'],
  GLOBEX: ['SPARK_WALLET'],
};

function instructionsIn(currency: string, owner: 'customer' | 'platform' = 'platform', fill = 7) {
  const seed = new Uint8Array(32).fill(fill);
  const type = chooseAccountType(currency, owner);
  const reference = needsReference({ type, currency }) ? fundingReference(seed) : undefined;
  const account = { type, currency, holderName: 'Svc FBO Rosa Diaz', reference };
  const accountTypes = fundingEntriesOf(account).map(({ accountType }) => accountType);
  const platformId = newUuid<'Platform'>();
  const { holderName } = account;
  const request = { accountId: 'a', platformId, currency, holderName, accountTypes, seed };
  return fundingInstructions(account, sandboxProvisioning.atOpening(request) ?? {});
}

const infoIn = (currency: string) =>
  instructionsIn(currency)[0]?.accountOrWalletInfo as Record<string, unknown> & { accountType: string };

describe('fundingInstructions', () => {
  it('accounts.md §2.4: every entry of every currency matches the schema of replies', () => {
    for (const currency of [...currencyCodes(), 'GLOBEX']) {
      for (const entry of instructionsIn(currency)) validate(PaymentInstructions, entry);
    }
  });

  it('accounts.md §2.4: bank accounts have their reference and rails, and no data of another account', () => {
    for (const currency of REFERENCED) {
      const info = infoIn(currency);
      assert.equal(info.accountType, `${currency}_ACCOUNT`);
      assert.match(String(info.reference), /^FUND-[0-9A-HJKMNP-TV-Z]{8}$/, currency);
      assert.ok((info.paymentRails as string[]).length > 0, currency);
    }
  });

  it('accounts.md §2.4: BRL, INR, COP and ARS have no reference: their coordinates identify the account', () => {
    for (const currency of PLAIN) {
      const info = infoIn(currency);
      assert.equal(info.accountType, `${currency}_ACCOUNT`);
      assert.equal('reference' in info, false, currency);
    }
    assert.deepEqual(infoIn('INR').paymentRails, ['UPI']);
    assert.ok(hasValidCrc(String(infoIn('BRL').qrCode)));
    assert.ok(isCvu(String(infoIn('ARS').accountNumber)));
    assert.ok(URL.canParse(String(infoIn('COP').paymentUrl)));
  });

  it('accounts.md §2.4: a USD account is funded by bank under the holder’s name, or by USDC on Solana', () => {
    const [bank, wallet, ...rest] = instructionsIn('USD').map((entry) => entry.accountOrWalletInfo);
    assert.deepEqual(rest, []);
    assert.equal(bank?.routingNumber, '110000000');
    assert.ok(isAbaRoutingNumber(String(bank?.routingNumber)));
    assert.equal(bank?.accountHolderName, 'Svc FBO Rosa Diaz');
    assert.deepEqual(bank?.paymentRails, ['ACH', 'WIRE', 'RTP', 'FEDNOW']);
    assert.ok(bank?.bankName && bank?.bankAddress);
    assert.equal(wallet?.accountType, 'SOLANA_WALLET');
    assert.equal(wallet?.assetType, 'USDC');
  });

  it('accounts.md §2.4: check digits of EUR and MXN are correct', () => {
    assert.ok(isSepaIban(String(infoIn('EUR').iban)));
    assert.ok(isClabe(String(infoIn('MXN').clabeNumber)));
  });

  it('accounts.md §2.4: digital currencies have their wallets in order; issued tokens are on Spark', () => {
    for (const [currency, types] of Object.entries(DIGITAL)) {
      const infos = instructionsIn(currency).map((entry) => entry.accountOrWalletInfo);
      assert.deepEqual(
        infos.map((info) => info.accountType),
        types,
      );
      for (const info of infos) {
        if (info.accountType === 'BITCOIN_L1') assert.equal(info.network, 'BITCOIN');
        else assert.equal(info.assetType, currency);
      }
    }
  });

  it('accounts.md §2.4: an embedded wallet and a payout-only currency have no instructions', () => {
    assert.deepEqual(instructionsIn('USDB', 'customer'), []);
    const listed = new Set([...REFERENCED, ...PLAIN, ...Object.keys(DIGITAL)]);
    for (const currency of currencyCodes().filter((code) => !listed.has(code))) {
      assert.deepEqual(instructionsIn(currency), [], currency);
    }
  });

  it('accounts.md §2.4: two accounts never share coordinates', () => {
    for (const currency of [...REFERENCED, ...PLAIN, ...Object.keys(DIGITAL)]) {
      const one = JSON.stringify(instructionsIn(currency, 'platform', 1));
      assert.equal(JSON.stringify(instructionsIn(currency, 'platform', 1)), one, currency);
      assert.notEqual(JSON.stringify(instructionsIn(currency, 'platform', 2)), one, currency);
    }
  });

  it('names every account type that a provider omitted, and drops unknown fields', () => {
    const account = { type: 'INTERNAL_FIAT', currency: 'USD', holderName: 'x', reference: 'FUND-0' } as const;
    const named = (error: unknown) =>
      error instanceof Refusal &&
      JSON.stringify(error.details).includes('coordinates.USD_ACCOUNT') &&
      JSON.stringify(error.details).includes('coordinates.SOLANA_WALLET');
    assert.throws(() => fundingInstructions(account, {}), named);
    const [bank] = fundingInstructions(account, {
      USD_ACCOUNT: { accountNumber: '1', routingNumber: '110000000', secret: 'no' },
      SOLANA_WALLET: { address: 'x' },
    });
    assert.equal('secret' in (bank?.accountOrWalletInfo ?? {}), false);
  });

  it('accounts.md §2.4: the holder name contains service and owner, within the contract’s 255 characters', () => {
    assert.equal(buildHolderName('Svc', 'Rosa Diaz'), 'Svc FBO Rosa Diaz');
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'grapheme' }), (name) => {
        assert.ok(Array.from(buildHolderName('Svc', name)).length <= 255);
      }),
    );
  });
});
