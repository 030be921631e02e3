import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { openVault } from '#foundation/crypto/vault.ts';
import { newWebhookKey, webhookKeyContext } from '#foundation/crypto/webhook-key.ts';

describe('webhook key', () => {
  const vault = openVault({ data: new Map([[1, randomBytes(32)]]), fingerprint: randomBytes(32) });

  it('platform.md §4.1.3: the public PEM verifies P-256 signatures of the sealed half', () => {
    const key = newWebhookKey(vault, 'p1' as Id<never>);
    const privateKey = createPrivateKey({
      key: vault.open(key.sealedPrivateKey, webhookKeyContext('p1' as Id<never>)),
      type: 'pkcs8',
      format: 'der',
    });
    const publicKey = createPublicKey(key.publicKeyPem);
    assert.equal(publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
    const body = Buffer.from('{}');
    assert.ok(verify('sha256', body, publicKey, sign('sha256', body, privateKey)));
  });

  it('platform.md §4.1.3: each platform gets a pair of its own, bound to it', () => {
    const [one, two] = [newWebhookKey(vault, 'p1' as Id<never>), newWebhookKey(vault, 'p2' as Id<never>)];
    assert.notEqual(one.publicKeyPem, two.publicKeyPem);
    assert.throws(() => vault.open(one.sealedPrivateKey, webhookKeyContext('p2' as Id<never>)));
  });
});
