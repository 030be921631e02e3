/** Makes the keys of embedded wallets. They are stored sealed, so that their owners can take them along. */
export interface CustodyPort {
  /** Called inside the transaction that opens the wallet, and may not wait: twelve words (BIP-39). */
  newMnemonic(): string;
  /** The wallet's Spark address, which follows from its words (wallets.md W46a). */
  addressOf(mnemonic: string): Promise<string>;
  /** Whether the service signs what it exports (wallets.md §7). */
  readonly signsExports: boolean;
}
