import type { PaymentInstruction } from '#accounts/payment-instruction-schemas.ts';
import { automaticRail, type PaymentAccount } from '#external-accounts/check-for-payment.ts';
import { type PaymentRail, RAILS } from '#lib/rails-by-currency.ts';
import type { Details, Instrument } from '#payments/details.ts';
import type { Network } from '#rails/network-fees.ts';

/** Whose something is; null: the platform's own. */
export interface Owner {
  readonly customerId: string | null;
  readonly platformCustomerId?: string | undefined;
}

export type QuoteSource =
  | {
      readonly kind: 'INTERNAL';
      readonly accountId: string;
      readonly currency: string;
      readonly isPlatforms?: boolean;
    }
  | { readonly kind: 'EXTERNAL'; readonly account: PaymentAccount }
  | {
      readonly kind: 'REALTIME';
      readonly currency: string;
      readonly network?: Network | undefined;
      /** The word in the ledger account that the money arrives over. */
      readonly rail: string;
      /** As the caller named it. */
      readonly customerId?: string | undefined;
      instructions(reference: string): readonly PaymentInstruction[];
    };

export type QuoteDestination =
  | {
      readonly kind: 'INTERNAL';
      readonly accountId: string;
      readonly currency: string;
      readonly owner: Owner;
    }
  | {
      readonly kind: 'EXTERNAL';
      readonly account: PaymentAccount;
      /** Null where the account has none: wallets and Lightning. */
      readonly rail: PaymentRail | null;
      readonly isChosen: boolean;
    }
  | {
      readonly kind: 'UMA';
      readonly address: string;
      readonly currency: string;
      /** A customer of this platform: the account that the money lands on. */
      readonly internal?: { readonly accountId: string; readonly owner: Owner } | undefined;
      /** Instead: the customer's default deposit account outside (accounts.md EA-23). */
      readonly outside?: { readonly account: PaymentAccount; readonly owner: Owner } | undefined;
    };

export function sourceColumns(source: QuoteSource) {
  return {
    source_type: source.kind,
    source_account:
      source.kind === 'INTERNAL' ? source.accountId : source.kind === 'EXTERNAL' ? source.account.id : null,
    source_uma: null,
  };
}

export function destinationColumns(destination: QuoteDestination) {
  if (destination.kind === 'UMA') {
    return {
      destination_type: destination.kind,
      destination_account: destination.internal?.accountId ?? null,
      destination_uma: destination.address,
    };
  }
  return {
    destination_type: destination.kind,
    destination_account: destination.kind === 'INTERNAL' ? destination.accountId : destination.account.id,
    destination_uma: null,
  };
}

/** Who gets a mirror: the owner of an internal destination, where that is somebody else. */
export function receiverOf(destination: QuoteDestination, owner: Owner): Details['receiver'] {
  const to =
    destination.kind === 'INTERNAL'
      ? destination.owner
      : destination.kind === 'UMA'
        ? (destination.internal ?? destination.outside)?.owner
        : undefined;
  if (to === undefined || to.customerId === owner.customerId) return undefined;
  const { customerId, platformCustomerId } = to;
  return { customerId, ...(platformCustomerId !== undefined && { platformCustomerId }) };
}

/** Whose an account outside is that somebody else pays. */
export function holderOf(destination: QuoteDestination, owner: Owner): Pick<Details, 'holder'> {
  const holder = destination.kind === 'EXTERNAL' ? destination.account.customerId : undefined;
  return holder === undefined || holder === owner.customerId ? {} : { holder };
}

export function fundingDetails(source: QuoteSource): Partial<Details> {
  if (source.kind === 'INTERNAL') return source.isPlatforms ? { isPlatformMoney: true } : {};
  if (source.kind === 'EXTERNAL') {
    const { rails, customerId } = source.account;
    const fundingRail = rails[0] ?? 'BANK_TRANSFER';
    return { fundingRail, ...(customerId === undefined && { isPlatformMoney: true }) };
  }
  return {
    fundingRail: source.rail,
    ...(source.network !== undefined && { fundingNetwork: source.network }),
    ...(source.customerId !== undefined && { sourceCustomerId: source.customerId }),
  };
}

export function payoutDetails(destination: QuoteDestination): Partial<Details> {
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

/** To another provider, or to the account outside that a customer of ours has its UMA money paid on to. */
function umaPayoutDetails({ outside }: Extract<QuoteDestination, { kind: 'UMA' }>): Partial<Details> {
  if (!outside) return { payoutRail: 'UMA' };
  const { account } = outside;
  const depositRail = automaticRail(account);
  const way = depositRail === undefined ? chainDetails(account) : { payoutRail: depositRail, depositRail };
  return { ...way, depositAccount: account.id };
}

/** The way out where the account is no bank's. */
export function chainDetails({ accountType }: PaymentAccount): Partial<Details> {
  const network = networkOf(accountType);
  if (network === undefined) return { payoutRail: accountType };
  // Lightning leaves no transaction on a chain to point to (money.md §6.7).
  return { payoutRail: network, ...(network !== 'LIGHTNING' && { payoutNetwork: network }) };
}

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

/** The chain that an account type pays over. */
function networkOf(accountType: string): Network | undefined {
  return Object.hasOwn(NETWORKS, accountType) ? NETWORKS[accountType] : undefined;
}

/** An account outside as it is now: a payment goes where it was made out to, whatever becomes of the account. */
export function instrumentOf(account: PaymentAccount): Instrument {
  const { accountType, currency, identifier, info } = account;
  return { accountType, currency, identifier, fields: info };
}
