import { timingSafeEqual } from 'node:crypto';
import {
  checkAssertion,
  type ParsedAssertion,
  type PasskeyAssertion,
  type PasskeyAttestation,
  parseAssertion,
} from '#crypto/webauthn.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { isIpAddress } from '#lib/ip-address.ts';
import type { FieldError } from '#lib/refusals.ts';
import type { Challenge } from '#sca/challenge-store.ts';
import { codeHash } from '#sca/challenges.ts';
import { type Authentication, setSignCount } from '#sca/factor-store.ts';
import type { ProofBody } from '#sca/schemas.ts';
import { checkTotp } from '#sca/totp.ts';

/** A proof whose form is right. */
export type SentProof =
  | { readonly kind: 'CODE'; readonly code: string }
  | { readonly kind: 'ASSERTION'; readonly assertion: ParsedAssertion; readonly origin: string };

/** The field of a request that holds the proof. */
export function fieldOf({ kind }: SentProof): 'code' | 'passkeyAssertion' {
  return kind === 'CODE' ? 'code' : 'passkeyAssertion';
}

/** A body with one proof, and an assertion with its origin; anything else is 400 and not counted (customers.md §7.8, §7.11). */
export function parseProof(body: ProofBody): { proof: SentProof } | { problems: FieldError[] } {
  const { code, passkeyAssertion, origin } = body;
  const problems = problemsOfProof(body);
  if (problems.length > 0) return { problems };
  if (typeof code === 'string') return { proof: { kind: 'CODE', code } };
  const parsed = parseAssertion(assertionOf(passkeyAssertion ?? {}));
  if ('problems' in parsed) {
    return { problems: parsed.problems.map((one) => ({ ...one, field: shownField(one.field) })) };
  }
  return { proof: { kind: 'ASSERTION', assertion: parsed.assertion, origin: origin ?? '' } };
}

/** Where the person came from is kept in the audit log, so it must be an address. */
export function problemsOfAddress(endUserIpAddress: string | null | undefined): FieldError[] {
  if (endUserIpAddress == null || isIpAddress(endUserIpAddress)) return [];
  return [{ field: 'endUserIpAddress', message: 'must be an IPv4 or IPv6 address' }];
}

function problemsOfProof({ code, passkeyAssertion, origin }: ProofBody): FieldError[] {
  const [hasCode, hasAssertion] = [typeof code === 'string', passkeyAssertion != null];
  if (hasCode && hasAssertion) {
    return ['code', 'passkeyAssertion'].map((field) => ({
      field,
      message: 'only one of the two can be sent',
    }));
  }
  if (!hasCode && !hasAssertion) {
    return ['code', 'passkeyAssertion'].map((field) => ({ field, message: 'one of the two is needed' }));
  }
  if (hasAssertion && typeof origin !== 'string') {
    return [{ field: 'origin', message: 'is needed with a passkeyAssertion' }];
  }
  return [];
}

/** What `PublicKeyCredential.toJSON()` gives; what is missing becomes a text that is no base64url. */
function assertionOf(sent: Record<string, unknown>): PasskeyAssertion {
  const response = responseOf(sent);
  return {
    credentialId: textOf(sent.id),
    clientDataJson: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

/** The same of a passkey that was just made. */
export function attestationOf(sent: Record<string, unknown>): PasskeyAttestation {
  const response = responseOf(sent);
  return {
    credentialId: textOf(sent.id),
    clientDataJson: textOf(response.clientDataJSON),
    attestationObject: textOf(response.attestationObject),
  };
}

const SHOWN_FIELDS: Readonly<Record<string, string>> = {
  credentialId: 'passkeyAssertion.id',
  clientDataJson: 'passkeyAssertion.response.clientDataJSON',
  authenticatorData: 'passkeyAssertion.response.authenticatorData',
  signature: 'passkeyAssertion.response.signature',
};

function shownField(field: string): string {
  return SHOWN_FIELDS[field] ?? 'passkeyAssertion';
}

function responseOf({ response }: Record<string, unknown>): Record<string, unknown> {
  const isObject = response !== null && typeof response === 'object';
  return isObject ? (response as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '\u0000';
}

/** What became of a proof: `accept` writes what it used up. */
export type ProofResult = WrongProof | { accept(tx: Tx): Promise<void> };

export interface WrongProof {
  /** For the operator. */
  readonly reason: string;
  /** For the caller, of the field; undefined: it is wrong. */
  readonly message?: string;
  /** Where another field than the proof is wrong. */
  readonly field?: string;
}

/** A proof of something that is not asked, or not any more; the caller is told so. */
export function askedNoMore(reason: string): Pick<WrongProof, 'reason' | 'message'> {
  return { reason, message: `${reason}; start again` };
}

/**
 * Whether a proof answers a challenge, which the caller has found to be open. `origins` are the pages that may ask the
 * passkey; without them any page of the passkey's relying party may (customers.md §7.10).
 */
export async function checkAnswer(
  tx: ReadTx,
  challenge: Challenge,
  authentication: Authentication,
  proof: SentProof,
  origins?: readonly string[],
): Promise<ProofResult> {
  const { customerId, factor, id } = challenge;
  if (factor === 'TOTP') return checkTotp(tx, customerId, proof);
  if (factor === 'SMS_OTP') {
    if (proof.kind !== 'CODE') {
      const reason = 'a passkey answered a challenge that asks for a code';
      return { reason, message: 'this challenge asks for the code of a text message: send code' };
    }
    if (authentication.phoneNumber === null) {
      const reason = 'the phone number is no factor any more';
      return { reason, message: 'the phone number that it went to is no factor any more' };
    }
    const expected = challenge.codeHash ?? Buffer.alloc(0);
    const sent = codeHash(tx, id, authentication.phoneNumber, proof.code);
    const isRight = expected.length === sent.length && timingSafeEqual(expected, sent);
    return isRight ? { accept: async () => {} } : { reason: 'the code is wrong' };
  }
  if (proof.kind !== 'ASSERTION') {
    const reason = 'a code answered a challenge that asks for a passkey';
    return { reason, message: 'this challenge asks for a passkey: send passkeyAssertion and origin' };
  }
  return checkPasskey(challenge, authentication, proof, origins);
}

/** Each check says what was wrong: nobody can make a signature by knowing that. */
async function checkPasskey(
  { customerId, webauthnChallenge }: Challenge,
  { passkey }: Authentication,
  { assertion, origin: named }: Extract<SentProof, { kind: 'ASSERTION' }>,
  origins: readonly string[] | undefined,
): Promise<ProofResult> {
  const wrong = (reason: string) => ({ reason, message: startingSmall(reason) });
  if (!passkey) return wrong('the customer has no passkey any more');
  const { origin } = assertion.clientData;
  if (origin !== named) return wrong('the passkey was asked by a page of another origin');
  if (origins && !origins.includes(origin)) return wrong('the origin is not one of the platform’s');
  const expected = { passkey, challenge: webauthnChallenge ?? Buffer.alloc(0) };
  const result = await checkAssertion(assertion, expected);
  if ('reason' in result) return wrong(result.reason);
  return { accept: (tx) => setSignCount(tx, customerId, result.counter) };
}

function startingSmall(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
