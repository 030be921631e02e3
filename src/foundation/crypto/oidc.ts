import { hash } from 'node:crypto';
import { decodeBase64url, parseJsonObject } from '#foundation/crypto/encodings.ts';
import { isStorable } from '#foundation/lib/storable.ts';
import type { IssuersPort } from '#foundation/ports/issuers.ts';

/** The claims of an OIDC token that we use; an `aud` list of one element becomes that element. */
export interface OidcClaims extends OidcIdentity {
  /** Seconds since the epoch. */
  readonly iat: number;
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly email: string | undefined;
  readonly nonce: string | undefined;
}

/** The person that a token identifies (wallets.md §6.1.25). */
export interface OidcIdentity {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
}

/** Values that the token of a login must match, in addition to being valid. */
export interface OidcLogin {
  readonly identity: OidcIdentity;
  /** As it was sent: the case of its hex counts. */
  readonly clientPublicKey: string;
}

export interface OidcProblem {
  readonly status: 400 | 401;
  readonly reason: string;
  /** The same token may be accepted a moment later. */
  readonly mayRetry?: true;
}

/** Tokens of the known issuers have a thousand characters. */
const LENGTH_MAX = 16_384;
const IAT_AGE_MAX_S = 60;
const SKEW_S = 5;

export interface OidcCheck {
  readonly issuers: IssuersPort;
  /** The platform's time. */
  readonly now: Date;
  /** Absent at a registration. */
  readonly login?: OidcLogin | undefined;
}

/** All checks of a token in the order of the table in wallets.md §6.5. */
export async function checkOidcToken(
  token: string,
  { issuers, now, login }: OidcCheck,
): Promise<{ claims: OidcClaims } | { problem: OidcProblem }> {
  const parsed = parseOidcToken(token);
  if ('problem' in parsed) return parsed;
  const { claims } = parsed;
  if (!issuers.supports(claims.iss)) {
    return { problem: { status: login ? 401 : 400, reason: 'iss is not a supported issuer' } };
  }
  const problem =
    checkOidcTimes(claims, issuers.datingTimes(now)) ??
    (await checkOidcSignature(token, claims, issuers)) ??
    (login && checkOidcLogin(claims, login));
  return problem ? { problem } : { claims };
}

/** The first two rows of the table: a malformed token is an error of the request. */
export function parseOidcToken(token: string): { claims: OidcClaims } | { problem: OidcProblem } {
  const [header, payload, signature, ...more] = token.length > LENGTH_MAX ? [] : token.split('.');
  const members = parseSegment(payload);
  if (!parseSegment(header) || !members || !signature || more.length > 0) {
    return malformed('must be three segments, the first two of them JSON objects');
  }
  const { iss, sub, iat, exp, email, nonce } = members;
  const audience = Array.isArray(members.aud) && members.aud.length === 1 ? members.aud[0] : members.aud;
  const aud = nonEmpty(audience);
  if (aud === undefined) return malformed('its aud must be a non-empty string, or an array of one');
  if (nonEmpty(sub) === undefined) return malformed('its sub must be a non-empty string');
  if (!Number.isFinite(iat) || !Number.isFinite(exp)) return malformed('its iat and exp must be numbers');
  if (typeof iss !== 'string') return malformed('its iss must be a string');
  return {
    claims: {
      iss,
      aud,
      sub: String(sub),
      iat: Number(iat),
      exp: Number(exp),
      email: nonEmpty(email),
      nonce: nonEmpty(nonce),
    },
  };
}

/** Checks rows 4 and 5 by each of these times. One valid time is enough; otherwise the error by the first is reported. */
export function checkOidcTimes(claims: OidcClaims, times: readonly Date[]): OidcProblem | undefined {
  const found = times.map((now) => timeProblem(claims, now));
  const [problem] = found;
  if (problem === undefined || found.includes(undefined)) return undefined;
  const clocks = [...new Set(times.map((now) => now.toISOString()))];
  return unauthorized(`${problem}; the time here is ${clocks.join(' or ')}`);
}

function timeProblem({ iat, exp }: OidcClaims, now: Date): string | undefined {
  const seconds = Math.floor(now.getTime() / 1_000);
  if (iat < seconds - IAT_AGE_MAX_S - SKEW_S) return 'iat is more than 60 seconds ago';
  if (iat > seconds + SKEW_S) return 'iat is in the future';
  return exp * 1_000 > now.getTime() ? undefined : 'exp has passed';
}

export async function checkOidcSignature(
  token: string,
  { iss }: OidcIdentity,
  issuers: IssuersPort,
): Promise<OidcProblem | undefined> {
  const result = await issuers.verifySignature(token, iss);
  if (result === 'valid') return undefined;
  return result === 'invalid'
    ? unauthorized('the token is not signed by its iss')
    : { ...unauthorized('issuer keys unavailable'), mayRetry: true };
}

export function checkOidcLogin(
  claims: OidcClaims,
  { identity, clientPublicKey }: OidcLogin,
): OidcProblem | undefined {
  const other = (['iss', 'aud', 'sub'] as const).find((name) => claims[name] !== identity[name]);
  if (other) return unauthorized(`${other} differs from that of the credential`);
  return claims.nonce === oidcNonce(clientPublicKey)
    ? undefined
    : unauthorized('nonce is not the SHA-256 of clientPublicKey');
}

/** Binds a token to a client's key: the hash of the hex text, not of the key's bytes. */
export function oidcNonce(clientPublicKey: string): string {
  return hash('sha256', clientPublicKey, 'hex');
}

function parseSegment(segment = ''): Record<string, unknown> | undefined {
  const bytes = segment.endsWith('=') ? undefined : decodeBase64url(segment);
  return bytes && parseJsonObject(bytes);
}

/** A non-empty text that the database can store; any other value counts as missing. */
function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && isStorable(value) ? value : undefined;
}

function malformed(reason: string): { problem: OidcProblem } {
  return { problem: { status: 400, reason } };
}

function unauthorized(reason: string): OidcProblem {
  return { status: 401, reason };
}
