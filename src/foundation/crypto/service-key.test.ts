import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decryptExportBundle, encryptOtpCodeToBundle, verifyOtpVerificationToken } from '@turnkey/crypto';
import { compactVerify, createLocalJWKSet } from 'jose';
import { openSealed, parseOtpBundle, walletCredentialsEnvelope } from '#foundation/crypto/hpke.ts';
import {
  derivePublicKey,
  generateKeyPair,
  parsePublicKey,
  verifySignature,
} from '#foundation/crypto/p256.ts';
import {
  deriveServiceKey,
  otpTargetBundle,
  signedEnvelope,
  unsignedEnvelope,
  type VerificationClaims,
  verificationToken,
} from '#foundation/crypto/service-key.ts';
import { VECTOR_MNEMONIC, VECTOR_ORGANIZATION, VECTORS, vectorKey } from '#tests/harness/wallet-vectors.ts';

const key = deriveServiceKey(vectorKey('enclave-quorum'));
const hex = (text: string) => Buffer.from(text, 'hex');

describe('signed envelopes (wallets.md §5.17, §5.18)', () => {
  it('wallets.md §5.17: the key is the one of the vectors', () => {
    assert.equal(key.publicKey.compressed, VECTORS.publicKeys['enclave-quorum']);
  });

  it('wallets.md §5.17: an envelope has its members in order and a signature over the bytes of its data', async () => {
    const envelope = JSON.parse(await signedEnvelope(key, { b: 1, a: 'ä' }));
    assert.deepEqual(Object.keys(envelope), ['version', 'data', 'dataSignature', 'enclaveQuorumPublic']);
    assert.equal(envelope.version, 'v1.0.0');
    assert.equal(hex(envelope.data).toString(), '{"b":1,"a":"ä"}');
    assert.equal(envelope.enclaveQuorumPublic, key.publicKey.uncompressed);
    const signature = hex(envelope.dataSignature);
    assert.equal(await verifySignature(key.publicKey.compressed, hex(envelope.data), signature), true);
  });

  it('wallets.md §5.17: without a key the envelope’s key and signature are empty', () => {
    const { data, ...rest } = JSON.parse(unsignedEnvelope({ a: 1 }));
    assert.equal(hex(data).toString(), '{"a":1}');
    assert.deepEqual(rest, { version: 'v1.0.0', dataSignature: '', enclaveQuorumPublic: '' });
  });

  it('wallets.md §5.18: a target bundle has the known data, over which the known signature verifies too', async () => {
    const target = parsePublicKey(VECTORS.publicKeys['otp-target']);
    assert.ok(target);
    const envelope = JSON.parse(await otpTargetBundle(key, target, VECTOR_ORGANIZATION));
    const { data, dataSignature } = VECTORS.otpTargetBundle;
    assert.equal(envelope.data, data);
    for (const signature of [dataSignature, envelope.dataSignature]) {
      assert.equal(await verifySignature(key.publicKey.compressed, hex(data), hex(signature)), true);
    }
  });

  it('wallets.md §5.18: the client library trusts a target bundle and seals its code to it', async () => {
    const target = generateKeyPair();
    const bundle = await otpTargetBundle(key, target.publicKey, VECTOR_ORGANIZATION);
    const tek = generateKeyPair().publicKey.compressed;
    const sealed = await encryptOtpCodeToBundle('000000', bundle, tek, key.publicKey.uncompressed);
    const parsed = parseOtpBundle(sealed);
    assert.ok(parsed);
    const opened = await openSealed(target.privateKey, target.publicKey, parsed.encapped, parsed.ciphertext);
    assert.deepEqual(JSON.parse(String(opened)), { otp_code: '000000', public_key: tek });
  });

  it('wallets.md §5.17: the known export data is signed by the known signature', async () => {
    const encapped = parsePublicKey(VECTORS.publicKeys['export-ephemeral']);
    const data = JSON.stringify({
      encappedPublic: encapped?.uncompressed,
      ciphertext: VECTORS.export.ciphertext,
      organizationId: VECTOR_ORGANIZATION,
    });
    const signature = hex(VECTORS.export.dataSignature);
    assert.equal(await verifySignature(key.publicKey.compressed, data, signature), true);
  });

  it('wallets.md §6.9.46: the client library trusts signed wallet credentials and reads the words', async () => {
    const client = vectorKey('export-client');
    const envelope = await walletCredentialsEnvelope(
      derivePublicKey(client),
      VECTOR_MNEMONIC,
      VECTOR_ORGANIZATION,
      key,
    );
    const words = await decryptExportBundle({
      exportBundle: envelope,
      organizationId: VECTOR_ORGANIZATION,
      embeddedKey: client.toString('hex'),
      dangerouslyOverrideSignerPublicKey: key.publicKey.uncompressed,
      returnMnemonic: true,
    });
    assert.equal(words, VECTOR_MNEMONIC);
  });
});

describe('verification tokens (wallets.md §5.19)', () => {
  const claims: VerificationClaims = {
    id: '4e0b6c1d-93a7-4c52-8f1e-d2a5b7c80916',
    verification_type: 'OTP_TYPE_EMAIL',
    contact: 'ada@example.com',
    organization_id: VECTOR_ORGANIZATION,
    public_key: VECTORS.publicKeys.tek,
    exp: '1790000300000',
  };
  const verifiesWith = createLocalJWKSet({
    keys: [{ ...key.privateKey.export({ format: 'jwk' }), kty: 'EC', d: undefined }] as never,
  });

  it('wallets.md §5.19: a token equals the known one except for its signature, and both verify', async () => {
    const token = await verificationToken(key, claims);
    const [header, payload] = VECTORS.verificationToken.split('.');
    assert.deepEqual(token.split('.').slice(0, 2), [header, payload]);
    for (const text of [token, VECTORS.verificationToken]) await compactVerify(text, verifiesWith);
  });

  it('wallets.md §5.19: the client library verifies a token and reads the same claims', async () => {
    const later = { ...claims, exp: String(Date.now() + 300_000) };
    const token = await verificationToken(key, later);
    assert.deepEqual(await verifyOtpVerificationToken(token, key.publicKey.uncompressed), later);
  });
});
