// lane: whole — loads the signing libraries of six chains

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Wallet } from 'ethers';
import { utils as tron } from 'tronweb';
import { verifyOwnership } from '#capabilities/external-accounts/ownership/verify-ownership.ts';

const key = '5c'.repeat(32);
const address = String(tron.address.fromPrivateKey(key));
const message = 'Svc wallet ownership: I control it.';

describe('Tron ownership proof', () => {
  it('accounts.md §5.3: a signature that tronweb makes and verifies is accepted', () => {
    const signature = tron.message.signMessage(message, key);
    assert.equal(tron.message.verifyMessage(message, signature), address);
    assert.equal(proves(signature), true);
    assert.equal(proves(signature.replace(/^0x/, '')), true);
  });

  it('accounts.md §5.3: a signature under the Ethereum prefix is refused', () => {
    assert.equal(proves(new Wallet(`0x${key}`).signMessageSync(message)), false);
  });

  it('accounts.md §5.3: the address is compared exactly, because Base58 is case-sensitive', () => {
    const signature = tron.message.signMessage(message, key);
    assert.equal(proves(signature, address.toLowerCase()), false);
    assert.equal(proves(signature, tron.address.toHex(address)), false);
  });
});

function proves(signature: string, stored = address): boolean {
  return verifyOwnership({ accountType: 'TRON_WALLET', address: stored, message, signature });
}
