import {
  accountOwnerName,
  buildHolderName,
  fundingInstruction,
} from '#capabilities/accounts/funding-instructions.ts';
import { type FundingEntry, fundingEntries, SWIFT_ENTRY } from '#capabilities/accounts/funding-table.ts';
import { supportsCurrency } from '#capabilities/accounts/networks.ts';
import {
  isPaymentAccountType,
  type PaymentInstruction,
  railsOfAccountType,
} from '#capabilities/accounts/payment-instruction-schemas.ts';
import { chooseAccountType } from '#capabilities/accounts/rules.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { TransactionDetails } from '#capabilities/payments/details.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { accountRails, isFiat, type PaymentRail, RAILS } from '#foundation/lib/rails-by-currency.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import type { Network } from '#foundation/ports/network-fees.ts';

/** The funds that have to be paid in for a quote. */
interface Funding {
  readonly currency: string;
  /** Set for a stablecoin. */
  readonly network: Network | undefined;
  /** S. */
  readonly amount: bigint;
  /** Undefined if the platform itself is the owner. */
  readonly owner: CustomerRow | undefined;
  readonly serviceName: string;
  /** The deadline for the funds. */
  readonly expiresAt: Date;
}

/** `paymentInstructions` of a real-time quote (money.md §2.9), under the quote's own reference. */
export async function quoteInstructions(
  tx: ReadTx,
  funding: Funding,
  reference: string,
): Promise<PaymentInstruction[]> {
  const { currency, network, amount, owner } = funding;
  const entries = chooseFundingTypes(currency, network);
  const holderName = buildHolderName(funding.serviceName, accountOwnerName(tx, owner));
  const coordinates = await tx.ports.quoteFunding.atQuote({
    ...{ reference, platformId: tx.platformId },
    currency,
    amount,
    holderName,
    accountTypes: entries.map(({ accountType }) => accountType),
    seed: tx.vault.fingerprint(reference, 'quote funding coordinates'),
    issuedAt: tx.now,
    expiresAt: funding.expiresAt,
  });
  if (!coordinates) {
    refuse('NOT_IMPLEMENTED', `Real-time funding in ${currency} is not available in this environment.`);
  }
  const account = { type: chooseAccountType(currency, 'platform'), currency, holderName, reference };
  return entries.map((entry) => ({
    ...fundingInstruction(withReference(entry, reference), account, coordinates[entry.accountType] ?? {}),
    isPlatformAccount: owner === undefined,
  }));
}

/** Among the accounts that are paid by SWIFT, only a quote's has a reference, which assigns the money to the quote. */
function withReference(entry: ReturnType<typeof chooseFundingTypes>[number], reference: string) {
  return entry.accountType === 'SWIFT_ACCOUNT' ? { ...entry, fixed: { ...entry.fixed, reference } } : entry;
}

/** The ways to fund a real-time quote, in order (money.md §2.9); none if the network does not carry the stablecoin. */
export function chooseFundingTypes(currency: string, network: Network | undefined): readonly FundingEntry[] {
  if (currency === 'BTC') return BITCOIN;
  if (!isFiat(currency)) return walletEntry(currency, network);
  const [local] = fundingEntries(currency, false);
  if (local === undefined) return [SWIFT_ENTRY];
  const rails = local.rails ?? railsOfAccountType(local.accountType);
  return [{ ...local, rails: rails.filter(isFastEnough) }];
}

const BITCOIN: readonly FundingEntry[] = [
  { accountType: 'SPARK_WALLET', fixed: { assetType: 'BTC' } },
  { accountType: 'LIGHTNING' },
  { accountType: 'BITCOIN_L1', fixed: { network: 'BITCOIN' } },
];

/** The details of real-time funding that are stored in the row. */
export function realtimeDetails({
  currency,
  network,
  customerId,
}: Pick<Funding, 'currency' | 'network'> & {
  readonly customerId: CustomerId | undefined;
}): Partial<TransactionDetails> {
  // Two of bitcoin's three ways to fund end on its chain; Lightning leaves no transaction there.
  const fundingNetwork = currency === 'BTC' ? 'BITCOIN' : network;
  return {
    fundingRail: fundingNetwork ?? bankRailOf(currency),
    ...(fundingNetwork !== undefined && { fundingNetwork }),
    ...(customerId !== undefined && { sourceCustomerId: customerId }),
  };
}

/**
 * The report does not name the rail: a bank transfer is assumed if the account has that rail, otherwise the first one.
 */
function bankRailOf(currency: string): string {
  const [local] = fundingEntries(currency, false);
  const rails = local ? accountRails(local.accountType) : [];
  const [first = 'BANK_TRANSFER', ...others] = rails.filter(isFastEnough);
  return others.includes('BANK_TRANSFER') ? 'BANK_TRANSFER' : first;
}

const isFastEnough = (rail: PaymentRail) => !RAILS[rail].tooSlowForQuotes;

function walletEntry(currency: string, network: Network | undefined): readonly FundingEntry[] {
  const accountType = `${network}_WALLET`;
  if (network === undefined || !supportsCurrency(network, currency) || !isPaymentAccountType(accountType))
    return [];
  return [{ accountType, fixed: { assetType: currency } }];
}
