import { versionedRows } from '#foundation/database/rows.ts';
import type { GuardedAccount, SummedAccount } from '#foundation/ledger/kinds.ts';
import {
  type OwnCurrencies,
  type PresentedAmount,
  presentAmount,
  showAmount,
} from '#foundation/lib/currencies.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import type { IssuanceStatus, TokenName } from '#foundation/ports/stablecoins.ts';

export const NETWORKS = ['SPARK'] as const;
export const ISSUANCE_STATUSES = [
  'PENDING_REVIEW',
  'PROVISIONING',
  'PROVISIONED',
  'REJECTED',
  'FAILED',
] as const satisfies readonly IssuanceStatus[];
export const SVC_STATUSES = ['NOT_ENABLED', 'PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED'] as const;
export type SvcStatus = (typeof SVC_STATUSES)[number];

/** A coin: a stablecoin in the contract's terms. */
export interface CoinRow {
  platform_id: PlatformId;
  id: CoinId;
  version: bigint;
  environment: Environment;
  provider: 'BRALE';
  network: (typeof NETWORKS)[number];
  provider_token_identifier: string;
  network_token_identifier: string;
  name: string;
  symbol: string;
  base_currency: string;
  decimals: number;
  /** The provider's supply before the registration, in the coin's smallest units. */
  opening_supply: bigint;
  created_at: Date;
  /** The link to the provider; bare UUID. A later link to the same provider account replaces it. */
  provider_account: LinkId;
  issuance_status: IssuanceStatus;
  svc_operations_status: SvcStatus;
  /** When its symbol became a currency of the platform. */
  currency_since: Date | null;
  updated_at: Date;
}

export const COINS = versionedRows<CoinRow>({
  table: 'stablecoins',
  // Another request registered the token or the symbol at the same moment: a retry sees it.
  constraints: { stablecoins_token: 'stale', stablecoins_symbol: 'stale' },
  fixed: {
    environment: 'text',
    provider: 'text',
    network: 'text',
    provider_token_identifier: 'text',
    network_token_identifier: 'text',
    name: 'text',
    symbol: 'text',
    base_currency: 'text',
    decimals: 'smallint',
    opening_supply: 'bigint',
    created_at: 'timestamptz',
  },
  state: {
    provider_account: 'uuid',
    issuance_status: 'text',
    svc_operations_status: 'text',
    currency_since: 'timestamptz',
    updated_at: 'timestamptz',
  },
});

export function tokenOf(coin: CoinRow): TokenName & { readonly symbol: string } {
  return {
    network: coin.network,
    providerTokenIdentifier: coin.provider_token_identifier,
    networkTokenIdentifier: coin.network_token_identifier,
    symbol: coin.symbol,
  };
}

/** The number of the coin's smallest units in one US cent. */
export function unitsPerCent({ decimals }: Pick<CoinRow, 'decimals'>): bigint {
  return 10n ** BigInt(decimals - 2);
}

/** The coins issued and not redeemed, in the coin (stablecoins.md §7). */
export function issuedAccountOf(coinId: CoinId): GuardedAccount {
  return `ISSUED:${coinId}`;
}

/** The US dollars that back the coin. */
export function reserveAccountOf(coinId: CoinId): GuardedAccount {
  return `RESERVE:${coinId}`;
}

/** Coins in external wallets and at the provider: OUT. */
export function outsideAccountOf({ symbol }: Pick<CoinRow, 'symbol'>): SummedAccount {
  return `RAIL:SPARK:${symbol}`;
}

/** The amounts owed between us and the provider. */
export const PROVIDER_CLEARING: SummedAccount = 'RAIL:PROVIDER:USD';

type CoinTerms = Pick<CoinRow, 'symbol' | 'name' | 'decimals'>;

/** An amount in the coin, or in US dollars, as text. */
export function showCoinAmount(coin: CoinTerms, amount: bigint, currency = coin.symbol): string {
  return showAmount(amount, currency, asCurrency(coin));
}

/** The same as the amount object of a reply (platform.md §1.2.4). */
export function presentCoinAmount(coin: CoinTerms, amount: bigint, currency = coin.symbol): PresentedAmount {
  return presentAmount(amount, currency, asCurrency(coin));
}

/** The coin is not a currency of its platform until it is enabled. */
export function asCurrency({ symbol, name, decimals }: CoinTerms): OwnCurrencies {
  return { [symbol]: { name, symbol, decimals } };
}
