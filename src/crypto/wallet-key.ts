import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedWebcrypto } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { type SparkPrefix, sparkAddressOf } from '#lib/identifiers/spark.ts';

const ENTROPY_BITS = 128;
/** Where Spark wallets derive their identity (wallets.md W46a): whoever enters the words there has this wallet. */
const IDENTITY_PATH = "m/8797555'/0'/0'";

/** Twelve English words (BIP-39), from which everything of a wallet follows. */
export function newMnemonic(): string {
  return generateMnemonic(wordlist, ENTROPY_BITS);
}

/** The compressed public key that identifies the wallet of these words, 33 bytes. Throws where they are no mnemonic. */
export async function sparkIdentityKey(mnemonic: string): Promise<Uint8Array> {
  // Of the library's three ways the one that derives the seed off the event loop.
  const seed = await mnemonicToSeedWebcrypto(mnemonic);
  const { publicKey } = HDKey.fromMasterSeed(seed).derive(IDENTITY_PATH);
  if (!publicKey) throw new Error('a derived key has no public half');
  return publicKey;
}

export async function sparkAddressOfMnemonic(mnemonic: string, prefix: SparkPrefix): Promise<string> {
  return sparkAddressOf(await sparkIdentityKey(mnemonic), prefix);
}
