import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedWebcrypto } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { encodeSparkAddress, type SparkPrefix } from '#foundation/lib/identifiers/spark.ts';
import type { WalletSeed } from '#foundation/ports/custody.ts';

const ENTROPY_BITS = 128;

/** The derivation path of the identity key of a Spark wallet with this account number (wallets.md §6.9.46a). */
export function sparkIdentityPath(accountNumber: number): string {
  return `m/8797555'/${accountNumber}'/0'`;
}

/** Twelve English words (BIP-39), from which all keys of a wallet are derived. */
export function newMnemonic(): string {
  return generateMnemonic(wordlist, ENTROPY_BITS);
}

/** The compressed public key that identifies the wallet, 33 bytes. Throws if the words are not a mnemonic. */
export async function sparkIdentityKey({ mnemonic, derivationPath }: WalletSeed): Promise<Uint8Array> {
  // The only one of the library's three functions that derives the seed off the event loop.
  const seed = await mnemonicToSeedWebcrypto(mnemonic);
  const { publicKey } = HDKey.fromMasterSeed(seed).derive(derivationPath);
  if (!publicKey) throw new Error('a derived key has no public half');
  return publicKey;
}

export async function sparkAddressOfSeed(seed: WalletSeed, prefix: SparkPrefix): Promise<string> {
  return encodeSparkAddress(await sparkIdentityKey(seed), prefix);
}
