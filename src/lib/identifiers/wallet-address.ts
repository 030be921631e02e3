import { isEvmAddress } from '#lib/identifiers/evm-address.ts';
import { isSolanaAddress } from '#lib/identifiers/solana-address.ts';
import { isSparkWalletAddress } from '#lib/identifiers/spark-address.ts';
import { isTronAddress } from '#lib/identifiers/tron-address.ts';
import { type WalletFamily, type WalletType, walletFamily } from '#lib/identifiers/wallet-formats.ts';

/** accounts.md §4.3: the strict check of a wallet's address, by its account type. */
export function isWalletAddress(accountType: WalletType, address: string): boolean {
  const family = walletFamily(accountType);
  return family !== undefined && CHECKS[family](address);
}

const CHECKS: Readonly<Record<WalletFamily, (address: string) => boolean>> = {
  EVM: isEvmAddress,
  SOLANA: isSolanaAddress,
  TRON: isTronAddress,
  BITCOIN: isSparkWalletAddress,
};
