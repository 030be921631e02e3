import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import { getAddress } from 'ethers';
import fc from 'fast-check';
import { utils as tron } from 'tronweb';
import { isBitcoinAddress } from '#foundation/lib/identifiers/bitcoin-address.ts';
import {
  ADDRESS_FORMATS,
  isWalletAddress,
  LIGHTNING_ADDRESS_FORMAT,
  WALLET_FAMILIES,
  type WalletType,
} from '#foundation/lib/identifiers/wallet-address.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const types = Object.keys(WALLET_FAMILIES) as WalletType[];

describe('wallet addresses', () => {
  it('accounts.md §4.3 EVM: the EIP-55 spelling and either single case are accepted', () => {
    fc.assert(
      fc.property(bytes(20), (account) => {
        const digits = Buffer.from(account).toString('hex');
        assert.equal(isWalletAddress('BASE_WALLET', getAddress(`0x${digits}`)), true);
        assert.equal(isWalletAddress('BASE_WALLET', `0x${digits}`), true);
        assert.equal(isWalletAddress('BASE_WALLET', `0x${digits.toUpperCase()}`), true);
        assert.equal(isWalletAddress('BASE_WALLET', digits), false);
      }),
    );
  });

  it('accounts.md §4.3 EVM: mixed case is checked as ethers does it', () => {
    const oddCase = fc
      .stringMatching(/^[0-9a-fA-F]{40}$/)
      .filter((text) => /[a-f]/.test(text) && /[A-F]/.test(text));
    fc.assert(
      fc.property(oddCase, (digits) => {
        let checked = true;
        try {
          getAddress(`0x${digits}`);
        } catch {
          checked = false;
        }
        assert.equal(isWalletAddress('ETHEREUM_WALLET', `0x${digits}`), checked);
      }),
    );
  });

  it('accounts.md §4.3 Tron: Base58Check with version 0x41, as tronweb checks it', () => {
    const check = createBase58check(sha256);
    fc.assert(
      fc.property(bytes(20), fc.nat({ max: 255 }), (account, version) => {
        const address = check.encode(Buffer.concat([Buffer.of(version), account]));
        assert.equal(isWalletAddress('TRON_WALLET', address), version === 0x41);
        const right = check.encode(Buffer.concat([Buffer.of(0x41), account]));
        assert.equal(tron.address.isAddress(right), true);
        assert.equal(isWalletAddress('TRON_WALLET', right), true);
        assert.equal(isWalletAddress('TRON_WALLET', withLastCharacterChanged(right)), false);
      }),
    );
  });

  it('accounts.md §4.3 Tron: neighbouring versions that also start with T are refused', () => {
    const check = createBase58check(sha256);
    for (const [version, fill] of [
      [0x40, 0xff],
      [0x42, 0x00],
      [0x42, 0x80],
      [0x43, 0x00],
    ] as const) {
      const address = check.encode(Buffer.concat([Buffer.of(version), Buffer.alloc(20, fill)]));
      assert.match(address, ADDRESS_FORMATS.TRON);
      assert.equal(isWalletAddress('TRON_WALLET', address), false, address);
    }
  });

  it('accounts.md §4.3 Solana: Base58 of exactly 32 bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 28, max: 36 }).chain(bytes), (key) => {
        assert.equal(isWalletAddress('SOLANA_WALLET', base58.encode(key)), key.length === 32);
      }),
    );
    assert.equal(isWalletAddress('SOLANA_WALLET', '1'.repeat(32)), true);
    assert.equal(isWalletAddress('SOLANA_WALLET', '0'.repeat(40)), false);
  });

  it('accounts.md §4.3 Spark: an on-chain Bitcoin address is accepted too', () => {
    for (const address of [
      '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
      '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    ]) {
      assert.equal(isWalletAddress('SPARK_WALLET', address), true, address);
      assert.equal(isWalletAddress('SPARK_WALLET', withLastCharacterChanged(address)), false, address);
    }
  });

  it('accounts.md §4.3 Bitcoin: the examples of BIP 350 are accepted, also those of versions that are not in use yet', () => {
    for (const address of [
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      'BC1SW50QGDZ25J',
      'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
      'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    ]) {
      assert.equal(isBitcoinAddress(address), true, address);
    }
    for (const address of [
      'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
      'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
      'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
      'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
      'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
      'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
      'bc1pw5dgrnzv',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
      'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
      'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
      'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
      'bc1gmk9yu',
    ]) {
      assert.equal(isBitcoinAddress(address), false, address);
    }
  });

  it('accounts.md §4.3 Spark: witness programs need the right length and the checksum of their version', () => {
    const cases = [
      ...[0, 1, 2, 16, 17].flatMap((version) =>
        [2, 20, 32, 40, 41].map((length) => [version, length] as const),
      ),
      [1, 1] as const,
    ];
    for (const [version, length] of cases) {
      const program = new Uint8Array(length).fill(7);
      const wellFormed =
        version === 0 ? length === 20 || length === 32 : version <= 16 && length >= 2 && length <= 40;
      const [right, wrong] = version === 0 ? [bech32, bech32m] : [bech32m, bech32];
      for (const prefix of ['bc', 'tb', 'bcrt', 'ltc']) {
        const words = [version, ...right.toWords(program)];
        const isOurs = prefix !== 'ltc';
        assert.equal(
          isBitcoinAddress(right.encode(prefix, words, 200)),
          wellFormed && isOurs,
          `${version}/${length}`,
        );
        assert.equal(isBitcoinAddress(wrong.encode(prefix, words, 200)), false, `${version}/${length}`);
      }
    }
  });

  it('accounts.md §4.3 Spark: other Base58Check versions and lengths are no Bitcoin address', () => {
    const check = createBase58check(sha256);
    const accepted = Array.from({ length: 256 }, (_, version) => version).filter((version) =>
      isBitcoinAddress(check.encode(Buffer.concat([Buffer.of(version), Buffer.alloc(20, 9)]))),
    );
    assert.deepEqual(accepted, [0x00, 0x05, 0x6f, 0xc4]);
    assert.equal(isBitcoinAddress(check.encode(Buffer.alloc(22))), false);
    assert.equal(isBitcoinAddress(check.encode(Buffer.alloc(20))), false);
  });

  it('accounts.md §4.3: arbitrary text is refused for every type without an exception', () => {
    const text = fc.oneof(
      fc.string({ unit: CODE_POINT, maxLength: 100 }),
      fc.stringMatching(/^[A-Za-z0-9]{14,100}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...types), text, (type, address) => {
        // 32 to 44 characters of Base58 can be a Solana address by chance.
        if (type !== 'SOLANA_WALLET') assert.equal(isWalletAddress(type, address), false);
        else assert.equal(typeof isWalletAddress(type, address), 'boolean');
      }),
      { numRuns: 500 },
    );
  });

  it('accounts.md §4.3: a megabyte of text is refused at once', () => {
    for (const type of types) assert.equal(isWalletAddress(type, `T${'1'.repeat(1_000_000)}`), false, type);
  });

  it('accounts.md §4.4: the lenient formats compile as schema patterns and follow the table', () => {
    for (const format of [...Object.values(ADDRESS_FORMATS), LIGHTNING_ADDRESS_FORMAT]) {
      assert.doesNotThrow(() => new RegExp(format.source, 'u'));
    }
    assert.match('0xAbCdEf0123456789aBcDeF0123456789AbCdEf01', ADDRESS_FORMATS.EVM);
    assert.doesNotMatch('0xAbCdEf0123456789aBcDeF0123456789AbCdEf0', ADDRESS_FORMATS.EVM);
    assert.match('0'.repeat(32), ADDRESS_FORMATS.SOLANA);
    assert.doesNotMatch('1'.repeat(45), ADDRESS_FORMATS.SOLANA);
    assert.match(`T${'0'.repeat(33)}`, ADDRESS_FORMATS.TRON);
    assert.doesNotMatch(`A${'0'.repeat(33)}`, ADDRESS_FORMATS.TRON);
    assert.match(`spark1${'0'.repeat(8)}`, ADDRESS_FORMATS.BITCOIN);
    assert.doesNotMatch('1'.repeat(13), ADDRESS_FORMATS.BITCOIN);
    assert.match('rosa.004@mail.example', LIGHTNING_ADDRESS_FORMAT);
    for (const text of ['rosa', '@mail.example', 'rosa@', 'a@b@c', 'a b@c']) {
      assert.doesNotMatch(text, LIGHTNING_ADDRESS_FORMAT);
    }
  });
});

function withLastCharacterChanged(address: string): string {
  return address.slice(0, -1) + (address.endsWith('q') || address.endsWith('Q') ? 'p' : 'q');
}
