import assert from 'node:assert/strict';
import type { ProofBody } from '#capabilities/sca/schemas.ts';
import {
  type ParsedAssertion,
  type PasskeyAssertion,
  type PasskeyAttestation,
  parseAssertion,
} from '#foundation/crypto/webauthn.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isIpAddress } from '#foundation/lib/ip-address.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** A well-formed proof. */
export type SentProof =
  | { readonly kind: 'CODE'; readonly code: string }
  | { readonly kind: 'ASSERTION'; readonly assertion: ParsedAssertion; readonly origin: string };

export function fieldOf({ kind }: SentProof): 'code' | 'passkeyAssertion' {
  return kind === 'CODE' ? 'code' : 'passkeyAssertion';
}

/** Takes one proof, an assertion with its origin; any other body is 400 and not counted (customers.md §7.8, §7.11). */
export function parseProof(body: ProofBody): { proof: SentProof } | { problems: FieldError[] } {
  const { code, passkeyAssertion, origin } = body;
  const problems = problemsOfProof(body);
  if (problems.length > 0) return { problems };
  if (typeof code === 'string') return { proof: { kind: 'CODE', code } };
  assert(passkeyAssertion && typeof origin === 'string', 'it was checked before');
  const parsed = parseAssertion(readAssertion(passkeyAssertion));
  if ('problems' in parsed) {
    return { problems: parsed.problems.map((one) => ({ ...one, field: shownField(one.field) })) };
  }
  return { proof: { kind: 'ASSERTION', assertion: parsed.assertion, origin } };
}

/** The end user's address is stored in the audit log, so it must be valid. */
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
    return ['code', 'passkeyAssertion'].map((field) => ({ field, message: 'one of the two is required' }));
  }
  if (hasAssertion && typeof origin !== 'string') {
    return [{ field: 'origin', message: 'is required with a passkeyAssertion' }];
  }
  return [];
}

/** Reads the output of `PublicKeyCredential.toJSON()`; a missing member becomes a string that is not base64url. */
function readAssertion(sent: Record<string, unknown>): PasskeyAssertion {
  const response = responseOf(sent);
  return {
    credentialId: textOf(sent.id),
    clientDataJson: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

/** Reads the same for a new passkey. */
export function readAttestation(sent: Record<string, unknown>): PasskeyAttestation {
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

/** The result of a proof; `accept` records its use. */
export type ProofResult = WrongProof | { accept(tx: Tx): Promise<void> };

export interface WrongProof {
  /** For the operator. */
  readonly reason: string;
  /** The field's message for the caller; undefined: it is wrong. */
  readonly message?: string;
  /** Set if a field other than the proof is wrong. */
  readonly field?: string;
}
