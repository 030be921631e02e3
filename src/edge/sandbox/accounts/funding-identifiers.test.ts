// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fundingReference } from '#capabilities/accounts/funding-instructions.ts';
import {
  type FundingAccountType,
  type FundingIdentifiers,
  fundingGenerator,
  fundingIdentifiers,
  isFundingAccountType,
} from '#edge/sandbox/accounts/funding-identifiers.ts';
import {
  isAbaRoutingNumber,
  isBicOfCountry,
  isClabe,
  isCvu,
  isIban,
  isNuban,
  isSepaIban,
  isUsAccountNumber,
} from '#foundation/lib/identifiers/account-numbers.ts';
import { isBitcoinAddress } from '#foundation/lib/identifiers/bitcoin-address.ts';
import { hasValidCrc, isPixKey } from '#foundation/lib/identifiers/brazil.ts';
import { isPhoneOfCountry } from '#foundation/lib/identifiers/phone.ts';
import { sparkIdentityKey } from '#foundation/lib/identifiers/spark.ts';
import { isWalletAddress } from '#foundation/lib/identifiers/wallet-address.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

type Validators = { readonly [T in FundingAccountType]: (given: FundingIdentifiers<T>) => boolean };

const hasDigits = (given: { accountNumber: string }, min: number, max: number) =>
  new RegExp(`^[0-9]{${min},${max}}$`).test(given.accountNumber);
const swift = (country: string) => (given: { accountNumber: string; swiftCode: string }) =>
  isBicOfCountry(given.swiftCode, country) && hasDigits(given, 1, 34);

/** The strict check of accounts.md §4.2 and §4.4 that an external account of the type would have to pass. */
const VALIDATORS: Validators = {
  USD_ACCOUNT: ({ accountNumber, routingNumber }) =>
    routingNumber === '110000000' && isAbaRoutingNumber(routingNumber) && isUsAccountNumber(accountNumber),
  EUR_ACCOUNT: ({ iban, swiftCode }) => isSepaIban(iban) && isBicOfCountry(swiftCode, iban.slice(0, 2)),
  DKK_ACCOUNT: ({ iban, swiftCode }) =>
    /^DK[0-9]{16}$/.test(iban) && isIban(iban, 'DK') && isBicOfCountry(swiftCode, 'DK'),
  GBP_ACCOUNT: (given) => /^[0-9]{6}$/.test(given.sortCode) && hasDigits(given, 8, 8),
  MXN_ACCOUNT: ({ clabeNumber }) => isClabe(clabeNumber),
  BRL_ACCOUNT: ({ qrCode }) =>
    hasValidCrc(qrCode) && isPixKey('RANDOM', /(?<=bcb\.pix0136).{36}/.exec(qrCode)?.[0] ?? ''),
  INR_ACCOUNT: ({ vpa }) => /^[a-zA-Z0-9._-]+@[a-zA-Z0-9]+$/.test(vpa) && vpa.length <= 255,
  COP_ACCOUNT: ({ paymentUrl }) => URL.canParse(paymentUrl) && new URL(paymentUrl).protocol === 'https:',
  ARS_ACCOUNT: ({ accountNumber }) => isCvu(accountNumber),
  AED_ACCOUNT: ({ iban, swiftCode }) =>
    /^AE[0-9]{21}$/.test(iban) && isIban(iban, 'AE') && isBicOfCountry(swiftCode, 'AE'),
  CAD_ACCOUNT: (given) =>
    /^[0-9]{3}$/.test(given.bankCode) && /^[0-9]{5}$/.test(given.branchCode) && hasDigits(given, 7, 12),
  HKD_ACCOUNT: swift('HK'),
  IDR_ACCOUNT: (given) => swift('ID')(given) && isPhoneOfCountry(given.phoneNumber, 'ID'),
  MYR_ACCOUNT: swift('MY'),
  NGN_ACCOUNT: ({ accountNumber }) => isNuban(accountNumber, '999'),
  PHP_ACCOUNT: (given) => hasDigits(given, 8, 16),
  SGD_ACCOUNT: swift('SG'),
  THB_ACCOUNT: swift('TH'),
  VND_ACCOUNT: swift('VN'),
  ZAR_ACCOUNT: (given) => hasDigits(given, 9, 13),
  SWIFT_ACCOUNT: (given) => swift(given.country)(given),
  SOLANA_WALLET: ({ address }) => isWalletAddress('SOLANA_WALLET', address),
  ETHEREUM_WALLET: ({ address }) => isWalletAddress('ETHEREUM_WALLET', address),
  BASE_WALLET: ({ address }) => isWalletAddress('BASE_WALLET', address),
  POLYGON_WALLET: ({ address }) => isWalletAddress('POLYGON_WALLET', address),
  PLASMA_WALLET: ({ address }) => isWalletAddress('PLASMA_WALLET', address),
  TRON_WALLET: ({ address }) => isWalletAddress('TRON_WALLET', address),
  SPARK_WALLET: ({ address }) => address.startsWith('sparkt1') && sparkIdentityKey(address) !== undefined,
  BITCOIN_L1: ({ address }) => address.startsWith('tb1q') && isBitcoinAddress(address),
};

