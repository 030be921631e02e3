import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createHmac, randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { DhkemP256HkdfSha256 } from '@hpke/core';
import { decryptCredentialBundle, formatHpkeBuf, hpkeDecrypt, hpkeEncrypt } from '@turnkey/crypto';
import bs58check from 'bs58check';
import {
  openSealed,
  parseOtpBundle,
  sealTo,
  sessionKeyBundle,
  walletCredentialsEnvelope,
} from '#foundation/crypto/hpke.ts';
import { derivePublicKey, generateKeyPair } from '#foundation/crypto/p256.ts';
import { VECTOR_MNEMONIC, VECTOR_ORGANIZATION, VECTORS, vectorKey } from '#tests/harness/wallet-vectors.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const target = { privateKey: vectorKey('otp-target'), publicKey: derivePublicKey(vectorKey('otp-target')) };
const OTP = VECTORS.encryptedOtpBundle;

/** Opens a bundle that was sealed to the vectors' OTP target. */
async function openOtp(text: string): Promise<string | undefined> {
  const bundle = parseOtpBundle(text);
  if (!bundle) return undefined;
  const { encapped, ciphertext } = bundle;
  return (await openSealed(target.privateKey, target.publicKey, encapped, ciphertext))?.toString();
}

describe('HPKE (wallets.md §5, against the vectors of wallets.md §10)', () => {
  const { encappedPublic, ciphertext, plaintext } = OTP;
  const bundle = JSON.stringify({ encappedPublic, ciphertext });

  it('wallets.md §5.15: the suite in use produces the known intermediate values', async () => {
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(vectorKey('otp-ephemeral'));
    const { hpkeOtp } = VECTORS;
    assert.equal(ecdh.computeSecret(hex(target.publicKey.uncompressed)).toString('hex'), hpkeOtp.dh);

    const kem = new DhkemP256HkdfSha256();
    const secret = await kem.decap({
      recipientKey: await kem.deserializePrivateKey(target.privateKey),
      enc: hex(encappedPublic),
    });
    assert.equal(Buffer.from(secret).toString('hex'), hpkeOtp.sharedSecret);

    const suite = Buffer.concat([Buffer.from('HPKE'), hex('001000010002')]);
    const extract = (label: string, input: string) =>
      createHmac('sha256', '').update('HPKE-v1').update(suite).update(label).update(input).digest();
    const context = Buffer.concat([
      hex('00'),
      extract('psk_id_hash', ''),
      extract('info_hash', 'turnkey_hpke'),
    ]);
    assert.equal(context.toString('hex'), hpkeOtp.keyScheduleContext);

    const decipher = createDecipheriv('aes-256-gcm', hex(hpkeOtp.key), hex(hpkeOtp.baseNonce));
    decipher.setAAD(hex(`${encappedPublic}${target.publicKey.uncompressed}`));
    decipher.setAuthTag(hex(ciphertext).subarray(-16));
    const opened = Buffer.concat([decipher.update(hex(ciphertext).subarray(0, -16)), decipher.final()]);
    assert.equal(opened.toString(), plaintext);
  });

  it('wallets.md §5.15: the known OTP bundle opens', async () => {
    assert.equal(await openOtp(bundle), plaintext);
  });

  it('wallets.md §5.16: a compressed key, JSON encoded twice, capitals and further members are accepted', async () => {
    const compressed = VECTORS.publicKeys['otp-ephemeral'];
    const good = [
      JSON.stringify({ encappedPublic: compressed, ciphertext }),
      JSON.stringify(bundle),
      JSON.stringify(JSON.stringify({ encappedPublic: compressed, ciphertext })),
      JSON.stringify({ ciphertext: ciphertext.toUpperCase(), encappedPublic: encappedPublic.toUpperCase() }),
      JSON.stringify({ encappedPublic, ciphertext, more: 1 }),
    ];
    for (const text of good) assert.equal(await openOtp(text), plaintext, text);
  });

  it('wallets.md §6.4.32: a bundle that is not JSON or not hex is refused', () => {
    const bad = [
      '',
      '{',
      'null',
      '[]',
      '1',
      '"text"',
      JSON.stringify(JSON.stringify(bundle)),
      JSON.stringify({ encappedPublic }),
      JSON.stringify({ ciphertext }),
      JSON.stringify({ encappedPublic, ciphertext: 1 }),
      JSON.stringify({ encappedPublic: null, ciphertext }),
      JSON.stringify({ encappedPublic: '', ciphertext }),
      JSON.stringify({ encappedPublic, ciphertext: '' }),
      JSON.stringify({ encappedPublic, ciphertext: ciphertext.slice(1) }),
      JSON.stringify({ encappedPublic: `0x${encappedPublic}`, ciphertext }),
      JSON.stringify({ encappedPublic, ciphertext: '00'.repeat(5_000) }),
    ];
    for (const text of bad) assert.equal(parseOtpBundle(text), undefined, text);
  });

  it('wallets.md §6.4.32: hex that is not a sealed message does not open', async () => {
    const bad = [
      { encappedPublic: `02${'0'.repeat(63)}1`, ciphertext },
      { encappedPublic: '00', ciphertext },
      { encappedPublic: VECTORS.publicKeys.client, ciphertext },
      { encappedPublic, ciphertext: '00' },
      { encappedPublic, ciphertext: ciphertext.slice(0, -2) },
      { encappedPublic, ciphertext: `${ciphertext}00` },
    ];
    for (const members of bad) {
      assert.ok(parseOtpBundle(JSON.stringify(members)), JSON.stringify(members));
      assert.equal(await openOtp(JSON.stringify(members)), undefined, JSON.stringify(members));
    }
    const other = generateKeyPair();
    const sealed = [hex(encappedPublic), hex(ciphertext)] as const;
    assert.equal(await openSealed(other.privateKey, other.publicKey, ...sealed), undefined);
    assert.equal(await openSealed(target.privateKey, other.publicKey, ...sealed), undefined);
  });

  it('wallets.md §6.4.32: no bundle with a changed byte is accepted, except for the case of its hex', async () => {
    for (let i = 0; i < 500; i++) {
      const bytes = Buffer.from(bundle);
      const at = randomInt(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ randomInt(1, 256);
      const text = bytes.toString('latin1');
      if ((await openOtp(text)) !== undefined) assert.equal(text.toLowerCase(), bundle.toLowerCase());
    }
  });

  it('wallets.md §5.15: a sealed message opens with its key alone, and no two are the same', async () => {
    const { privateKey, publicKey } = generateKeyPair();
    const text = Buffer.from('of one wallet');
    const [one, two] = [await sealTo(publicKey, text), await sealTo(publicKey, text)];
    assert.equal(one.encappedPublic.length, 65);
    assert.equal(one.ciphertext.length, text.length + 16);
    assert.notDeepEqual(one, two);
    assert.deepEqual(await openSealed(privateKey, publicKey, one.encappedPublic, one.ciphertext), text);
    assert.equal(await openSealed(privateKey, publicKey, one.encappedPublic, two.ciphertext), undefined);
  });

  it('wallets.md §5.15: messages that the client library seals open here, and the other way round', async () => {
    const targetKeyBuf = hex(target.publicKey.uncompressed);
    const theirs = formatHpkeBuf(hpkeEncrypt({ plainTextBuf: Buffer.from(plaintext), targetKeyBuf }));
    assert.equal(await openOtp(theirs), plaintext);
    const ours = await sealTo(target.publicKey, Buffer.from(plaintext));
    const opened = hpkeDecrypt({
      ciphertextBuf: ours.ciphertext,
      encappedKeyBuf: ours.encappedPublic,
      receiverPriv: target.privateKey.toString('hex'),
    });
    assert.equal(Buffer.from(opened).toString(), plaintext);
  });
});

describe('sealed session keys (wallets.md §5.15)', () => {
  const client = vectorKey('client');

  it('wallets.md §5.15: the known bundle is a compressed key and its ciphertext in base58check', async () => {
    const bytes = Buffer.from(bs58check.decode(VECTORS.encryptedSessionSigningKey));
    assert.equal(bytes.length, 81);
    assert.equal(bytes.subarray(0, 33).toString('hex'), VECTORS.publicKeys['session-ephemeral']);
    const opened = await openSealed(
      client,
      derivePublicKey(client),
      bytes.subarray(0, 33),
      bytes.subarray(33),
    );
    assert.deepEqual(opened, vectorKey('session'));
  });

  it('wallets.md §5.15: a bundle has 81 bytes, and the client library opens it', async () => {
    const { privateKey } = generateKeyPair();
    const bundle = await sessionKeyBundle(derivePublicKey(client), privateKey);
    assert.equal(bs58check.decode(bundle).length, 81);
    assert.equal(decryptCredentialBundle(bundle, client.toString('hex')), privateKey.toString('hex'));
  });
});

describe('sealed wallet credentials (wallets.md §5.15, §6.9.46)', () => {
  const client = vectorKey('export-client');

  it('wallets.md §5.15: the known ciphertext opens to the words', async () => {
    const encapped = hex(VECTORS.publicKeys['export-ephemeral']);
    const opened = await openSealed(
      client,
      derivePublicKey(client),
      encapped,
      hex(VECTORS.export.ciphertext),
    );
    assert.equal(opened?.toString(), VECTOR_MNEMONIC);
  });

  it('wallets.md §6.9.46: without a key the envelope has no signature, and opens to the words', async () => {
    const text = await walletCredentialsEnvelope(
      derivePublicKey(client),
      VECTOR_MNEMONIC,
      VECTOR_ORGANIZATION,
    );
    const envelope = JSON.parse(text);
    assert.deepEqual(Object.keys(envelope), ['version', 'data', 'dataSignature', 'enclaveQuorumPublic']);
    const { version, dataSignature, enclaveQuorumPublic } = envelope;
    assert.deepEqual([version, dataSignature, enclaveQuorumPublic], ['v1.0.0', '', '']);
    const data = JSON.parse(hex(envelope.data).toString());
    assert.deepEqual(Object.keys(data), ['encappedPublic', 'ciphertext', 'organizationId']);
    assert.equal(data.organizationId, VECTOR_ORGANIZATION);
    const opened = hpkeDecrypt({
      ciphertextBuf: hex(data.ciphertext),
      encappedKeyBuf: hex(data.encappedPublic),
      receiverPriv: client.toString('hex'),
    });
    assert.equal(Buffer.from(opened).toString(), VECTOR_MNEMONIC);
  });
});
