// lane: whole — loads the signing libraries of six chains

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { sign, verify } from 'bitcoinjs-message';
import {
  SIGNATURE_SCHEMES,
  type SignatureScheme,
} from '#capabilities/external-accounts/ownership/signatures.ts';
import { verifyOwnership } from '#capabilities/external-accounts/ownership/verify-ownership.ts';
import { encodeSparkAddress } from '#foundation/lib/identifiers/spark.ts';

const key = Buffer.alloc(32, 0x6e);
const message = 'Svc wallet ownership: I control it.';
const compressed = secp256k1.getPublicKey(key, true);
const uncompressed = secp256k1.getPublicKey(key, false);
const redeemScript = Buffer.concat([Buffer.of(0x00, 0x14), hash160(compressed)]);
const legacySignature = sign(message, key, true);
const recovery = legacySignature.readUInt8(0) - 31;

/** The complete table of accounts.md §5.3: the only headers that a stored address accepts, by scheme. */
const ROWS: readonly { name: string; addresses: string[]; headers: Record<SignatureScheme, number[]> }[] = [
  {
    name: 'P2PKH of the uncompressed key',
    addresses: [base58Address(0x00, hash160(uncompressed)), base58Address(0x6f, hash160(uncompressed))],
    headers: { bip137: [27], electrum: [27] },
  },
  {
    name: 'P2PKH of the compressed key',
    addresses: [base58Address(0x00, hash160(compressed)), base58Address(0x6f, hash160(compressed))],
    headers: { bip137: [31], electrum: [31] },
  },
  {
    name: 'P2SH-P2WPKH',
    addresses: [base58Address(0x05, hash160(redeemScript)), base58Address(0xc4, hash160(redeemScript))],
    headers: { bip137: [35], electrum: [31] },
  },
  {
    name: 'P2WPKH',
    addresses: ['bc', 'tb', 'bcrt'].map((prefix) => witnessAddress(prefix, 0, hash160(compressed))),
    headers: { bip137: [39], electrum: [31] },
  },
  {
    name: 'Spark',
    addresses: (['spark', 'sparkt', 'sparkrt', 'sp'] as const).map((prefix) =>
      encodeSparkAddress(compressed, prefix),
    ),
    headers: { bip137: [31, 35, 39], electrum: [31] },
  },
  {
    name: 'segwit of the uncompressed key, which Bitcoin does not know',
    addresses: [witnessAddress('bc', 0, hash160(uncompressed))],
    headers: { bip137: [], electrum: [] },
  },
  {
    name: 'Taproot and P2WSH',
    addresses: [
      witnessAddress('bc', 1, compressed.subarray(1)),
      witnessAddress('tb', 1, compressed.subarray(1)),
      witnessAddress('bc', 0, sha256(compressed)),
    ],
    headers: { bip137: [], electrum: [] },
  },
];