const TYPES = Object.keys(VALIDATORS) as FundingAccountType[];
const seed = fc.uint8Array({ minLength: 16, maxLength: 32 });

describe('fundingIdentifiers', () => {
  for (const type of TYPES) {
    it(`accounts.md §2.4: ${type} passes the strict checks of its type, whatever the seed`, () => {
      fc.assert(
        fc.property(seed, fc.string({ unit: CODE_POINT }), (bytes, holderName) => {
          const given = fundingIdentifiers(type, { seed: bytes, holderName });
          assert.ok((VALIDATORS[type] as (given: unknown) => boolean)(given), JSON.stringify(given));
        }),
        { numRuns: 40 },
      );
    });
  }

  it('accounts.md §2.4: the same seed gives the same coordinates, another seed others', () => {
    const holderName = 'Svc FBO Rosa';
    for (const type of TYPES) {
      const [first, again, other] = [1, 1, 2].map((fill) =>
        fundingIdentifiers(type, { seed: new Uint8Array(32).fill(fill), holderName }),
      );
      assert.deepEqual(again, first, type);
      assert.notDeepEqual(other, first, type);
    }
  });

  it('accounts.md §2.4: coordinates of a thousand accounts do not collide', () => {
    for (const type of ['USD_ACCOUNT', 'GBP_ACCOUNT', 'MXN_ACCOUNT', 'INR_ACCOUNT', 'AED_ACCOUNT'] as const) {
      const given = Array.from({ length: 1000 }, (_, at) => {
        const bytes = Buffer.alloc(16);
        bytes.writeUInt32BE(at);
        return JSON.stringify(fundingIdentifiers(type, { seed: bytes, holderName: 'Rosa' }));
      });
      assert.equal(new Set(given).size, given.length, type);
    }
  });

  it('accounts.md §2.4: one address serves all EVM chains of an account', () => {
    const source = { seed: new Uint8Array(16).fill(3), holderName: 'Rosa' };
    const addresses = (['ETHEREUM_WALLET', 'BASE_WALLET', 'POLYGON_WALLET', 'PLASMA_WALLET'] as const).map(
      (type) => fundingIdentifiers(type, source).address,
    );
    assert.equal(new Set(addresses).size, 1);
  });

  it('accounts.md §2.4: coordinates derived together equal those derived one by one', () => {
    const source = { seed: new Uint8Array(16).fill(4), holderName: 'Rosa' };
    const together = fundingGenerator(source);
    for (const type of TYPES) assert.deepEqual(together(type), fundingIdentifiers(type, source), type);
  });

  it('accounts.md §2.4: a reference is FUND- and eight Crockford characters', () => {
    fc.assert(
      fc.property(seed, (bytes) => {
        assert.match(fundingReference(bytes), /^FUND-[0-9A-HJKMNP-TV-Z]{8}$/);
      }),
    );
  });

  it('accounts.md §2.4: payout-only currencies have no coordinates', () => {
    assert.deepEqual(
      TYPES.filter((type) => !isFundingAccountType(type)),
      [],
    );
    for (const type of ['KES_ACCOUNT', 'LIGHTNING', 'EMBEDDED_WALLET', 'toString', '']) {
      assert.equal(isFundingAccountType(type), false, type);
    }
  });

  it('refuses a seed that could be guessed', () => {
    assert.throws(() => fundingIdentifiers('USD_ACCOUNT', { seed: new Uint8Array(15), holderName: 'Rosa' }));
  });
});
