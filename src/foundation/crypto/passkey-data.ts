import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { isDerSignature } from '#foundation/crypto/p256.ts';

// The library is loaded at its first use: loading takes as long as all the rest of a start.
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** The parts of authenticator data that we use. */
export interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly isUserPresent: boolean;
  /** By a finger, a face or a PIN. */
  readonly isUserVerified: boolean;
  readonly counter: number;
  /** Only at a registration. */
  readonly credentialId?: Uint8Array | undefined;
  /** COSE; only at a registration. */
  readonly publicKey?: Uint8Array | undefined;
}

export async function readAuthenticatorData(bytes: Uint8Array): Promise<AuthenticatorData | undefined> {
  const { parseAuthenticatorData } = await loadHelpers();
  try {
    const { rpIdHash, flags, counter, ...more } = parseAuthenticatorData(new Uint8Array(bytes));
    const { credentialID: credentialId, credentialPublicKey: publicKey } = more;
    const { up: isUserPresent, uv: isUserVerified } = flags;
    return { rpIdHash, isUserPresent, isUserVerified, counter, credentialId, publicKey };
  } catch {
    return undefined;
  }
}

/** The authenticator data in an attestation object, and how it is attested. */
export interface AttestationObject extends AuthenticatorData {
  readonly format: string;
  /** The number of its certificates. */
  readonly certificates: number;
}

export async function readAttestationObject(bytes: Uint8Array): Promise<AttestationObject | undefined> {
  const { decodeAttestationObject } = await loadHelpers();
  try {
    const object = decodeAttestationObject(new Uint8Array(bytes));
    const data = await readAuthenticatorData(object.get('authData'));
    const certificates = object.get('attStmt').get('x5c')?.length ?? 0;
    return data && { ...data, format: String(object.get('fmt')), certificates };
  } catch {
    return undefined;
  }
}

/** ES256, RS256 and EdDSA (COSE). */
const ALGORITHMS = [-7, -257, -8];
/**
 * The formats that can be checked without a network request. To check `android-key` the library fetches from addresses in
 * the certificates that the client sent; `android-safetynet` is no longer issued.
 */
export const ATTESTATION_FORMATS = ['none', 'packed', 'fido-u2f', 'apple', 'tpm'];

/**
 * Manufacturers send two or three. The library tries each certificate as the issuer of each other one, so as many as fit
 * into one request would keep it busy for ten seconds.
 */
const CERTIFICATES_MAX = 8;

export interface Attestation extends Pick<AttestationObject, 'format' | 'certificates'> {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
  readonly origin: string;
  readonly rpId: string;
}

/** Lets the library check an attestation, because each format has rules of its own. */
export async function isValidAttestation(attestation: Attestation): Promise<boolean> {
  const { format, certificates } = attestation;
  if (!ATTESTATION_FORMATS.includes(format) || certificates > CERTIFICATES_MAX) return false;
  const { credentialId, clientDataJson, attestationObject } = attestation;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified } = await verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: { clientDataJSON: clientDataJson, attestationObject },
        clientExtensionResults: {},
      },
      // The challenge was already compared, as bytes.
      expectedChallenge: () => true,
      expectedOrigin: attestation.origin,
      expectedRPID: attestation.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return verified;
  } catch {
    return false;
  }
}

const RSA_BITS_MIN = 2_048;

/** Imports a COSE key of one of the three algorithms; undefined if it has other members or they form no key. */
export async function importCoseKey(publicKey: Uint8Array): Promise<KeyObject | undefined> {
  const { decodeCredentialPublicKey } = await loadHelpers();
  try {
    const cose = decodeCredentialPublicKey(new Uint8Array(publicKey)) as unknown as Map<number, unknown>;
    const key = createPublicKey({ key: parseCoseKey(cose), format: 'jwk' });
    return (key.asymmetricKeyDetails?.modulusLength ?? RSA_BITS_MIN) < RSA_BITS_MIN ? undefined : key;
  } catch {
    return undefined;
  }
}

/** COSE labels: 1 is the type of key, 3 the algorithm, and negative labels are the members of the type. */
function parseCoseKey(cose: Map<number, unknown>): Record<string, string> {
  const member = (label: number): string => {
    const value = cose.get(label);
    if (!(value instanceof Uint8Array)) throw new TypeError(`member ${label} of the key is not bytes`);
    return Buffer.from(value).toString('base64url');
  };
  const kind = [cose.get(1), cose.get(3)].join();
  if (kind === '2,-7' && cose.get(-1) === 1) return { kty: 'EC', crv: 'P-256', x: member(-2), y: member(-3) };
  if (kind === '1,-8' && cose.get(-1) === 6) return { kty: 'OKP', crv: 'Ed25519', x: member(-2) };
  if (kind === '3,-257') return { kty: 'RSA', n: member(-1), e: member(-2) };
  throw new TypeError('neither ES256 nor RS256 nor EdDSA');
}

const verifyOffLoop = promisify(verify);

/** The form of the signature is that of the key: ES256 in DER, RS256 in PKCS #1 v1.5, EdDSA in 64 bytes. */
export async function isSignedBy(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const key = await importCoseKey(publicKey);
  if (!key || (key.asymmetricKeyType === 'ec' && !isDerSignature(signature))) return false;
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verifyOffLoop(hash, message, key, signature).catch(() => false);
}