describe('Bitcoin ownership proof', () => {
  for (const { name, addresses, headers } of ROWS) {
    for (const scheme of SIGNATURE_SCHEMES) {
      it(`accounts.md §5.3: ${name}, ${scheme}: only the table’s headers are accepted, of all 256`, () => {
        const expected = headers[scheme].map((first) => first + recovery);
        for (const address of addresses) {
          const accepted = Array.from({ length: 256 }, (_, header) => header).filter((header) =>
            proves(address, withHeader(header), scheme),
          );
          assert.deepEqual(accepted, expected, address);
        }
      });
    }
  }

  it('accounts.md §5.3: the well-known addresses of the private key 1 are proven', () => {
    const one = Buffer.from('01'.padStart(64, '0'), 'hex');
    const proofs = [
      ['1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm', sign(message, one, false)],
      ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', sign(message, one, true)],
      ['3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN', sign(message, one, true, { segwitType: 'p2sh(p2wpkh)' })],
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', sign(message, one, true, { segwitType: 'p2wpkh' })],
    ] as const;
    for (const [address, signature] of proofs) {
      assert.equal(verify(message, address, signature), true, address);
      assert.equal(proves(address, signature), true, address);
      assert.equal(proves(address.toUpperCase(), signature), address.startsWith('bc1'), address);
    }
  });

  it('accounts.md §5.3.26: the electrum check agrees with bitcoinjs-message for segwit addresses', () => {
    for (const { addresses } of ROWS.filter(({ name }) => name === 'P2WPKH' || name === 'P2SH-P2WPKH')) {
      for (const address of addresses) {
        assert.equal(verify(message, address, legacySignature, undefined, true), true, address);
        assert.equal(proves(address, legacySignature, 'electrum'), true, address);
      }
    }
  });

  it('accounts.md §5.3.26: bip137 is the scheme when none is given', () => {
    const address = witnessAddress('bc', 0, hash160(compressed));
    assert.equal(proves(address, sign(message, key, true, { segwitType: 'p2wpkh' }), undefined), true);
    assert.equal(proves(address, legacySignature, undefined), false);
  });

  it('accounts.md §5.3: messages of every length class of the varint are hashed as Bitcoin does', () => {
    const address = base58Address(0x00, hash160(compressed));
    for (const length of [0, 1, 0xfc, 0xfd, 0xfe, 0xff, 0x100, 0xffff, 0x10000]) {
      const text = 'x'.repeat(length);
      const signature = sign(text, key, true).toString('base64');
      assert.equal(verifyOwnership({ accountType: 'SPARK_WALLET', address, message: text, signature }), true);
    }
  });

  it('accounts.md §5.3: only standard base64 of 65 bytes is read', () => {
    const address = base58Address(0x00, hash160(compressed));
    const text = legacySignature.toString('base64');
    const refused = [
      text.replace(/=+$/, ''),
      ` ${text}`,
      `${text}\n`,
      legacySignature.toString('hex'),
      legacySignature.subarray(0, 64).toString('base64'),
      Buffer.concat([legacySignature, Buffer.of(0)]).toString('base64'),
    ];
    assert.equal(provesText(address, text), true);
    for (const spelling of refused) assert.equal(provesText(address, spelling), false, spelling);
  });

  it('accounts.md §5.3: an on-chain address is not proven by a plain hex signature', () => {
    const plain = Buffer.from(secp256k1.sign(Buffer.from(message), key)).toString('hex');
    assert.equal(provesText(encodeSparkAddress(compressed, 'spark'), plain), true);
    assert.equal(provesText(base58Address(0x00, hash160(compressed)), plain), false);
  });

  it('accounts.md §5.3: an address whose checksum is broken proves nothing', () => {
    const address = witnessAddress('bc', 0, hash160(compressed));
    const broken = address.slice(0, -3) + (address.endsWith('002') ? '003' : '002');
    assert.equal(proves(broken, legacySignature, 'electrum'), false);
  });
});

function proves(address: string, signature: Buffer, signatureScheme?: SignatureScheme): boolean {
  return provesText(address, signature.toString('base64'), signatureScheme);
}

function provesText(address: string, signature: string, signatureScheme?: SignatureScheme): boolean {
  return verifyOwnership({ accountType: 'SPARK_WALLET', address, message, signature, signatureScheme });
}

function withHeader(header: number): Buffer {
  return Buffer.concat([Buffer.of(header), legacySignature.subarray(1)]);
}

/** From the definition, not by the service's own code. */
function hash160(bytes: Uint8Array): Buffer {
  return createHash('ripemd160').update(createHash('sha256').update(bytes).digest()).digest();
}

function base58Address(version: number, hash: Buffer): string {
  return createBase58check(sha256).encode(Buffer.concat([Buffer.of(version), hash]));
}

function witnessAddress(prefix: string, version: number, program: Uint8Array): string {
  const coder = version === 0 ? bech32 : bech32m;
  return coder.encode(prefix, [version, ...coder.toWords(program)]);
}
