import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** The proof of this service to a server that demands one: a chain of certificates, and the key of the first, in PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface ReadCertificate extends ClientCertificate {
  /** When the first certificate of the chain ends. */
  readonly until: Date;
  /** The SHA-256 of the service's own certificate, for people who compare it. */
  readonly fingerprint: string;
}

export interface CertificateFault {
  readonly field: 'certificate' | 'privateKey';
  readonly message: string;
}

/** Reads both parts, and refuses what no server would accept: the first call would be too late to find that out. */
export function readClientCertificate(
  given: ClientCertificate,
  now: Date,
): ReadCertificate | readonly CertificateFault[] {
  const chain = readChain(given.certificate);
  const key = readKey(given.privateKey);
  const [own] = chain ?? [];
  if (!own || !key) return [...(own ? [] : [NO_CERTIFICATE]), ...(key ? [] : [NO_KEY])];
  const until = new Date(Math.min(...(chain ?? []).map(({ validTo }) => Date.parse(validTo))));
  const read = {
    certificate: pemOf(given.certificate, CERTIFICATE),
    privateKey: pemOf(given.privateKey, KEY),
  };
  const refused = (message: string) => [{ field: 'certificate', message } as const];
  if (until <= now) return refused(`ended on ${until.toISOString()}`);
  if (Date.parse(own.validFrom) > now.getTime()) return refused('is not valid yet');
  if (!own.checkPrivateKey(key))
    return [{ field: 'privateKey', message: 'is not the key of the certificate' }];
  const context = attempt(() => createSecureContext({ cert: read.certificate, key: read.privateKey }));
  if (!context) return refused('is not accepted for TLS with this key: one of them may be too weak');
  return { ...read, until, fingerprint: own.fingerprint256 };
}

const NO_CERTIFICATE: CertificateFault = {
  field: 'certificate',
  message: 'must be a certificate in PEM, with those that signed it below it',
};
const NO_KEY: CertificateFault = {
  field: 'privateKey',
  message: 'must be one private key in PEM that no passphrase protects',
};

const CERTIFICATE = /-----BEGIN (CERTIFICATE)-----([\s\S]*?)-----END \1-----/g;
const KEY = /-----BEGIN ((?:EC |RSA )?PRIVATE KEY)-----([\s\S]*?)-----END \1-----/g;

/** The blocks of one kind, with the line breaks that forms and shells may have taken away. */
function pemOf(text: string, kind: RegExp): string {
  return [...text.matchAll(kind)]
    .map(([, label = '', inner = '']) => {
      const lines = inner.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
      return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
    })
    .join('');
}

function readChain(text: string): X509Certificate[] | undefined {
  const blocks = pemOf(text, CERTIFICATE).split(/(?<=-----END CERTIFICATE-----\n)/);
  return attempt(() => blocks.map((block) => new X509Certificate(block)));
}

function readKey(text: string) {
  const pem = pemOf(text, KEY);
  return attempt(() => createPrivateKey(pem));
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
