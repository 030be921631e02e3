import type { PaymentInstruction } from '#capabilities/accounts/payment-instruction-schemas.ts';
import type { rateDetails } from '#capabilities/pricing/rate-details.ts';
import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import { type PersonId, readReferences } from '#foundation/crypto/person-seal.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { PaymentRail } from '#foundation/lib/rails-by-currency.ts';
import { describing } from '#foundation/person-keys/people.ts';
import type { Network } from '#foundation/ports/network-fees.ts';

/** Facts that are set at creation, are never filtered by, and hold no personal data. */
export interface TransactionDetails {
  /** Set in rows of earlier versions only: the customer's id at the platform. New rows have it in `Private`. */
  readonly platformCustomerId?: string;
  readonly exchangeRate?: number;
  readonly rateDetails?: StoredRateDetails;
  /** S in US cents at the quote's rates, as an exact fraction: numerator and denominator. */
  readonly usdValue?: readonly [string, string];
  /** The limit for one transaction that S was compared with, in US cents (money.md §8.1). */
  readonly sizeLimit?: string;
  /** S reaches the ownership threshold (accounts.md §3.5). */
  readonly isLarge?: boolean;
  /** How the customer wants to authorize the payment, if authorization is required (customers.md §7.10e). */
  readonly scaFactor?: ScaFactor;
  /** The platform's own money, even if the payment is in a customer's name (money.md §2.4). */
  readonly isPlatformMoney?: boolean;
  /** The rail in the ledger account RAIL:<rail>:<currency>: for incoming money here, for outgoing money below. */
  readonly fundingRail?: string;
  readonly payoutRail?: string;
  /** As the API shows it: null for internal, UMA and crypto destinations (money.md §2.7). */
  readonly paymentRail?: PaymentRail | null;
  /** The rail to the external account behind a UMA address. */
  readonly depositRail?: PaymentRail;
  /** The external account behind a UMA address; it is checked again when the quote is executed (money.md §3.3a). */
  readonly depositAccount?: ExternalAccountId;
  readonly railSelectionMode?: 'AUTO' | 'MANUAL' | null;
  /** Null on instant rails. */
  readonly settlementSeconds?: number | null;
  readonly purposeOfPayment?: string;
  /** Set if the money comes in, or goes out, over a blockchain. */
  readonly fundingNetwork?: Network;
  readonly payoutNetwork?: Network;
  /**
   * The owner of the internal destination, if it is not the payment's owner; it gets a mirror. A null id: the platform.
   * Only rows of earlier versions have the platform's reference of the receiver here.
   */
  readonly receiver?: { readonly customerId: CustomerId | null; readonly platformCustomerId?: string };
  /** The customer that holds the external destination, if it is not the payment's owner. */
  readonly holder?: CustomerId;
  /** `customerId` of a real-time source, if it was given. */
  readonly sourceCustomerId?: string;
  /** Mirrors only: the amount that the payer sent. */
  readonly sent?: { readonly amount: string; readonly currency: string };
  /** Incoming UMA payments only: fields about the receiver that the platform is asked for (money.md §7.3). */
  readonly requestedFields?: readonly { readonly name: string; readonly mandatory: boolean }[];
  /** Incoming UMA payments only: fields about the receiver that are sent from the customer's record (money.md §7.3). */
  readonly fieldsOnFile?: readonly string[];
  /** Mirrors only: the payment that it shows. */
  readonly mirrorOf?: string;
}

/**
 * Facts that are set at creation and name people or their accounts. They are sealed with the keys of the customers whom
 * the payment names.
 */
export interface Private {
  /** The customer's id at the platform; absent if the platform itself pays. */
  readonly platformCustomerId?: string;
  /** The receiver's id at the platform, if the receiver is another customer. */
  readonly receiverPlatformCustomerId?: string;
  /** The UMA addresses of both sides. Look-ups use their hashes. */
  readonly sourceUma?: string;
  readonly destinationUma?: string;
  /** The reference that the payer of a deposit stated, unless we issued it. */
  readonly statedReference?: string;
  readonly description?: string;
  readonly remittanceInformation?: string;
  readonly counterpartyInformation?: Readonly<Record<string, unknown>>;
  readonly senderCustomerInfo?: Readonly<Record<string, unknown>>;
  /** Incoming UMA payments only: the platform's values for `requestedFields`; sent with the approval. */
  readonly receiverCustomerInfo?: Readonly<Record<string, unknown>>;
  readonly paymentInstructions?: readonly PaymentInstruction[];
  /** Copies of the external accounts, made when the payment was created. */
  readonly source?: Instrument;
  readonly destination?: Instrument;
  /** What the bank reported about the payer of a deposit. */
  readonly originator?: Readonly<Record<string, unknown>>;
}

/** An external account as a rail needs it. */
export interface Instrument {
  readonly accountType: string;
  readonly currency: string;
  /** The account's number, address or similar, as a payer would use it. */
  readonly identifier: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The columns that say which customers a payment names. */
interface Named {
  readonly id: TransactionId;
  readonly customer_id: CustomerId | null;
  readonly details: Pick<TransactionDetails, 'receiver' | 'holder'>;
}

/** Lists the customers whom a payment names: its owner, and another customer who receives it. */
export function peopleOf({ customer_id, details: { receiver, holder } }: Omit<Named, 'id'>): PersonId[] {
  return [customer_id, receiver?.customerId ?? null, holder ?? null].filter((id) => id !== null);
}

/** Null if there is nothing to seal. */
export function sealPrivate(
  vault: PersonVault,
  row: Named,
  facts: Private,
  people: readonly PersonId[] = peopleOf(row),
): Buffer | null {
  if (Object.keys(facts).length === 0) return null;
  return vault.sealFor(people, JSON.stringify(facts), contextOf(row.id));
}

/** The opened values, as long as their rows are in memory: executing a payment needs them twice. */
const opened = new WeakMap<Buffer, { readonly id: TransactionId; readonly facts: Private }>();

/** Returns no facts if none were sealed, or after one of the customers was erased. */
export function openPrivate(
  vault: PersonVault,
  { id, private: sealed }: { readonly id: TransactionId; readonly private: Buffer | null },
): Private {
  if (sealed === null) return {};
  const known = opened.get(sealed);
  if (known?.id === id) return known.facts;
  const text = vault.openKept(sealed, contextOf(id));
  if (text === undefined) return {};
  const facts = JSON.parse(text) as Private;
  opened.set(sealed, { id, facts });
  return facts;
}

/** Marks a presented payment with the customers for whom it is sealed: its receiver is named by an address only. */
export function describingParties<Data extends object>(
  data: Data,
  { private: sealed }: { readonly private: Buffer | null },
): Data {
  if (sealed === null) return data;
  const people = readReferences(sealed).map(({ person }) => person);
  return describing(data, people);
}

/** Fetches the keys of all these payments in one trip; afterwards `openPrivate` needs no trip. */
export function loadPrivate(
  { runtime }: Pick<ReadTx, 'runtime'>,
  rows: readonly { readonly private: Buffer | null }[],
): Promise<void> {
  return runtime.personKeys.loadFor(rows.map((row) => row.private));
}

/** Returns the keyed hash that finds payments by a UMA address. */
export function hashUma(vault: Pick<Vault, 'hash'>, address: string): KeyedHash {
  return vault.hash(address, 'transactions.uma');
}

export function hashReference(vault: Pick<Vault, 'hash'>, reference: string): KeyedHash {
  return vault.hash(reference, 'transactions.reference');
}

/** The context that the sealed value is bound to, so that it cannot be moved to another row or column. */
function contextOf(id: TransactionId): string {
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
