import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HDNodeWallet, Mnemonic } from 'ethers';
import {
  newMnemonic,
  sparkAddressOfSeed,
  sparkIdentityKey,
  sparkIdentityPath,
} from '#foundation/crypto/wallet-key.ts';
import { sparkIdentityKey as identityKeyIn } from '#foundation/lib/identifiers/spark.ts';
import { VECTOR_MNEMONIC } from '#tests/harness/wallet-vectors.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('keys of wallets (wallets.md §6.9.46, §6.9.46a)', () => {
  it('wallets.md §6.9.46: a mnemonic is twelve English words with their checksum, and no two are the same', () => {
    const made = new Set(Array.from({ length: 50 }, newMnemonic));
    assert.equal(made.size, 50);
    for (const words of made) {
      assert.equal(words.split(' ').length, 12);
      assert.ok(Mnemonic.isValidMnemonic(words), 'another library reads it');
    }
  });

  it('wallets.md §6.9.46a: the identity key is the one that another library derives from the same words', async () => {
    for (const mnemonic of [VECTOR_MNEMONIC, newMnemonic()]) {
      for (const account of [0, 1, 7]) {
        const derivationPath = sparkIdentityPath(account);
        const other = HDNodeWallet.fromPhrase(mnemonic, '', derivationPath);
        assert.equal(`0x${hex(await sparkIdentityKey({ mnemonic, derivationPath }))}`, other.publicKey);
      }
    }
  });

  /** As Spark's own wallet software (its SDK, 0.8.8) derives and encodes them from the same words. */
  const VECTORS = [
    {
      derivationPath: "m/8797555'/0'/0'",
      key: '02dfe7995713f80633f7b22b7745fa43694aec00a0744c43cb18c5fb4aed2a6fdf',
      spark: 'spark1pgss9hl8n9t387qxx0mmy2mhghayx622asq2qazvg093330mftkj5m7lkzt2ya',
      sparkt: 'sparkt1pgss9hl8n9t387qxx0mmy2mhghayx622asq2qazvg093330mftkj5m7lqscchz',
    },
    {
      derivationPath: "m/8797555'/1'/0'",
      key: '0319d6c5d64753556063000ab42725bfe774fe722f00fbc692142eade1fd1ea52f',
      spark: 'spark1pgssxxwkchtyw564vp3sqz45yujmlem5leez7q8mc6fpgt4du873aff0pgk2cv',
      sparkt: 'sparkt1pgssxxwkchtyw564vp3sqz45yujmlem5leez7q8mc6fpgt4du873aff0h69ctn',
    },
  ] as const;
  for (const { derivationPath, key, ...addresses } of VECTORS) {
    it(`wallets.md §6.9.46a: key and addresses at ${derivationPath} are those of Spark’s own wallets`, async () => {
      const seed = { mnemonic: VECTOR_MNEMONIC, derivationPath };
      assert.equal(hex(await sparkIdentityKey(seed)), key);
      for (const prefix of ['spark', 'sparkt'] as const) {
        const address = await sparkAddressOfSeed(seed, prefix);
        assert.equal(address, addresses[prefix]);
        assert.equal(hex(identityKeyIn(address) ?? new Uint8Array()), key);
      }
    });
  }

  it('words that are not a mnemonic are refused', async () => {
    await assert.rejects(
      sparkIdentityKey({ mnemonic: 'legal winner thank', derivationPath: sparkIdentityPath(1) }),
    );
  });
});
