import {
  bitcoinDepositAddress,
  evmDepositAddress,
  solanaDepositAddress,
  sparkDepositAddress,
  tronDepositAddress,
} from '#edge/sandbox/accounts/deposit-addresses.ts';
import {
  buildAbaRoutingNumber,
  buildClabe,
  buildCvu,
  buildIban,
  buildNuban,
} from '#foundation/lib/identifiers/account-numbers.ts';
import { brCode } from '#foundation/lib/identifiers/brazil.ts';
import { type Seeded, seeded } from '#foundation/lib/identifiers/seeded.ts';

export interface FundingSource {
  /** Every identifier is derived from it; at least 16 random bytes, generated once per account. */
  readonly seed: Uint8Array;
  /** For the identifiers that contain the holder's name (the BR Code). */
  readonly holderName: string;
}

export type FundingAccountType = keyof typeof GENERATORS;

/** The result of an account type's generator, with the contract's field names. */
export type FundingIdentifiers<T extends FundingAccountType> = ReturnType<(typeof GENERATORS)[T]>;

/**
 * The coordinates of one funding instruction (accounts.md §2.4), all check digits valid. The same source
 * gives the same identifiers, so they never change during the account's life. The bank is fictitious and its numbers
 * are all nines, so that no real bank is named.
 */
export function fundingIdentifiers<T extends FundingAccountType>(
  accountType: T,
  source: FundingSource,
): FundingIdentifiers<T> {
  return fundingGenerator(source)(accountType);
}

/** For all instructions of one account: an address that several of them share is derived once. */
export function fundingGenerator({
  seed,
  holderName,
}: FundingSource): <T extends FundingAccountType>(accountType: T) => FundingIdentifiers<T> {
  if (seed.length < SEED_LENGTH_MIN) throw new RangeError(`A seed has at least ${SEED_LENGTH_MIN} bytes`);
  const source = seeded(seed);
  const derived = new Map<DepositAddressOf, string>();
  const addressOf = (derive: DepositAddressOf): string => {
    const address = derived.get(derive) ?? derive(source);
    derived.set(derive, address);
    return address;
  };
  return <T extends FundingAccountType>(accountType: T) =>
    GENERATORS[accountType](source, holderName, addressOf) as FundingIdentifiers<T>;
}

export function isFundingAccountType(accountType: string): accountType is FundingAccountType {
  return Object.hasOwn(GENERATORS, accountType);
}

const SEED_LENGTH_MIN = 16;
const BANK_NAME = 'Sandbox Bank';

/** Digits of the national account number; accounts.md §4.2 gives the bounds. */
function localAccount(source: Seeded, digits: number) {
  return { bankName: BANK_NAME, accountNumber: source.digits('account', digits) };
}

function swiftAccount(source: Seeded, swiftCode: string, digits: number) {
  return { ...localAccount(source, digits), swiftCode };
}

type DepositAddressOf = (source: Seeded) => string;

function wallet(derive: DepositAddressOf) {
  return (_source: Seeded, _holderName: string, addressOf: (derive: DepositAddressOf) => string) => ({
    address: addressOf(derive),
  });
}

const GENERATORS = {
  USD_ACCOUNT: (source: Seeded) => ({
    accountNumber: source.digits('account', 12),
    routingNumber: buildAbaRoutingNumber('11000000'),
    bankName: BANK_NAME,
    bankAddress: '1 Sandbox Plaza, New York, NY 10001, US',
  }),
  EUR_ACCOUNT: (source: Seeded) => ({
    iban: buildIban('DE', `99999999${source.digits('account', 10)}`),
    swiftCode: 'SBOXDEFF',
  }),
  DKK_ACCOUNT: (source: Seeded) => ({
    iban: buildIban('DK', `9999${source.digits('account', 10)}`),
    swiftCode: 'SBOXDKKK',
  }),
  GBP_ACCOUNT: (source: Seeded) => ({
    // Eight digits alone would soon collide.
    sortCode: `999${source.digits('sort code', 3)}`,
    accountNumber: source.digits('account', 8),
  }),
  MXN_ACCOUNT: (source: Seeded) => ({ clabeNumber: buildClabe(`999180${source.digits('account', 11)}`) }),
  BRL_ACCOUNT: (source: Seeded, holderName: string) => ({ qrCode: brCode(randomPixKey(source), holderName) }),
  INR_ACCOUNT: (source: Seeded) => ({ vpa: `fund.${source.digits('account', 16)}@sandbox` }),
  // A reserved domain: the page does not exist.
  COP_ACCOUNT: (source: Seeded) => ({
    paymentUrl: `https://pay.sandbox.example/cop/${Buffer.from(source.bytes('payment page')).toString('hex')}`,
  }),
  ARS_ACCOUNT: (source: Seeded) => ({ accountNumber: buildCvu('0009999', source.digits('account', 13)) }),
  AED_ACCOUNT: (source: Seeded) => ({
    iban: buildIban('AE', `999${source.digits('account', 16)}`),
    swiftCode: 'SBOXAEAD',
  }),
  CAD_ACCOUNT: (source: Seeded) => ({
    bankCode: '999',
    branchCode: source.digits('branch', 5),
    accountNumber: source.digits('account', 10),
  }),
  HKD_ACCOUNT: (source: Seeded) => swiftAccount(source, 'SBOXHKHH', 12),
  IDR_ACCOUNT: (source: Seeded) => ({
    ...swiftAccount(source, 'SBOXIDJA', 12),
    phoneNumber: '+6281200000000',
  }),
  MYR_ACCOUNT: (source: Seeded) => swiftAccount(source, 'SBOXMYKL', 12),
  NGN_ACCOUNT: (source: Seeded) => ({
    bankName: BANK_NAME,
    accountNumber: buildNuban('999', source.digits('account', 9)),
  }),
  PHP_ACCOUNT: (source: Seeded) => localAccount(source, 12),
  SGD_ACCOUNT: (source: Seeded) => swiftAccount(source, 'SBOXSGSG', 12),
  THB_ACCOUNT: (source: Seeded) => swiftAccount(source, 'SBOXTHBK', 12),
  VND_ACCOUNT: (source: Seeded) => swiftAccount(source, 'SBOXVNVX', 13),
  ZAR_ACCOUNT: (source: Seeded) => localAccount(source, 11),
  SWIFT_ACCOUNT: (source: Seeded) => ({ country: 'US', ...swiftAccount(source, 'SBOXUS33', 12) }),
  SOLANA_WALLET: wallet(solanaDepositAddress),
  ETHEREUM_WALLET: wallet(evmDepositAddress),
  BASE_WALLET: wallet(evmDepositAddress),
  POLYGON_WALLET: wallet(evmDepositAddress),
  PLASMA_WALLET: wallet(evmDepositAddress),
  TRON_WALLET: wallet(tronDepositAddress),
  SPARK_WALLET: wallet(sparkDepositAddress),
  BITCOIN_L1: wallet(bitcoinDepositAddress),
};

/** A key of type RANDOM: a version 4 UUID. */
function randomPixKey(source: Seeded): string {
  const hex = Buffer.from(source.bytes('pix key')).toString('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
