import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { decodeBase64url, isBase64url, parseJsonObject } from '#foundation/crypto/encodings.ts';
import {
  ATTESTATION_FORMATS,
  importCoseKey,
  isSignedBy,
  isValidAttestation,
  readAttestationObject,
  readAuthenticatorData,
} from '#foundation/crypto/passkey-data.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** The result of `navigator.credentials.create()` that a client sends; texts are base64url. */
export interface PasskeyAttestation {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
}

/** The result of `navigator.credentials.get()` that a client sends; texts are base64url. */
export interface PasskeyAssertion {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** The stored data of a passkey. */
export interface RegisteredPasskey {
  /** base64url without padding: the same bytes are always the same text. */
  readonly credentialId: string;
  readonly rpId: string;
  /** COSE. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

/**
 * An origin other than a web page, such as an Android app, that the operator lists with its relying party
 * (wallets.md §6.1.24).
 */
export interface ListedOrigin {
  readonly origin: string;
  readonly rpId: string;
}

interface ClientData {
  readonly type: unknown;
  readonly challenge: Buffer | undefined;
  readonly origin: string;
}

export interface CheckedRegistration {
  readonly passkey: RegisteredPasskey;
  /** The page on which it was created. */
  readonly origin: string;
  /** Whether the authenticator verified the user, by a finger, a face or a PIN; the caller decides whether it must. */
  readonly isUserVerified: boolean;
}

/**
 * Checks a new passkey (wallets.md §6.1.23, §6.1.24), and returns the origin on which it was created. `challenge` is
 * the one that the client was given. Fields of problems are named as in the attestation, except for `challenge`.
 */
export async function checkRegistration(
  attestation: PasskeyAttestation,
  challenge: string,
  listed: readonly ListedOrigin[] = [],
): Promise<CheckedRegistration | { problems: FieldError[] }> {
  const { credentialId, clientDataJson, attestationObject } = attestation;
  const problems = problemsOfForm({ challenge, credentialId, clientDataJson, attestationObject });
  if (problems.length > 0) return { problems };
  const clientData = parseClientData(clientDataJson);
  if (!clientData) return problem('clientDataJson', NOT_CLIENT_DATA);
  if (clientData.type !== 'webauthn.create') {
    return problem('clientDataJson', 'its type must be webauthn.create');
  }
  if (!isSame(clientData.challenge, decodeBase64url(challenge))) {
    return problem('clientDataJson', 'its challenge differs from the given challenge');
  }
  const rpIds = rpIdsFor(clientData.origin, listed);
  if (rpIds.length === 0) return problem('clientDataJson', 'its origin must be https, or http://localhost');
  const object = decodeBase64url(attestationObject);
  const attested = object && (await readAttestationObject(object));
  if (!attested?.credentialId || !attested.publicKey) {
    return problem('attestationObject', 'must be a CBOR attestation object that contains a key');
  }
  const rpId = rpIds.find((id) => isSame(attested.rpIdHash, sha256(id)));
  if (rpId === undefined) return problem('attestationObject', 'belongs to no relying party of the origin');
  if (!attested.isUserPresent) return problem('attestationObject', 'says that no user was present');
  if (!isSame(attested.credentialId, decodeBase64url(credentialId))) {
    return problem('credentialId', 'differs from the id in the attestation object');
  }
  const { publicKey, counter, format, certificates } = attested;
  if (!(await importCoseKey(publicKey))) {
    return problem('attestationObject', 'its key must be valid, and of algorithm -7, -257 or -8');
  }
  const { origin } = clientData;
  if (!(await isValidAttestation({ ...attestation, format, certificates, origin, rpId }))) {
    return problem('attestationObject', NOT_ATTESTED);
  }
  const idText = Buffer.from(attested.credentialId).toString('base64url');
  const { isUserVerified } = attested;
  return { passkey: { credentialId: idText, rpId, publicKey, counter }, origin, isUserVerified };
}

const NOT_ATTESTED = `must have a valid attestation, of a format among ${ATTESTATION_FORMATS.join(', ')}`;

/** An assertion of the right form (wallets.md §6.4.34). */
export interface ParsedAssertion {
  readonly credentialId: string;
  readonly clientData: ClientData;
  readonly clientDataJson: Buffer;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** wallets.md §6.4.34: a member that is not base64url or not client data is an error of the request, for any user. */
export function parseAssertion(
  assertion: PasskeyAssertion,
): { assertion: ParsedAssertion } | { problems: FieldError[] } {
  const { credentialId, clientDataJson, authenticatorData, signature } = assertion;
  const problems = problemsOfForm({ credentialId, clientDataJson, authenticatorData, signature });
  if (problems.length > 0) return { problems };
  const clientData = parseClientData(clientDataJson);
  const bytes = decodeBase64url(clientDataJson);
  if (!clientData || !bytes) return problem('clientDataJson', NOT_CLIENT_DATA);
  return { assertion: { credentialId, clientData, clientDataJson: bytes, authenticatorData, signature } };
}

export interface ExpectedAssertion {
  readonly passkey: RegisteredPasskey;
  /** The bytes that the client was given, or a text whose UTF-8 bytes the client signs. */
  readonly challenge: string | Uint8Array;
  readonly listed?: readonly ListedOrigin[] | undefined;
}

/**
 * Checks a login with a passkey in the order of wallets.md §6.4.35; returns the new counter, or the reason of the
 * failure.
 */
export async function checkAssertion(
  assertion: ParsedAssertion,
  { passkey, challenge, listed = [] }: ExpectedAssertion,
): Promise<{ counter: number; isUserVerified: boolean } | { reason: string }> {
  const { clientData } = assertion;
  if (!isSame(decodeBase64url(assertion.credentialId), decodeBase64url(passkey.credentialId))) {
    return { reason: 'The credential id is not the registered one' };
  }
  if (clientData.type !== 'webauthn.get') return { reason: 'The client data type is not webauthn.get' };
  if (!isSame(clientData.challenge, Buffer.from(challenge))) {
    return { reason: wrongChallenge(clientData.challenge, challenge) };
  }
  if (!rpIdsFor(clientData.origin, listed).includes(passkey.rpId)) {
    return { reason: 'The origin does not belong to the passkey’s relying party' };
  }
  const bytes = decodeBase64url(assertion.authenticatorData);
  const data = bytes && (await readAuthenticatorData(bytes));
  if (!data || !isSame(data.rpIdHash, sha256(passkey.rpId))) {
    return { reason: 'The RP ID hash is not that of the passkey’s relying party' };
  }
  if (!data.isUserPresent) return { reason: 'The user presence (UP) bit is not set' };
  const { counter } = data;
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
    return { reason: 'The counter is not above that of the last login' };
  }
  const signature = decodeBase64url(assertion.signature);
  const signed = Buffer.concat([bytes, sha256(assertion.clientDataJson)]);
  if (!signature || !(await isSignedBy(passkey.publicKey, signed, signature))) {
    return { reason: 'The signature does not verify' };
  }
  return { counter, isUserVerified: data.isUserVerified };
}

/** Names the usual mistake: the client must sign the challenge as text, not as the bytes that the text encodes. */
function wrongChallenge(sent: Buffer | undefined, challenge: string | Uint8Array): string {
  const isDecoded = typeof challenge === 'string' && isSame(sent, Buffer.from(challenge, 'hex'));
  return isDecoded
    ? 'The client data challenge is base64url of the bytes that the challenge encodes: it must be base64url of its text'
    : 'The client data challenge does not match the challenge';
}

const NOT_CLIENT_DATA = 'must be the base64url of a JSON object with a type, a challenge and an origin';

function problem(field: string, message: string): { problems: FieldError[] } {
  return { problems: [{ field, message }] };
}

function problemsOfForm(texts: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(texts)
    .filter(([, text]) => !isBase64url(text))
    .map(([field]) => ({ field, message: 'must be base64url' }));
}

function parseClientData(text: string): ClientData | undefined {
  const bytes = decodeBase64url(text);
  const { type, challenge, origin } = (bytes && parseJsonObject(bytes)) ?? {};
  if (typeof challenge !== 'string' || typeof origin !== 'string') return undefined;
  return { type, challenge: decodeBase64url(challenge), origin };
}

/** Whether browsers let a page of this origin use the passkeys of a relying party. */
export function belongsToRelyingParty(origin: string, rpId: string): boolean {
  return rpIdsFor(origin, []).includes(rpId);
}

/**
 * The relying parties that a page of this origin may speak for (wallets.md §6.1.24): its host and its parent domains.
 */
function rpIdsFor(origin: string, listed: readonly ListedOrigin[]): string[] {
  const found = listed.filter((entry) => entry.origin === origin);
  if (found.length > 0) return found.map(({ rpId }) => rpId);
  const url = URL.parse(origin);
  if (!url || url.origin !== origin || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && url.hostname === 'localhost')) return [];
  const labels = url.hostname.split('.');
  const parents = labels.map((_label, i) => labels.slice(i)).filter((parent) => parent.length > 1);
  return [...new Set([url.hostname, ...parents.map((parent) => parent.join('.'))])];
}

function sha256(bytes: string | Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.from(one).equals(other);
}
