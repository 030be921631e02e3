import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomInt, sign, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import {
  checkAssertion,
  checkRegistration,
  type ExpectedAssertion,
  type ListedOrigin,
  type PasskeyAssertion,
  type PasskeyAttestation,
  parseAssertion,
  type RegisteredPasskey,
} from '#foundation/crypto/webauthn.ts';
import { makersCertificate } from '#tests/harness/certificate.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { type Changes, coseKey, createPasskey, type PasskeyOptions } from '#tests/harness/passkeys.ts';
import { VECTORS } from '#tests/harness/wallet-vectors.ts';

const { webauthn: V, passkeyChallenge } = VECTORS;
const KNOWN: PasskeyAttestation = {
  credentialId: V.credentialId,
  clientDataJson: V.regClientDataJson,
  attestationObject: V.attestationObject,
};
const KNOWN_ASSERTION: PasskeyAssertion = {
  credentialId: V.credentialId,
  clientDataJson: V.clientDataJson,
  authenticatorData: V.authenticatorData,
  signature: V.signature,
};
const CHALLENGE = 'IaBlZqay--KpFlmI7-cslw8RCn8d5lIGTRCytGt44E8';
const HEX_CHALLENGE = passkeyChallenge.challenge;

async function registered(attestation: PasskeyAttestation, challenge: string, listed?: ListedOrigin[]) {
  const result = await checkRegistration(attestation, challenge, listed);
  assert.ok('passkey' in result, JSON.stringify(result));
  return result.passkey;
}

async function refusal(attestation: PasskeyAttestation, challenge = CHALLENGE, listed?: ListedOrigin[]) {
  const result = await checkRegistration(attestation, challenge, listed);
  assert.ok('problems' in result, 'it was accepted');
  return result.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
}

/** The new counter, or the reason. */
async function outcome(assertion: PasskeyAssertion, expected: ExpectedAssertion): Promise<number | string> {
  const parsed = parseAssertion(assertion);
  assert.ok('assertion' in parsed, JSON.stringify(parsed));
  const result = await checkAssertion(parsed.assertion, expected);
  return 'counter' in result ? result.counter : result.reason;
}

/** Why tests that need OpenSSL are skipped; false if they run. */
const NO_OPENSSL = await skipWithout('openssl');

