import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { readClientCertificate } from '#foundation/outbound/client-certificate.ts';
import { selfSigned } from '#tests/harness/certificate.ts';
import { skipWithout } from '#tests/harness/judges.ts';

const DAY_MS = 86_400_000;

describe('client certificates', { skip: await skipWithout('openssl') }, async () => {
  const [own, other] = await Promise.all([selfSigned('one.example'), selfSigned('two.example')]);
  const { validFrom, validTo, fingerprint256 } = new X509Certificate(own.cert);
  const now = new Date(Date.parse(validFrom) + 60_000);
  const read = (certificate: string, privateKey: string, at = now) => {
    const found = readClientCertificate({ certificate, privateKey }, at);
    return 'until' in found ? found : found.map(({ field, message }) => `${field} ${message}`);
  };

  it('connectors.md §1.6: chain and key are read, whatever became of their line breaks', () => {
    const chain = `${own.cert}\nsome words\n${other.cert}`;
    const flat = (text: string) => text.replaceAll('\n', ' ');
    for (const found of [read(chain, own.key), read(flat(chain), flat(own.key))]) {
      assert.ok('until' in found);
      assert.deepEqual([found.until, found.fingerprint], [new Date(validTo), fingerprint256]);
      assert.equal(found.certificate, own.cert + other.cert);
      assert.equal(found.privateKey, own.key);
    }
  });

  it('connectors.md §1.6: a certificate that no server would accept is refused, every bad part at once', () => {
    const sealed = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' },
    });
    const key = 'privateKey must be one private key in PEM that no passphrase protects';
    assert.deepEqual(read('nothing', own.cert), [
      'certificate must be a certificate in PEM, with those that signed it below it',
      key,
    ]);
    assert.deepEqual(read(own.cert, sealed.privateKey), [key]);
    assert.deepEqual(read(own.cert, other.key), ['privateKey is not the key of the certificate']);
    assert.match(
      String(read(own.cert, own.key, new Date(now.getTime() + 3 * DAY_MS))),
      /^certificate ended on /,
    );
    const early = new Date(now.getTime() - DAY_MS);
    assert.deepEqual(read(own.cert, own.key, early), ['certificate is not valid yet']);
  });
});
