import type { PaymentAccountType } from '#capabilities/accounts/payment-instruction-schemas.ts';
import { type PaymentRail, railsReaching } from '#foundation/lib/rails-by-currency.ts';

/** One entry of an account's funding instructions, without its coordinates. */
export interface FundingEntry {
  readonly accountType: PaymentAccountType;
  /** Fields that are the same on every account. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Set only if some rails of the account type cannot receive money. */
  readonly rails?: readonly PaymentRail[];
  readonly holderName?: true;
  readonly notes?: string;
}

/** accounts.md §2.4: the entries of an account in this currency, in order; none if it is for payouts only. */
export function fundingEntries(currency: string, isDigital: boolean): readonly FundingEntry[] {
  const listed = Object.hasOwn(ENTRIES, currency) ? ENTRIES[currency] : undefined;
  if (listed) return listed;
  // USDB and issued tokens exist on Spark.
  return isDigital ? [{ accountType: 'SPARK_WALLET', fixed: { assetType: currency } }] : [];
}

export function fundedCurrencies(): string[] {
  return Object.keys(ENTRIES);
}

/** accounts.md §2.4: appended when the account gets SWIFT coordinates. */
export const SWIFT_ENTRY: FundingEntry = { accountType: 'SWIFT_ACCOUNT', holderName: true };

function bank(currency: string): FundingEntry[] {
  return [{ accountType: `${currency}_ACCOUNT` as PaymentAccountType }];
}

function wallets(assetType: string, ...accountTypes: PaymentAccountType[]): FundingEntry[] {
  return accountTypes.map((accountType) => ({ accountType, fixed: { assetType } }));
}

const ENTRIES: Readonly<Record<string, readonly FundingEntry[]>> = {
  USD: [
    { accountType: 'USD_ACCOUNT', holderName: true },
    {
      accountType: 'SOLANA_WALLET',
      fixed: { assetType: 'USDC' },
      notes: 'USDC that arrives here is credited as US dollars, one for one.',
    },
  ],
  EUR: bank('EUR'),
  DKK: bank('DKK'),
  GBP: bank('GBP'),
  MXN: bank('MXN'),
  BRL: bank('BRL'),
  INR: [{ accountType: 'INR_ACCOUNT', rails: railsReaching('INR_ACCOUNT', 'vpa') }],
  COP: bank('COP'),
  ARS: bank('ARS'),
  AED: bank('AED'),
  CAD: bank('CAD'),
  HKD: bank('HKD'),
  IDR: bank('IDR'),
  MYR: bank('MYR'),
  NGN: bank('NGN'),
  PHP: bank('PHP'),
  SGD: bank('SGD'),
  THB: bank('THB'),
  VND: bank('VND'),
  ZAR: bank('ZAR'),
  BTC: [...wallets('BTC', 'SPARK_WALLET'), { accountType: 'BITCOIN_L1', fixed: { network: 'BITCOIN' } }],
  USDC: wallets('USDC', 'SOLANA_WALLET', 'BASE_WALLET', 'POLYGON_WALLET', 'ETHEREUM_WALLET'),
  USDT: wallets('USDT', 'TRON_WALLET', 'ETHEREUM_WALLET', 'PLASMA_WALLET', 'SOLANA_WALLET'),
};
