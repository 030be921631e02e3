import assert from 'node:assert/strict';
import { generateKeyPairSync, randomInt, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { ApiKeyStamper } from '@turnkey/api-key-stamper';
import { verifyStampSignature } from '@turnkey/crypto';
import { parseStamp, type Stamp, verifyStamp } from '#foundation/crypto/stamp.ts';
import { VECTORS, vectorKey } from '#tests/harness/wallet-vectors.ts';

const { payloadToSign: payload, der, derHighS, header } = VECTORS.stamp;
const publicKey = VECTORS.publicKeys.session;
const GOOD = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature: der };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** The order of the curve. */
const N = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
const N_MINUS_1 = N.replace(/51$/, '50');

function readStamp(header: string): Stamp | undefined {
  const parsed = parseStamp(header);
  return 'fault' in parsed ? undefined : parsed;
}

describe('stamps (wallets.md §4)', () => {
  it('wallets.md §4.10, §4.11: the known stamp is parsed and verifies over its payload, but not with an extra space', async () => {
    const stamp = readStamp(header);
    assert.deepEqual(stamp, { publicKey, signature: Buffer.from(der, 'hex') });
    assert.ok(stamp);
    assert.equal(await verifyStamp(stamp, payload), true);
    assert.equal(await verifyStamp(stamp, `${payload} `), false);
    assert.equal(await verifyStampSignature(publicKey, der, payload), true);
  });

  it('wallets.md §4.12: a high S is accepted, too', async () => {
    const stamp = readStamp(encode({ ...GOOD, signature: derHighS }));
    assert.ok(stamp);
    assert.equal(await verifyStamp(stamp, payload), true);
  });

  it('wallets.md §4.13: padding, the order of members, further members and the case of hex do not matter', () => {
    const { scheme, signature } = GOOD;
    const good = [
      `${encode(GOOD)}${'='.repeat((4 - (encode(GOOD).length % 4)) % 4)}`,
      encode({ signature, scheme, publicKey }),
      encode({ ...GOOD, more: { than: ['asked'] } }),
      encode({ ...GOOD, publicKey: publicKey.toUpperCase(), signature: signature.toUpperCase() }),
      Buffer.from(JSON.stringify(GOOD, null, 2)).toString('base64url'),
    ];
    for (const text of good) assert.equal(readStamp(text)?.publicKey, publicKey, text);
  });

  const malformed: Record<string, string> = {
    'no text': '',
    'padding alone': '==',
    'too much padding': `${header}===`,
    'standard base64': Buffer.from(JSON.stringify({ ...GOOD, x: '???>>>' })).toString('base64'),
    'a character outside base64url': `${header.slice(0, 20)}!${header.slice(21)}`,
    'a space': `${header.slice(0, 20)} ${header.slice(20)}`,
    'one character too many': `${encode({ ...GOOD, x: '' })}`.replace(/^(.{4})/, '$1A'),
    'the sandbox literal': 'sandbox-valid-signature',
    'no JSON': Buffer.from('{').toString('base64url'),
    'bytes that are no UTF-8': Buffer.concat([
      Buffer.from(`${JSON.stringify(GOOD).slice(0, -1)},"x":"`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]).toString('base64url'),
    null: encode(null),
    'an array': encode([GOOD]),
    'a text': encode(JSON.stringify(GOOD)),
    'no publicKey': encode({ ...GOOD, publicKey: undefined }),
    'no scheme': encode({ ...GOOD, scheme: undefined }),
    'no signature': encode({ ...GOOD, signature: undefined }),
    'publicKey not a string': encode({ ...GOOD, publicKey: 2 }),
    'signature not a string': encode({ ...GOOD, signature: null }),
    'another scheme': encode({ ...GOOD, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' }),
    'an uncompressed key': encode({ ...GOOD, publicKey: `04${'1'.repeat(128)}` }),
    'an uncompressed key on the curve': encode({
      ...GOOD,
      publicKey: VECTORS.encryptedOtpBundle.encappedPublic,
    }),
    'a key off the curve': encode({ ...GOOD, publicKey: `02${'0'.repeat(63)}1` }),
    'odd hex': encode({ ...GOOD, signature: der.slice(1) }),
    'no hex': encode({ ...GOOD, signature: `zz${der.slice(2)}` }),
    'an empty signature': encode({ ...GOOD, signature: '' }),
    'DER with a byte more': encode({ ...GOOD, signature: `${der}00` }),
    'DER with a byte less': encode({ ...GOOD, signature: der.slice(0, -2) }),
    'DER with a longer length than it needs': encode({ ...GOOD, signature: `3081${der.slice(2)}` }),
    'DER with a needless zero': encode({ ...GOOD, signature: '3007020200010201' + '01' }),
    'r = 0': encode({ ...GOOD, signature: '3006020100020101' }),
    's = 0': encode({ ...GOOD, signature: '3006020101020100' }),
    'r < 0': encode({ ...GOOD, signature: '3006020181020101' }),
    'r = n': encode({ ...GOOD, signature: `3026022100${N}020101` }),
    's = n': encode({ ...GOOD, signature: `3026020101022100${N}` }),
    'too long for a header': encode({ ...GOOD, x: 'x'.repeat(5_000) }),
  };
  /** The expected reason for each group of malformed stamps. */
  const FAULTS: [RegExp, readonly string[]][] = [
    [
      /^it is not base64url$/,
      [
        'no text',
        'padding alone',
        'too much padding',
        'standard base64',
        'a space',
        'a character outside base64url',
      ],
    ],
    [
      /^it does not contain a JSON object/,
      ['no JSON', 'bytes that are no UTF-8', 'null', 'an array', 'a text'],
    ],
    [/^publicKey is missing/, ['no publicKey', 'publicKey not a string']],
    [/^signature is missing/, ['no signature', 'signature not a string']],
    [/^scheme is not SIGNATURE_SCHEME_TK_API_P256$/, ['no scheme', 'another scheme']],
    [/^publicKey is not compressed/, ['an uncompressed key on the curve']],
    [/^publicKey is not a point on P-256/, ['an uncompressed key', 'a key off the curve']],
    [/^signature is not hexadecimal$/, ['odd hex', 'no hex', 'an empty signature']],
    [/^signature is not the DER/, ['DER with a byte more', 'r = 0', 's = n']],
    [/^it has more than 4096 characters$/, ['too long for a header']],
  ];
  const faultOf = (text: string) => {
    const parsed = parseStamp(text);
    return 'fault' in parsed ? parsed.fault : undefined;
  };
  for (const [name, text] of Object.entries(malformed)) {
    it(`wallets.md §4.13: a malformed stamp is refused with its reason: ${name}`, () => {
      const [expected] = FAULTS.find(([, names]) => names.includes(name)) ?? [/./];
      assert.match(faultOf(text) ?? '', expected);
    });
  }

  it('wallets.md §4.13: r and s may be n − 1', () => {
    assert.ok(readStamp(encode({ ...GOOD, signature: `3026022100${N_MINUS_1}020101` })));
    assert.ok(readStamp(encode({ ...GOOD, signature: `3026020101022100${N_MINUS_1}` })));
  });

  it('wallets.md §4.12: a thousand stamps that Node.js signed verify, whatever their S', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signer = pair.publicKey.export({ format: 'raw-public', type: 'compressed' }).toString('hex');
    let high = 0;
    for (let i = 0; i < 1_000; i++) {
      const signature = sign('sha256', Buffer.from(`${payload}${i}`), pair.privateKey);
      const s = signature.subarray(-32);
      if (signature.length > 70 && (s[0] ?? 0) > 0x7f) high++;
      const stamp = readStamp(encode({ ...GOOD, publicKey: signer, signature: signature.toString('hex') }));
      assert.ok(stamp && (await verifyStamp(stamp, `${payload}${i}`)), signature.toString('hex'));
    }
    assert.ok(high > 300, `${high} of 1000 have a high S`);
  });

  it('wallets.md §4.10: stamps of the client library verify', async () => {
    const apiPrivateKey = vectorKey('session').toString('hex');
    const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey });
    const stamp = readStamp((await stamper.stamp(payload)).stampHeaderValue);
    assert.ok(stamp);
    assert.equal(await verifyStamp(stamp, payload), true);
  });

  it('wallets.md §4.13: no stamp with a changed byte is accepted, except for the case of its hex', async () => {
    const json = JSON.stringify(GOOD);
    for (let i = 0; i < 2_000; i++) {
      const bytes = Buffer.from(i % 2 ? header : json);
      const at = randomInt(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ randomInt(1, 256);
      const text = i % 2 ? bytes.toString('latin1') : bytes.toString('base64url');
      const stamp = readStamp(text);
      const isAccepted = stamp !== undefined && (await verifyStamp(stamp, payload));
      if (isAccepted) {
        assert.equal(Buffer.from(text, 'base64url').toString().toLowerCase(), json.toLowerCase(), text);
      }
    }
  });
});
