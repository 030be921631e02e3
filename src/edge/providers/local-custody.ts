import { newMnemonic, sparkAddressOfSeed, sparkIdentityPath } from '#foundation/crypto/wallet-key.ts';
import type { SparkPrefix } from '#foundation/lib/identifiers/spark.ts';
import type { CustodyPort } from '#foundation/ports/custody.ts';

export interface CustodyOptions {
  /** Which of Spark's networks the wallets are on. */
  readonly network: SparkPrefix;
  readonly signsExports: boolean;
}

/**
 * The account number that Spark's own wallets use by default on the main and test networks (on a regtest network it is 0).
 * So an owner who enters the words there finds this wallet, not an empty one.
 */
const ACCOUNT_NUMBER = 1;

/** Keys that are made in this process. */
export function localCustody({ network, signsExports }: CustodyOptions): CustodyPort {
  return {
    newSeed: () => ({ mnemonic: newMnemonic(), derivationPath: sparkIdentityPath(ACCOUNT_NUMBER) }),
    addressOf: (seed) => sparkAddressOfSeed(seed, network),
    signsExports,
  };
}
