// lane: whole — loads the signing libraries of six chains

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base58 } from '@scure/base';
import nacl from 'tweetnacl';
import { verifyOwnership } from '#capabilities/external-accounts/ownership/verify-ownership.ts';

const pair = nacl.sign.keyPair.fromSeed(Buffer.alloc(32, 0x2d));
const message = 'Svc wallet ownership: I control it.';
const signature = nacl.sign.detached(Buffer.from(message), pair.secretKey);

describe('Solana ownership proof', () => {
  it('accounts.md §5.3: the signature is Base58 of 64 bytes; other encodings and lengths are refused', () => {
    assert.equal(proves(base58.encode(signature)), true);
    for (const other of [
      Buffer.from(signature).toString('hex'),
      Buffer.from(signature).toString('base64'),
      base58.encode(signature.subarray(0, 63)),
      base58.encode(Buffer.concat([signature, Buffer.of(0)])),
      ` ${base58.encode(signature)}`,
    ]) {
      assert.equal(proves(other), false, other);
    }
  });

  it('accounts.md §5.3: an address of small order, for which anyone can sign, proves nothing', () => {
    // The system program: 32 zero bytes, a point of order four. With S = 0 and R of order four, about one
    // message in four passes an ordinary verification without any key.
    const systemProgram = new Uint8Array(32);
    const smallOrderPoint = Buffer.from(`00${'00'.repeat(30)}80`, 'hex');
    const forged = Buffer.concat([smallOrderPoint, Buffer.alloc(32)]);
    const passing = Array.from({ length: 64 }, (_, round) => `forged ${round}`).filter((text) =>
      nacl.sign.detached.verify(Buffer.from(text), forged, systemProgram),
    );
    assert.ok(passing.length > 0, 'an ordinary verification accepts the forgery');
    for (const text of passing) {
      assert.equal(proves(base58.encode(forged), text, base58.encode(systemProgram)), false, text);
    }
  });

  it('accounts.md §5.3: the second encoding of S is refused', () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
    const second = Buffer.from((s + order).toString(16).padStart(64, '0'), 'hex').reverse();
    assert.equal(proves(base58.encode(Buffer.concat([signature.subarray(0, 32), second]))), false);
  });
});

function proves(text: string, signed = message, address = base58.encode(pair.publicKey)): boolean {
  return verifyOwnership({ accountType: 'SOLANA_WALLET', address, message: signed, signature: text });
}
