import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate for a name, which is not trusted by default. */
export function selfSigned(name: string): Promise<{ cert: string; key: string }> {
  return signedByItself(`/CN=${name}`, `subjectAltName=DNS:${name}`);
}

/** The certificate with which a maker of authenticators signs attestations (WebAuthn, packed attestation). */
export function makersCertificate(): Promise<{ cert: string; key: string }> {
  return signedByItself(
    '/C=GB/O=Engines/OU=Authenticator Attestation/CN=Batch 1',
    'basicConstraints=CA:FALSE',
  );
}

async function signedByItself(subject: string, extension: string): Promise<{ cert: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key'), join(folder, 'cert')];
  try {
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', subject, '-addext', extension, '-keyout', keyFile, '-out', certFile],
    ]);
    return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
