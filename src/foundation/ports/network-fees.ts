/** The networks over which digital money is withdrawn (accounts.md §7.2). */
export const NETWORKS = [
  'BITCOIN',
  'LIGHTNING',
  'SPARK',
  'ETHEREUM',
  'SOLANA',
  'ARBITRUM',
  'BASE',
  'POLYGON',
  'TRON',
  'PLASMA',
] as const;

export type Network = (typeof NETWORKS)[number];

export interface NetworkFee {
  /** In the smallest unit of `asset`; below 2^53. */
  readonly fee: bigint;
  /** The asset in which the network's fee is paid: `SOL`, `ETH`, … */
  readonly asset: string;
  /** The same in the smallest unit of the withdrawn currency, rounded up. */
  readonly converted: bigint;
}

export interface NetworkFeesPort {
  /** The present fee of one withdrawal; undefined if this environment has no source of fees. */
  feeOf(network: Network, currency: string): Promise<NetworkFee | undefined>;
}
