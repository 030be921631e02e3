/** Wallet account types whose owner can be asked for a proof, with the family that proves it (accounts.md §4.4). */
export const WALLET_FAMILIES = {
  ETHEREUM_WALLET: 'EVM',
  BASE_WALLET: 'EVM',
  POLYGON_WALLET: 'EVM',
  ARBITRUM_WALLET: 'EVM',
  PLASMA_WALLET: 'EVM',
  SOLANA_WALLET: 'SOLANA',
  TRON_WALLET: 'TRON',
  SPARK_WALLET: 'BITCOIN',
} as const;

export type WalletType = keyof typeof WALLET_FAMILIES;
export type WalletFamily = (typeof WALLET_FAMILIES)[WalletType];

/** accounts.md §4.4, lenient formats: what an address must look like even where nothing is computed. */
export const ADDRESS_FORMATS: Readonly<Record<WalletFamily, RegExp>> = {
  EVM: /^0x[0-9a-fA-F]{40}$/,
  SOLANA: /^[A-Za-z0-9]{32,44}$/,
  TRON: /^T[A-Za-z0-9]{33}$/,
  BITCOIN: /^[A-Za-z0-9]{14,1024}$/,
};

/** accounts.md §4.4: `user@domain`. */
export const LIGHTNING_ADDRESS_FORMAT = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

export function walletFamily(accountType: string): WalletFamily | undefined {
  return isWalletType(accountType) ? WALLET_FAMILIES[accountType] : undefined;
}

export function isWalletType(accountType: string): accountType is WalletType {
  return Object.hasOwn(WALLET_FAMILIES, accountType);
}