describe('registering a passkey (wallets.md §6.1.23, §6.1.24)', () => {
  it('wallets.md §6.1.23: the known registration is accepted', async () => {
    const { publicKey, ...rest } = await registered(KNOWN, V.regChallenge);
    assert.deepEqual(rest, { credentialId: V.credentialId, rpId: V.rpId, counter: 0 });
    const x = VECTORS.publicKeys.passkey.slice(2);
    assert.ok(Buffer.from(publicKey).toString('hex').includes(x));
  });

  for (const algorithm of [-7, -257, -8] as const) {
    it(`wallets.md §6.1.23: a key of algorithm ${algorithm} is accepted`, async () => {
      const passkey = createPasskey({ algorithm });
      assert.equal(
        (await registered(passkey.register(CHALLENGE), CHALLENGE)).credentialId,
        passkey.credentialId,
      );
    });
  }

  it('wallets.md §6.1.23: padding, further members and a challenge with padding do not matter', async () => {
    const passkey = createPasskey();
    const attestation = passkey.register(CHALLENGE, { clientData: { more: 1 } });
    const padded = { ...attestation, credentialId: `${attestation.credentialId}==` };
    assert.equal((await registered(padded, `${CHALLENGE}=`)).credentialId, passkey.credentialId);
  });

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
  const good = coseKey(-7, generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
  const changedKey = (label: number, value: unknown) => new Map(good).set(label, value);
  const badChanges: Record<string, [Changes, RegExp]> = {
    'type is webauthn.get': [{ clientData: { type: 'webauthn.get' } }, /^clientDataJson its type/],
    'another challenge': [{ clientData: { challenge: 'b3RoZXI' } }, /^clientDataJson its challenge/],
    'a challenge that is no base64url': [{ clientData: { challenge: '!' } }, /^clientDataJson its challenge/],
    'no challenge': [{ clientData: { challenge: undefined } }, /^clientDataJson must be/],
    'no origin': [{ clientData: { origin: undefined } }, /^clientDataJson must be/],
    'another relying party': [{ rpId: 'evil.example' }, /^attestationObject belongs to no relying party/],
    'a top-level domain as relying party': [{ rpId: 'com' }, /^attestationObject belongs to no relying/],
    'a host below the origin’s': [{ rpId: 'a.wallet.example.com' }, /^attestationObject belongs to no/],
    'no user present': [{ flags: 0 }, /^attestationObject says that no user was present/],
    'another credential id': [{ credentialId: 'b3RoZXI' }, /^credentialId differs from the id in/],
    'no key in it': [{ publicKey: new Map() }, /^attestationObject its key/],
    'algorithm -35': [{ publicKey: changedKey(3, -35) }, /^attestationObject its key/],
    'algorithm -257 of an elliptic curve': [{ publicKey: changedKey(3, -257) }, /^attestationObject its key/],
    'ES256 on another curve': [{ publicKey: changedKey(-1, 2) }, /^attestationObject its key/],
    'P-384 as ES256': [{ publicKey: coseKey(-7, p384) }, /^attestationObject its key/],
    'a point off the curve': [
      { publicKey: changedKey(-3, new Uint8Array(32)) },
      /^attestationObject its key/,
    ],
    'an RSA key of 1024 bits': [{ publicKey: coseKey(-257, weak) }, /^attestationObject its key/],
    'an unknown format': [{ format: 'other' }, /^attestationObject must have a valid attestation/],
    'packed without a statement': [{ format: 'packed' }, /^attestationObject must have a valid attestation/],
    'a format that has the library fetch': [
      { format: 'android-key' },
      /^attestationObject must have a valid/,
    ],
  };
  for (const [name, [changes, message]] of Object.entries(badChanges)) {
    it(`wallets.md §6.1.23: refused: ${name}`, async () => {
      assert.match(await refusal(createPasskey().register(CHALLENGE, changes)), message);
    });
  }

  it('wallets.md §6.1.23: a manufacturer’s attestation is verified with up to eight certificates, because more would take seconds', {
    skip: NO_OPENSSL,
  }, async () => {
    const { cert, key } = await makersCertificate();
    const certificate = new Uint8Array(new X509Certificate(cert).raw);
    const attested = (certificates: number, signer = key) => {
      const plain = createPasskey().register(CHALLENGE);
      const object = isoCBOR.decodeFirst<Map<string, unknown>>(
        new Uint8Array(Buffer.from(plain.attestationObject, 'base64url')),
      );
      const clientDataHash = createHash('sha256')
        .update(Buffer.from(plain.clientDataJson, 'base64url'))
        .digest();
      const sig = sign(
        'sha256',
        Buffer.concat([object.get('authData') as Uint8Array, clientDataHash]),
        signer,
      );
      const x5c = Array.from({ length: certificates }, () => certificate);
      const statement: [string, unknown][] = [
        ['alg', -7],
        ['sig', new Uint8Array(sig)],
        ['x5c', x5c],
      ];
      object.set('fmt', 'packed').set('attStmt', new Map(statement));
      return {
        ...plain,
        attestationObject: Buffer.from(isoCBOR.encode(object as never)).toString('base64url'),
      };
    };
    for (const certificates of [1, 8]) await registered(attested(certificates), CHALLENGE);
    const { key: other } = await makersCertificate();
    for (const bad of [attested(9), attested(1, other)])
      assert.match(await refusal(bad), /^attestationObject must have a valid attestation/);
  });

  it('wallets.md §6.1.23: every member that is not base64url is named at once', async () => {
    const bad = { credentialId: '', clientDataJson: 'a b', attestationObject: 'a' };
    assert.equal(
      await refusal(bad, '?'),
      ['challenge', 'credentialId', 'clientDataJson', 'attestationObject']
        .map((field) => `${field} must be base64url`)
        .join('; '),
    );
  });

  it('wallets.md §6.1.23: a member that is not JSON or CBOR is refused by name', async () => {
    const notJson = Buffer.from('{').toString('base64url');
    assert.match(
      await refusal({ ...KNOWN, clientDataJson: notJson }, V.regChallenge),
      /^clientDataJson must be/,
    );
    for (const hex of ['ff', 'a0', '80', '00', '81'.repeat(50_000), '9bffffffffffffffff']) {
      const attestationObject = Buffer.from(hex, 'hex').toString('base64url');
      assert.match(
        await refusal({ ...KNOWN, attestationObject }, V.regChallenge),
        /^attestationObject must be/,
      );
    }
  });

  const origins: [PasskeyOptions, boolean][] = [
    [{ origin: 'https://example.com', rpId: 'example.com' }, true],
    [{ origin: 'https://a.b.example.com:8443', rpId: 'b.example.com' }, true],
    [{ origin: 'https://a.b.example.com', rpId: 'a.b.example.com' }, true],
    [{ origin: 'http://localhost', rpId: 'localhost' }, true],
    [{ origin: 'http://localhost:5173', rpId: 'localhost' }, true],
    [{ origin: 'https://localhost', rpId: 'localhost' }, true],
    [{ origin: 'http://example.com', rpId: 'example.com' }, false],
    [{ origin: 'http://127.0.0.1', rpId: '127.0.0.1' }, false],
    [{ origin: 'https://127.0.0.1', rpId: '127.0.0.1' }, false],
    [{ origin: 'https://[::1]', rpId: '[::1]' }, false],
    [{ origin: 'http://localhost.example.com', rpId: 'example.com' }, false],
    [{ origin: 'https://example.com/path', rpId: 'example.com' }, false],
    [{ origin: 'https://user@example.com', rpId: 'example.com' }, false],
    [{ origin: 'https://EXAMPLE.com', rpId: 'example.com' }, false],
    [{ origin: 'android:apk-key-hash:abc', rpId: 'example.com' }, false],
    [{ origin: 'null', rpId: 'example.com' }, false],
    [{ origin: '', rpId: 'example.com' }, false],
  ];
  for (const [options, isAccepted] of origins) {
    it(`wallets.md §6.1.24: ${options.origin} ${isAccepted ? 'may' : 'may not'} speak for ${options.rpId}`, async () => {
      const result = await checkRegistration(createPasskey(options).register(CHALLENGE), CHALLENGE);
      assert.equal('passkey' in result, isAccepted);
    });
  }

  it('wallets.md §6.1.24: a listed origin may speak for the relying party of its entry, and for no other', async () => {
    const origin = 'android:apk-key-hash:abc';
    const listed = [{ origin, rpId: 'example.com' }];
    const passkey = createPasskey({ origin, rpId: 'example.com' });
    const { rpId } = await registered(passkey.register(CHALLENGE), CHALLENGE, listed);
    assert.equal(rpId, 'example.com');
    const other = createPasskey({ origin, rpId: 'other.example' });
    assert.match(await refusal(other.register(CHALLENGE), CHALLENGE, listed), /no relying party/);
  });

  it('wallets.md §6.1.23: no changed byte of the known registration gives another passkey', async () => {
    const known = await registered(KNOWN, V.regChallenge);
    for (let i = 0; i < 1_000; i++) {
      const changed = mutated(KNOWN, ['credentialId', 'clientDataJson', 'attestationObject']);
      const result = await checkRegistration(changed, V.regChallenge);
      // A registration without attestation is not signed: the counter and the members that we do not check may change.
      if ('passkey' in result) assert.deepEqual({ ...result.passkey, counter: 0 }, known);
    }
  });
});

describe('logging in with a passkey (wallets.md §6.4.34–6.4.36)', () => {
  const known = async (): Promise<RegisteredPasskey> => registered(KNOWN, V.regChallenge);

  it('wallets.md §6.4.35: the known assertion is accepted, and is refused the second time by its counter', async () => {
    const passkey = await known();
    assert.equal(await outcome(KNOWN_ASSERTION, { passkey, challenge: HEX_CHALLENGE }), 1);
    const used = { ...passkey, counter: 1 };
    assert.match(
      String(await outcome(KNOWN_ASSERTION, { passkey: used, challenge: HEX_CHALLENGE })),
      /counter/,
    );
  });

  it('wallets.md §6.4.35: the challenge is the text of the hex, not its bytes', async () => {
    assert.equal(Buffer.from(HEX_CHALLENGE).toString('base64url'), passkeyChallenge.clientDataChallenge);
    const passkey = createPasskey();
    const expected = {
      passkey: await registered(passkey.register(CHALLENGE), CHALLENGE),
      challenge: HEX_CHALLENGE,
    };
    const challenge = Buffer.from(HEX_CHALLENGE, 'hex').toString('base64url');
    const reason = await outcome(passkey.assert(HEX_CHALLENGE, { clientData: { challenge } }), expected);
    assert.match(String(reason), /challenge/);
  });

  for (const algorithm of [-7, -257, -8] as const) {
    it(`wallets.md §6.4.35: a key of algorithm ${algorithm} logs in repeatedly`, async () => {
      const passkey = createPasskey({ algorithm });
      let kept = await registered(passkey.register(CHALLENGE), CHALLENGE);
      for (const counter of [1, 2, 3]) {
        const got = await outcome(passkey.assert('c'), { passkey: kept, challenge: 'c' });
        assert.equal(got, counter);
        kept = { ...kept, counter };
      }
    });
  }

  it('wallets.md §6.4.35: ES256 signatures with a high and with a low S log in', async () => {
    const passkey = createPasskey();
    const kept = await registered(passkey.register(CHALLENGE), CHALLENGE);
    for (let i = 1; i <= 64; i++) {
      assert.equal(await outcome(passkey.assert('c'), { passkey: kept, challenge: 'c' }), i);
    }
  });

  /** Each row with changes that fail it alone; changes that fail all rows from there on show the order. */
  const rows: [string, Changes, RegExp][] = [
    ['credential id', { credentialId: 'b3RoZXI' }, /credential id/],
    ['client data type', { clientData: { type: 'webauthn.create' } }, /type/],
    ['client data challenge', { clientData: { challenge: 'b3RoZXI' } }, /challenge/],
    ['origin', { clientData: { origin: 'https://evil.example' } }, /origin/],
    ['RP ID hash', { rpId: 'other.example' }, /RP ID hash/],
    ['user presence', { flags: 0 }, /UP/],
    ['counter', { counter: 5 }, /counter/],
  ];
  const challenge = HEX_CHALLENGE;
  for (const [i, [name, changes, reason]] of rows.entries()) {
    it(`wallets.md §6.4.35: row ${i + 1}, ${name}, fails by itself and before the rows after it`, async () => {
      const passkey = createPasskey();
      const kept = { ...(await registered(passkey.register(CHALLENGE), CHALLENGE)), counter: 5 };
      const expected = { passkey: kept, challenge };
      assert.equal(await outcome(passkey.assert(challenge, { counter: 6 }), expected), 6);
      assert.match(
        String(await outcome(passkey.assert(challenge, { counter: 6, ...changes }), expected)),
        reason,
      );
      const rest = rows.slice(i).map((row) => row[1]);
      const clientData = Object.assign({}, ...rest.map((row) => row.clientData));
      const all = passkey.assert(challenge, { counter: 6, ...Object.assign({}, ...rest), clientData });
      assert.match(String(await outcome({ ...all, signature: 'AAAA' }, expected)), reason);
    });
  }

  it('wallets.md §6.4.35: row 8, signature, fails by itself', async () => {
    for (const algorithm of [-7, -257, -8] as const) {
      const passkey = createPasskey({ algorithm });
      const expected = { passkey: await registered(passkey.register(CHALLENGE), CHALLENGE), challenge };
      const [one, two] = [passkey.assert(challenge), passkey.assert(challenge)];
      assert.match(String(await outcome({ ...one, signature: two.signature }, expected)), /signature/);
      assert.match(String(await outcome({ ...one, signature: 'AAAA' }, expected)), /signature/);
    }
  });

  it('wallets.md §6.4.34: the sandbox’s literal is an invalid signature here', async () => {
    const passkey = await known();
    const literal = { ...KNOWN_ASSERTION, signature: 'sandbox-valid-passkey-signature' };
    assert.match(String(await outcome(literal, { passkey, challenge })), /signature/);
  });

  it('wallets.md §6.4.35: the origin may be the relying party’s host or below it, or listed with it', async () => {
    const listed = [{ origin: 'android:apk-key-hash:abc', rpId: 'example.com' }];
    const origins: [string, boolean][] = [
      ['https://example.com', true],
      ['https://a.b.example.com:444', true],
      ['android:apk-key-hash:abc', true],
      ['android:apk-key-hash:abd', false],
      ['http://example.com', false],
      ['https://notexample.com', false],
      ['https://example.com.evil.example', false],
      ['https://com', false],
    ];
    for (const [origin, isAccepted] of origins) {
      const passkey = createPasskey();
      const kept = await registered(passkey.register(CHALLENGE), CHALLENGE);
      const got = await outcome(passkey.assert(challenge, { clientData: { origin } }), {
        passkey: kept,
        challenge,
        listed,
      });
      assert.equal(typeof got === 'number', isAccepted, origin);
    }
  });

  const counters: [stored: number, sent: number, isAccepted: boolean][] = [
    [0, 0, true],
    [0, 1, true],
    [1, 1, false],
    [1, 0, false],
    [7, 6, false],
    [7, 8, true],
    [7, 4_294_967_295, true],
  ];
  for (const [stored, sent, isAccepted] of counters) {
    it(`wallets.md §6.4.36: ${sent} after ${stored} ${isAccepted ? 'is accepted' : 'fails'}`, async () => {
      const passkey = createPasskey();
      const kept = { ...(await registered(passkey.register(CHALLENGE), CHALLENGE)), counter: stored };
      const got = await outcome(passkey.assert(challenge, { counter: sent }), { passkey: kept, challenge });
      assert.equal(got === sent, isAccepted, String(got));
    });
  }

  it('wallets.md §6.4.34: every member that is not base64url is named at once, and so is malformed client data', () => {
    const bad = { credentialId: 'a', clientDataJson: '', authenticatorData: 'a+b/', signature: 'ä' };
    const parsed = parseAssertion(bad);
    assert.ok('problems' in parsed);
    assert.deepEqual(
      parsed.problems.map(({ field }) => field),
      Object.keys(bad),
    );
    for (const text of ['{', '[]', 'null', '{"challenge":1,"origin":""}', '{"challenge":"YQ"}']) {
      const clientDataJson = Buffer.from(text).toString('base64url');
      assert.deepEqual(
        Object.keys(parseAssertion({ ...KNOWN_ASSERTION, clientDataJson })),
        ['problems'],
        text,
      );
    }
  });

  it('wallets.md §6.4.35: no accepted assertion is accepted with a changed byte', async () => {
    const passkey = await known();
    const members = ['credentialId', 'clientDataJson', 'authenticatorData', 'signature'] as const;
    for (let i = 0; i < 1_000; i++) {
      const changed = mutated(KNOWN_ASSERTION, members);
      const parsed = parseAssertion(changed);
      if ('problems' in parsed) continue;
      const result = await checkAssertion(parsed.assertion, { passkey, challenge });
      assert.ok('reason' in result, JSON.stringify(changed));
    }
  });
});

/** Changes one byte of one of the members: in its text, or in the bytes that the text encodes. */
function mutated<Sent extends object>(sent: Sent, members: readonly (keyof Sent & string)[]): Sent {
  const member = members[randomInt(members.length)] as keyof Sent;
  const isText = randomInt(2) === 0;
  const bytes = Buffer.from(String(sent[member]), isText ? 'latin1' : 'base64url');
  const at = randomInt(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ randomInt(1, 256);
  return { ...sent, [member]: bytes.toString(isText ? 'latin1' : 'base64url') };
}
