import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { isBitcoinAddress } from '#foundation/lib/identifiers/bitcoin-address.ts';
import { isBolt12Offer, isPayableInvoice } from '#foundation/lib/identifiers/lightning.ts';
import {
  ADDRESS_FORMATS,
  isWalletAddress,
  LIGHTNING_ADDRESS_FORMAT,
  WALLET_FAMILIES,
  type WalletType,
} from '#foundation/lib/identifiers/wallet-address.ts';
import type { Network } from '#foundation/ports/network-fees.ts';

/** accounts.md §7.2. Besides Bitcoin, Spark supports USDB and issued tokens, whose codes are not standardized. */
export function supportsCurrency(network: Network, currency: string): boolean {
  if (network === 'SPARK') return currency === 'BTC' || currency === 'USDB' || !isCurrencyCode(currency);
  return CURRENCIES[network].includes(currency);
}

const CURRENCIES: Readonly<Record<Exclude<Network, 'SPARK'>, readonly string[]>> = {
  BITCOIN: ['BTC'],
  LIGHTNING: ['BTC'],
  ETHEREUM: ['USDC', 'USDT'],
  SOLANA: ['USDC', 'USDT'],
  ARBITRUM: ['USDC', 'USDT'],
  BASE: ['USDC'],
  POLYGON: ['USDC'],
  TRON: ['USDT'],
  PLASMA: ['USDT'],
};

export interface AddressRule {
  /** Whether check digits are verified as well (accounts.md §4.1). */
  readonly strict: boolean;
  readonly now: Date;
}

/** True if money can be sent to this address over this network (accounts.md §4.4). */
export function isPayableAddress(network: Network, address: string, { strict, now }: AddressRule): boolean {
  if (network === 'LIGHTNING') return !strict || isLightningDestination(address, now);
  if (network === 'BITCOIN') return strict ? isBitcoinAddress(address) : BITCOIN_FORMAT.test(address);
  const accountType = `${network}_WALLET` as WalletType;
  return strict
    ? isWalletAddress(accountType, address)
    : ADDRESS_FORMATS[WALLET_FAMILIES[accountType]].test(address);
}

const BITCOIN_FORMAT = /^[A-Za-z0-9]{14,90}$/;

function isLightningDestination(address: string, now: Date): boolean {
  return LIGHTNING_ADDRESS_FORMAT.test(address) || isBolt12Offer(address) || isPayableInvoice(address, now);
}
