import type { SandboxTable } from '#edge/sandbox/table.ts';
import type { Network, NetworkFee, NetworkFeesPort } from '#foundation/ports/network-fees.ts';

/** The same fee every day. */
export const sandboxNetworkFees: NetworkFeesPort = {
  feeOf: async (network) => FEES[network],
};

/** accounts.md §7.5. All currencies of a network have the same value and scale, so one amount serves all of them. */
const FEES: Readonly<Record<Network, NetworkFee>> = {
  SOLANA: { fee: 5_000n, asset: 'SOL', converted: 1_000n },
  ETHEREUM: { fee: 420_000_000_000_000n, asset: 'ETH', converted: 1_300_000n },
  BASE: { fee: 2_000_000_000_000n, asset: 'ETH', converted: 7_000n },
  ARBITRUM: { fee: 2_000_000_000_000n, asset: 'ETH', converted: 7_000n },
  POLYGON: { fee: 3_000_000_000_000_000n, asset: 'POL', converted: 2_000n },
  TRON: { fee: 13_400_000n, asset: 'TRX', converted: 3_500_000n },
  PLASMA: { fee: 1_000_000_000_000_000n, asset: 'XPL', converted: 1_000n },
  BITCOIN: { fee: 1_500n, asset: 'BTC', converted: 1_500n },
  LIGHTNING: { fee: 10n, asset: 'BTC', converted: 10n },
  SPARK: { fee: 0n, asset: 'BTC', converted: 0n },
};

export const NETWORK_FEES_TABLE: SandboxTable<NetworkFee> = {
  id: 'network-fees',
  title: 'Network fees',
  intro: 'The cost of a withdrawal over a network never changes.',
  column: 'Network',
  operations: ['estimateCryptoWithdrawalFee'],
  rows: Object.entries(FEES).map(([network, fee]) => ({
    value: network,
    example: network,
    effect: `Costs ${fee.fee} of the smallest unit of ${fee.asset}, which equals ${fee.converted} of the withdrawn currency’s smallest unit.`,
    shows: { networkFee: Number(fee.fee), networkFeeAsset: fee.asset },
    does: fee,
  })),
};
