import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HDNodeWallet, Mnemonic } from 'ethers';
import { newMnemonic, sparkAddressOfMnemonic, sparkIdentityKey } from '#crypto/wallet-key.ts';
import { sparkIdentityKey as identityKeyIn } from '#lib/identifiers/spark.ts';
import { VECTOR_MNEMONIC } from '#tests/wallet-vectors.ts';

describe('keys of wallets (wallets.md W46, W46a)', () => {
  it('wallets.md W46: a mnemonic is twelve English words with their checksum, and never the same', () => {
    const made = new Set(Array.from({ length: 50 }, newMnemonic));
    assert.equal(made.size, 50);
    for (const words of made) {
      assert.equal(words.split(' ').length, 12);
      assert.ok(Mnemonic.isValidMnemonic(words), 'another library reads it');
    }
  });

  it('wallets.md W46a: the identity key is the one that another library derives from the same words', async () => {
    for (const words of [VECTOR_MNEMONIC, newMnemonic()]) {
      const other = HDNodeWallet.fromPhrase(words, '', "m/8797555'/0'/0'");
      assert.equal(`0x${Buffer.from(await sparkIdentityKey(words)).toString('hex')}`, other.publicKey);
    }
  });

  it('wallets.md W46a: the address holds that key', async () => {
    for (const prefix of ['spark', 'sparkt'] as const) {
      const address = await sparkAddressOfMnemonic(VECTOR_MNEMONIC, prefix);
      assert.ok(address.startsWith(`${prefix}1`));
      assert.deepEqual(identityKeyIn(address), await sparkIdentityKey(VECTOR_MNEMONIC));
    }
  });

  it('words that are no mnemonic give no key', async () => {
    await assert.rejects(sparkIdentityKey('legal winner thank'));
  });
});
