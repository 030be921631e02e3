import { fundingInstruction, holderNameOf, ownerNameOf } from '#accounts/funding-instructions.ts';
import type { PaymentInstruction } from '#accounts/payment-instruction-schemas.ts';
import { accountTypeOf } from '#accounts/rules.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import { refuse } from '#lib/refusals.ts';
import { LIFETIME_MS } from '#payments/quotes/draft-quote.ts';
import { fundingTypesOf } from '#payments/quotes/funding-types.ts';
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
