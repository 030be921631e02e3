import { newMnemonic, sparkAddressOfMnemonic } from '#crypto/wallet-key.ts';
import type { SparkPrefix } from '#lib/identifiers/spark.ts';
import type { CustodyPort } from '#ports/custody.ts';

export interface CustodyOptions {
  /** Which of Spark's networks the wallets are on. */
  readonly network: SparkPrefix;
  readonly signsExports: boolean;
}

/** Keys that are made in this process. */
export function localCustody({ network, signsExports }: CustodyOptions): CustodyPort {
  return { newMnemonic, addressOf: (mnemonic) => sparkAddressOfMnemonic(mnemonic, network), signsExports };
}
