import { type FundingEntry, fundingEntries, SWIFT_ENTRY } from '#accounts/funding-table.ts';
import { carries } from '#accounts/networks.ts';
import { isPaymentAccountType } from '#accounts/payment-instruction-schemas.ts';
import { isDigital } from '#lib/rails-by-currency.ts';
import type { Network } from '#rails/network-fees.ts';

/**
 * How a real-time quote in this currency can be paid in, in order; all options stay valid together (money.md
 * §2.9). None: a stablecoin over a network that does not carry it.
 */
export function fundingTypesOf(currency: string, network: Network | undefined): readonly FundingEntry[] {
  if (currency === 'BTC') return BITCOIN;
  if (isDigital(currency)) return walletEntry(currency, network);
  const instant = Object.hasOwn(INSTANT, currency) ? INSTANT[currency] : undefined;
  const [local] = fundingEntries(currency, false);
  if (local === undefined) return [SWIFT_ENTRY];
  return [instant ? { ...local, rails: instant } : local];
}

const BITCOIN: readonly FundingEntry[] = [
  { accountType: 'SPARK_WALLET', fixed: { assetType: 'BTC' } },
  { accountType: 'LIGHTNING' },
  { accountType: 'BITCOIN_L1', fixed: { network: 'BITCOIN' } },
];

/** Where not every rail of the account brings the money in time. */
const INSTANT: Readonly<Record<string, readonly string[]>> = {
  USD: ['RTP', 'FEDNOW'],
  EUR: ['SEPA_INSTANT'],
  DKK: ['SEPA_INSTANT'],
  INR: ['UPI'],
};

/** What money comes in over, as the ledger calls it. */
export function fundingRailOf(currency: string, network: Network | undefined): string {
  return (
    network ?? FIRST_RAILS[currency] ?? fundingTypesOf(currency, network)[0]?.rails?.[0] ?? 'BANK_TRANSFER'
  );
}

const FIRST_RAILS: Readonly<Record<string, string>> = {
  GBP: 'FASTER_PAYMENTS',
  MXN: 'SPEI',
  BRL: 'PIX',
};

function walletEntry(currency: string, network: Network | undefined): readonly FundingEntry[] {
  const accountType = `${network}_WALLET`;
  if (network === undefined || !carries(network, currency) || !isPaymentAccountType(accountType)) return [];
  return [{ accountType, fixed: { assetType: currency } }];
}
