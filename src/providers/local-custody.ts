import { newMnemonic, sparkAddressOfSeed, sparkIdentityPath } from '#crypto/wallet-key.ts';
import type { SparkPrefix } from '#lib/identifiers/spark.ts';
import type { CustodyPort } from '#ports/custody.ts';

export interface CustodyOptions {
  /** Which of Spark's networks the wallets are on. */
  readonly network: SparkPrefix;
  readonly signsExports: boolean;
}

/**
 * What Spark's own wallets take on the main and test networks when nobody names an account (on a regtest network it is
 * 0): whoever enters the words there finds this wallet, and no empty one.
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
