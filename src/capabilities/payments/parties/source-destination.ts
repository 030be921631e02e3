import type { AccountRow } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { automaticRail, type PaymentAccount } from '#capabilities/external-accounts/check-for-payment.ts';
import {
  hashUma,
  type Instrument,
  type Private,
  type TransactionDetails,
} from '#capabilities/payments/details.ts';
import type { AccountParty } from '#capabilities/payments/parties/accounts.ts';
import { publicAccountId } from '#capabilities/payments/present-transaction.ts';
import type {
  PaymentDestination,
  PaymentSource,
  StoredAccount,
  StoredUma,
} from '#capabilities/payments/row.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { type PaymentRail, RAILS } from '#foundation/lib/rails-by-currency.ts';
import type { Network } from '#foundation/ports/network-fees.ts';

/** The source and the destination of a payment, and how they are stored. */

/** The owner of a transaction; null for the platform itself. */
export interface TransactionOwner {
  readonly customerId: CustomerId | null;
  readonly platformCustomerId?: string | undefined;
}

export type Destination =
  | { readonly kind: 'INTERNAL'; readonly account: AccountRow; readonly owner: TransactionOwner }
  | {
      readonly kind: 'EXTERNAL';
      readonly account: PaymentAccount;
      /** Null for wallets and Lightning, which have no rail. */
      readonly rail: PaymentRail | null;
      /** Whether the caller named the rail. */
      readonly isChosen: boolean;
    }
  | {
      readonly kind: 'UMA';
      readonly address: string;
      readonly currency: string;
      /** For a customer of this platform: the internal account that is credited. */
      readonly internal?: { readonly accountId: AccountId; readonly owner: TransactionOwner } | undefined;
      /** In place of it: the customer's default deposit account, if that is external (accounts.md §3.2.23). */
      readonly external?: { readonly account: PaymentAccount; readonly owner: TransactionOwner } | undefined;
    };

export function receivingCurrencyOf(destination: Destination): string {
  return destination.kind === 'UMA' ? destination.currency : destination.account.currency;
}

export function transactionOwner(customer: CustomerRow | undefined): TransactionOwner {
  return customer
    ? { customerId: customer.id, platformCustomerId: customer.platform_customer_id }
    : { customerId: null };
}

/** TypeScript cannot infer from the kind of a party which account it has. */
function storedAccount({ kind, account }: AccountParty): StoredAccount {
  return { kind, account: account.id } as StoredAccount;
}

/** An undefined source is real-time funding. */
export function storedSource(source: AccountParty | undefined): PaymentSource {
  return source ? storedAccount(source) : { kind: 'REALTIME' };
}

export function storedDestination(vault: Vault, destination: Destination): PaymentDestination {
  if (destination.kind !== 'UMA') return storedAccount(destination);
  const { address, internal } = destination;
  return { ...storedUma(vault, address), account: internal?.accountId ?? null };
}

/** Returns the stored form of a UMA address: its hash. The address itself is sealed with the private facts. */
export function storedUma(vault: Vault, address: string): StoredUma {
  return { kind: 'UMA', hash: hashUma(vault, address).toStore, address: null };
}

/** Returns the destination as the API names it. */
export function payeeOf(destination: Destination): string {
  return destination.kind === 'UMA' ? destination.address : publicAccountId(storedAccount(destination));
}

/** The owner of the internal destination, who gets a mirror if it is not the payment's owner. */
function mirrorReceiver(destination: Destination, owner: TransactionOwner): TransactionOwner | undefined {
  const to =
    destination.kind === 'INTERNAL'
      ? destination.owner
      : destination.kind === 'UMA'
        ? (destination.internal ?? destination.external)?.owner
        : undefined;
  return to?.customerId === owner.customerId ? undefined : to;
}

export function receiverDetails(
  destination: Destination,
  owner: TransactionOwner,
): Pick<TransactionDetails, 'receiver'> {
  const receiver = mirrorReceiver(destination, owner);
  return receiver ? { receiver: { customerId: receiver.customerId } } : {};
}

