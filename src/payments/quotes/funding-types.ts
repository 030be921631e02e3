import { type FundingEntry, fundingEntries, SWIFT_ENTRY } from '#accounts/funding-table.ts';
import { carries } from '#accounts/networks.ts';
import { isPaymentAccountType, railsOf } from '#accounts/payment-instruction-schemas.ts';
import { accountRails, isDigital, type PaymentRail, RAILS } from '#lib/rails-by-currency.ts';
import type { Network } from '#rails/network-fees.ts';

/**
 * How a real-time quote in this currency can be paid in, in order; all options stay valid together (money.md
 * §2.9). None: a stablecoin over a network that does not carry it.
 */
export function fundingTypesOf(currency: string, network: Network | undefined): readonly FundingEntry[] {
  if (currency === 'BTC') return BITCOIN;
  if (isDigital(currency)) return walletEntry(currency, network);
  const [local] = fundingEntries(currency, false);
  if (local === undefined) return [SWIFT_ENTRY];
  const rails = local.rails ?? railsOf(local.accountType);
  return [{ ...local, rails: rails.filter(isInTime) }];
}

const BITCOIN: readonly FundingEntry[] = [
  { accountType: 'SPARK_WALLET', fixed: { assetType: 'BTC' } },
  { accountType: 'LIGHTNING' },
  { accountType: 'BITCOIN_L1', fixed: { network: 'BITCOIN' } },
];

/**
 * What money comes in over, as the ledger calls it. Nobody says which of an account's rails it was: a bank transfer
 * where that is one of them, or else the first.
 */
export function fundingRailOf(currency: string, network: Network | undefined): string {
  if (network !== undefined) return network;
  const [local] = fundingEntries(currency, false);
  const [first = 'BANK_TRANSFER', ...others] = accountRails(local?.accountType ?? '').filter(isInTime);
  return others.includes('BANK_TRANSFER') ? 'BANK_TRANSFER' : first;
}

const isInTime = (rail: PaymentRail) => !RAILS[rail].tooSlowForQuotes;

function walletEntry(currency: string, network: Network | undefined): readonly FundingEntry[] {
  const accountType = `${network}_WALLET`;
  if (network === undefined || !carries(network, currency) || !isPaymentAccountType(accountType)) return [];
  return [{ accountType, fixed: { assetType: currency } }];
}
