import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { attempt } from '#foundation/lib/identifiers/attempt.ts';

export type BitcoinAddressKind = 'P2PKH' | 'P2SH' | 'P2WPKH' | 'OTHER_WITNESS';

export interface BitcoinAddress {
  readonly kind: BitcoinAddressKind;
  /** The hash or witness program that the address commits to. */
  readonly program: Uint8Array;
}

/** BIP 173: no Bitcoin address is longer. */
const LENGTH_MAX = 90;
const WITNESS_PREFIXES = ['bc', 'tb', 'bcrt'];

/** accounts.md §4.3: a well-formed address of the main or a test network. */
export function isBitcoinAddress(address: string): boolean {
  return decodeBitcoinAddress(address) !== undefined;
}

export function decodeBitcoinAddress(address: string): BitcoinAddress | undefined {
  if (address.length > LENGTH_MAX) return undefined;
  return decodeBase58Address(address) ?? decodeWitnessAddress(address);
}

function decodeBase58Address(address: string): BitcoinAddress | undefined {
  const bytes = attempt(() => createBase58check(sha256).decode(address));
  if (bytes?.length !== 21) return undefined;
  const kind = BASE58_KINDS.get(bytes[0] ?? -1);
  return kind && { kind, program: bytes.subarray(1) };
}

const BASE58_KINDS: ReadonlyMap<number, BitcoinAddressKind> = new Map([
  [0x00, 'P2PKH'],
  [0x6f, 'P2PKH'],
  [0x05, 'P2SH'],
  [0xc4, 'P2SH'],
]);

/** BIP 350: version 0 is written in Bech32, all later versions in Bech32m. */
function decodeWitnessAddress(address: string): BitcoinAddress | undefined {
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(address, LENGTH_MAX);
    if (decoded === undefined || !WITNESS_PREFIXES.includes(decoded.prefix)) continue;
    const [version, ...words] = decoded.words;
    const program = coder.fromWordsUnsafe(words);
    if (version === undefined || version > 16 || !(program instanceof Uint8Array)) return undefined;
    if (coder !== (version === 0 ? bech32 : bech32m)) return undefined;
    return witnessAddress(version, program);
  }
  return undefined;
}

function witnessAddress(version: number, program: Uint8Array): BitcoinAddress | undefined {
  if (version === 0 && program.length === 20) return { kind: 'P2WPKH', program };
  const fits = version === 0 ? program.length === 32 : program.length >= 2 && program.length <= 40;
  return fits ? { kind: 'OTHER_WITNESS', program } : undefined;
}