/** Builds the private facts that name the owner and the receiver. */
export function partyFacts(destination: Destination, owner: TransactionOwner): Private {
  const receiver = mirrorReceiver(destination, owner);
  return {
    ...(owner.platformCustomerId !== undefined && { platformCustomerId: owner.platformCustomerId }),
    ...(receiver?.platformCustomerId !== undefined && {
      receiverPlatformCustomerId: receiver.platformCustomerId,
    }),
    ...(destination.kind === 'UMA' && { destinationUma: destination.address }),
  };
}

/** The customer whose external account is paid, if it is not the payment's owner. */
export function holderDetails(
  destination: Destination,
  owner: TransactionOwner,
): Pick<TransactionDetails, 'holder'> {
  const holder = destination.kind === 'EXTERNAL' ? destination.account.customerId : undefined;
  return holder === undefined || holder === owner.customerId ? {} : { holder };
}

/** The platform's own money stays marked as such if the platform pays in a customer's name (money.md §2.4). */
export function fundingDetails(source: AccountParty): Partial<TransactionDetails> {
  if (source.kind === 'INTERNAL') return source.account.customer_id === null ? { isPlatformMoney: true } : {};
  const { rails, customerId } = source.account;
  const fundingRail = rails[0] ?? 'BANK_TRANSFER';
  return { fundingRail, ...(customerId === undefined && { isPlatformMoney: true }) };
}

export function payoutDetails(destination: Destination): Partial<TransactionDetails> {
  const none = { paymentRail: null, railSelectionMode: null, settlementSeconds: null };
  if (destination.kind === 'INTERNAL') return none;
  if (destination.kind === 'UMA') return { ...none, ...umaPayoutDetails(destination) };
  const { rail, isChosen, account } = destination;
  if (rail === null) return { ...none, ...chainDetails(account) };
  return {
    payoutRail: rail,
    paymentRail: rail,
    railSelectionMode: isChosen ? 'MANUAL' : 'AUTO',
    settlementSeconds: RAILS[rail].settlementSeconds ?? null,
  };
}

/** The payout to another provider, or to the external account behind a customer's UMA address. */
function umaPayoutDetails({ external }: Extract<Destination, { kind: 'UMA' }>): Partial<TransactionDetails> {
  if (!external) return { payoutRail: 'UMA' };
  const { account } = external;
  const depositRail = automaticRail(account);
  const way = depositRail === undefined ? chainDetails(account) : { payoutRail: depositRail, depositRail };
  return { ...way, depositAccount: account.id };
}

/** The rail of an account that is not at a bank. */
export function chainDetails({ accountType }: PaymentAccount): Partial<TransactionDetails> {
  const network = Object.hasOwn(NETWORKS, accountType) ? NETWORKS[accountType] : undefined;
  if (network === undefined) return { payoutRail: accountType };
  // Lightning has no on-chain transaction to refer to (money.md §6.7).
  return { payoutRail: network, ...(network !== 'LIGHTNING' && { payoutNetwork: network }) };
}

/** The network over which each type of account is paid. */
const NETWORKS: Readonly<Record<string, Network>> = {
  BITCOIN_L1: 'BITCOIN',
  LIGHTNING: 'LIGHTNING',
  LIGHTNING_ACCOUNT: 'LIGHTNING',
  SPARK_WALLET: 'SPARK',
  ETHEREUM_WALLET: 'ETHEREUM',
  SOLANA_WALLET: 'SOLANA',
  ARBITRUM_WALLET: 'ARBITRUM',
  BASE_WALLET: 'BASE',
  POLYGON_WALLET: 'POLYGON',
  TRON_WALLET: 'TRON',
  PLASMA_WALLET: 'PLASMA',
};

/** Copies the external accounts as they are now: the payment keeps these details even if the account changes later. */
export function paymentInstruments(source: AccountParty | undefined, destination: Destination) {
  const external = externalDestination(destination);
  return {
    ...(source?.kind === 'EXTERNAL' && { source: instrumentOf(source.account) }),
    ...(external && { destination: instrumentOf(external) }),
  };
}

function externalDestination(destination: Destination): PaymentAccount | undefined {
  if (destination.kind === 'UMA') return destination.external?.account;
  return destination.kind === 'EXTERNAL' ? destination.account : undefined;
}

export function instrumentOf(account: PaymentAccount): Instrument {
  const { accountType, currency, identifier, info } = account;
  return { accountType, currency, identifier, fields: info };
}
