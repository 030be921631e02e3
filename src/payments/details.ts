import type { PaymentInstruction } from '#accounts/payment-instruction-schemas.ts';
import type { Vault } from '#crypto/vault.ts';
import type { PaymentRail } from '#lib/rails-by-currency.ts';
import type { rateDetails } from '#pricing/rate-details.ts';
import type { Network } from '#rails/network-fees.ts';

/** Fixed facts that nobody filters on and that name nobody. */
export interface Details {
  /** Of the customer; absent where the platform itself pays. */
  readonly platformCustomerId?: string;
  readonly exchangeRate?: number;
  readonly rateDetails?: StoredRateDetails;
  /** S in US cents at the quote's reading of the rates, an exact fraction: numerator and denominator. */
  readonly usdValue?: readonly [string, string];
  /** Worth the ownership threshold or more (accounts.md §3.5). */
  readonly isLarge?: boolean;
  /** Out of an account of the platform's own, even where it pays in a customer's name (money.md §2.4). */
  readonly isPlatformMoney?: boolean;
  /** The word in the ledger account RAIL:<rail>:<currency> that money comes in over, and goes out over. */
  readonly fundingRail?: string;
  readonly payoutRail?: string;
  /** As shown: null for internal, UMA and crypto destinations (money.md §2.7). */
  readonly paymentRail?: PaymentRail | null;
  /** To the deposit account outside behind a UMA address. */
  readonly depositRail?: PaymentRail;
  /** That account: it is judged again when the quote is executed (money.md §3.3a). */
  readonly depositAccount?: string;
  readonly railSelectionMode?: 'AUTO' | 'MANUAL' | null;
  /** Null on instant rails. */
  readonly settlementSeconds?: number | null;
  readonly purposeOfPayment?: string;
  /** Where the way in or out is a chain. */
  readonly fundingNetwork?: Network;
  readonly payoutNetwork?: Network;
  /** Whose the internal destination is, where it is not the owner's: the one who gets a mirror. */
  readonly receiver?: { readonly customerId: string | null; readonly platformCustomerId?: string };
  /** Whose the account outside is that is paid, where it is not the owner's. */
  readonly holder?: string;
  /** Where `customerId` was given with a real-time source. */
  readonly sourceCustomerId?: string;
  /** What the payer sends, where somebody else pays. */
  readonly sent?: { readonly amount: string; readonly currency: string };
  /** Of an incoming UMA payment: what the platform is asked to tell of the receiver (money.md §7.3). */
  readonly requestedFields?: readonly { readonly name: string; readonly mandatory: boolean }[];
  /** Of an incoming UMA payment: what its sender's provider is told of the receiver from the record (money.md §7.3). */
  readonly fieldsOnFile?: readonly string[];
  /** A mirror's original. */
  readonly mirrorOf?: string;
}

/** Fixed facts that name people or their accounts; sealed. */
export interface Private {
  readonly description?: string;
  readonly remittanceInformation?: string;
  readonly counterpartyInformation?: Readonly<Record<string, unknown>>;
  readonly senderCustomerInfo?: Readonly<Record<string, unknown>>;
  /** What the sender's provider of an incoming UMA payment asked to know; told with the approval. */
  readonly receiverCustomerInfo?: Readonly<Record<string, unknown>>;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  /** The external accounts as they were when the payment was made out. */
  readonly source?: Instrument;
  readonly destination?: Instrument;
  /** What a deposit's bank told of the one who paid in. */
  readonly originator?: Readonly<Record<string, unknown>>;
}

/** An account outside, as a rail needs it. */
export interface Instrument {
  readonly accountType: string;
  readonly currency: string;
  /** What names the account to whoever pays it. */
  readonly identifier: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Null where there is nothing to hide. */
export function sealPrivate(vault: Vault, id: string, facts: Private): Buffer | null {
  return Object.keys(facts).length === 0 ? null : vault.seal(JSON.stringify(facts), contextOf(id));
}

/** Empty where there was nothing, and after the customer was erased. */
export function openPrivate(
  vault: Vault,
  row: { readonly id: string; readonly private: Buffer | null },
): Private {
  return row.private === null ? {} : (JSON.parse(vault.openText(row.private, contextOf(row.id))) as Private);
}

/** The place that the sealed value is bound to; the migration says the same. */
function contextOf(id: string): string {
  return `transactions.private:${id}`;
}

export function storedRateDetails(details: NonNullable<ReturnType<typeof rateDetails>>): StoredRateDetails {
  return {
    ...details,
    counterpartyFixedFee: details.counterpartyFixedFee.toString(),
    svcApiFixedFee: details.svcApiFixedFee.toString(),
    svcApiVariableFeeAmount: details.svcApiVariableFeeAmount.toString(),
  };
}

/** Amounts as text, since JSON numbers are not exact. */
export interface StoredRateDetails {
  readonly counterpartyMultiplier: number;
  readonly counterpartyFixedFee: string;
  readonly svcApiMultiplier: number;
  readonly svcApiFixedFee: string;
  readonly svcApiVariableFeeRate: number;
  readonly svcApiVariableFeeAmount: string;
}
