// lane: whole — loads the signing libraries of six chains

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Signature, Wallet } from 'ethers';
import { verifyOwnership } from '#capabilities/external-accounts/ownership/verify-ownership.ts';

const wallet = new Wallet(`0x${'4b'.repeat(32)}`);
const message = 'Svc wallet ownership: I control it. Größe 2 ½.';
const signature = wallet.signMessageSync(message);
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe('EVM ownership proof', () => {
  it('accounts.md §5.3: hex is accepted with and without 0x, in either case', () => {
    const digits = signature.slice(2);
    for (const spelling of [digits, digits.toUpperCase(), `0x${digits.toUpperCase()}`]) {
      assert.equal(proves(spelling), true, spelling);
    }
    for (const spelling of [`0X${digits}`, `${digits} `, `0x0x${digits}`, digits.slice(1), `${digits}0`]) {
      assert.equal(proves(spelling), false, spelling);
    }
  });

  it('accounts.md §5.3: v is one of 0, 1, 27, 28 and must name the right key', () => {
    const { yParity } = Signature.from(signature);
    const accepted = Array.from({ length: 256 }, (_, v) => v).filter((v) => proves(withV(v)));
    assert.deepEqual(accepted, [yParity, 27 + yParity]);
  });

  it('accounts.md §5.3: both values of the recovery bit occur and are accepted', () => {
    const parities = new Set<number>();
    for (let round = 0; parities.size < 2; round++) {
      const text = `message ${round}`;
      const made = wallet.signMessageSync(text);
      parities.add(Signature.from(made).yParity);
      assert.equal(proves(made, text), true);
      assert.equal(proves(Signature.from(made).compactSerialized, text), true);
    }
  });

  it('accounts.md §5.3: the 64-byte EIP-2098 form is accepted', () => {
    const compact = Signature.from(signature).compactSerialized;
    assert.equal(compact.length, 2 + 128);
    assert.equal(proves(compact), true);
    const otherParity = (Number.parseInt(compact.slice(66, 68), 16) ^ 0x80).toString(16).padStart(2, '0');
    assert.equal(proves(compact.slice(0, 66) + otherParity + compact.slice(68)), false);
  });

  it('accounts.md §5.3: the same signature with a high s is refused', () => {
    const { r, s, yParity } = Signature.from(signature);
    const highS = (CURVE_ORDER - BigInt(s)).toString(16).padStart(64, '0');
    for (const v of [1 - yParity, 28 - yParity]) {
      assert.equal(proves(r + highS + v.toString(16).padStart(2, '0')), false);
    }
  });

  it('accounts.md §5.3: the address is compared case-insensitively, even if its EIP-55 checksum is wrong', () => {
    const digits = wallet.address.slice(2);
    const swapped = digits.replace(/[a-f]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const address of [digits.toLowerCase(), digits.toUpperCase(), swapped]) {
      assert.equal(proves(signature, message, `0x${address}`), true, address);
    }
    assert.equal(proves(signature, message, digits), false);
  });
});

function proves(text: string, signed = message, address: string = wallet.address): boolean {
  return verifyOwnership({ accountType: 'ETHEREUM_WALLET', address, message: signed, signature: text });
}

function withV(v: number): string {
  return signature.slice(0, -2) + v.toString(16).padStart(2, '0');
}
