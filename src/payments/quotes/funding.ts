import { fundingInstruction, holderNameOf, ownerNameOf } from '#accounts/funding-instructions.ts';
import { type FundingEntry, fundingEntries, SWIFT_ENTRY } from '#accounts/funding-table.ts';
import { carries } from '#accounts/networks.ts';
import {
  isPaymentAccountType,
  type PaymentInstruction,
  railsOf,
} from '#accounts/payment-instruction-schemas.ts';
import { accountTypeOf } from '#accounts/rules.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import { accountRails, isDigital, type PaymentRail, RAILS } from '#lib/rails-by-currency.ts';
import { refuse } from '#lib/refusals.ts';
import { LIFETIME_MS } from '#payments/quotes/expire-quotes.ts';
import type { Network } from '#rails/network-fees.ts';

export interface Funding {
  readonly currency: string;
  readonly network: Network | undefined;
  /** S. */
  readonly amount: bigint;
  /** Undefined: the platform itself. */
  readonly owner: CustomerRow | undefined;
  readonly serviceName: string;
}

/** `paymentInstructions` of a real-time quote (money.md §2.9), under the quote's own reference. */
export function quoteInstructions(tx: ReadTx, funding: Funding, reference: string): PaymentInstruction[] {
  const { currency, network, amount, owner } = funding;
  const entries = fundingTypesOf(currency, network);
  const holderName = holderNameOf(funding.serviceName, ownerNameOf(tx, owner));
  const coordinates = tx.ports.quoteFunding.atQuote({
    reference,
    currency,
    amount,
    holderName,
    accountTypes: entries.map(({ accountType }) => accountType),
    seed: tx.vault.fingerprint(reference, 'quote funding coordinates'),
    issuedAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + LIFETIME_MS),
  });
  if (!coordinates) {
    refuse('NOT_IMPLEMENTED', `Real-time funding in ${currency} is not available in this environment.`);
  }
  const account = { type: accountTypeOf(currency, 'platform'), currency, holderName, reference };
  return entries.map((entry) => ({
    ...fundingInstruction(withReference(entry, reference), account, coordinates[entry.accountType] ?? {}),
    isPlatformAccount: owner === undefined,
  }));
}

/** Only here does a SWIFT payment carry one. */
function withReference(entry: ReturnType<typeof fundingTypesOf>[number], reference: string) {
  return entry.accountType === 'SWIFT_ACCOUNT' ? { ...entry, fixed: { ...entry.fixed, reference } } : entry;
}

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
