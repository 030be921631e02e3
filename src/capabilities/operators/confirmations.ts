import type { OperatorParts } from '#capabilities/operators/address.ts';
import { openChallenge } from '#capabilities/operators/challenges.ts';
import { type OperatorSession, useChallenge } from '#capabilities/operators/session-store.ts';
import { notProved, verifyStepUp } from '#capabilities/operators/sessions.ts';
import { decodeBase64url } from '#foundation/crypto/encodings.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { PasskeyAssertion } from '#foundation/crypto/webauthn.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

/** The token by which an operator approved at the issuer. Its nonce is made from the hash of the proposal. */
interface Confirmation {
  readonly session: string;
  readonly nonce: string;
  readonly idToken: string;
}

/** The value that a browser sends back to approve. */
interface IssuerConfirmation {
  readonly nonce: string;
  readonly confirmation: string;
}

const CONTEXT = 'operators.confirmation';

/** Seals a token that was checked, so that the approval need not ask the issuer's keys again within its transaction. */
export function sealConfirmation({ vault }: { readonly vault: Vault }, confirmation: Confirmation): string {
  return vault.seal(JSON.stringify(confirmation), CONTEXT).toString('base64url');
}

/**
 * Checks a confirmation of the issuer and records it, so that it counts once: for this session, within five minutes, and
 * only for `signed` (operator.md §5.4). Returns the proof that is kept.
 */
async function verifyConfirmation(
  tx: Tx,
  { id }: Pick<OperatorSession, 'id'>,
  { nonce, confirmation }: IssuerConfirmation,
  signed: Uint8Array,
): Promise<Pick<Confirmation, 'nonce' | 'idToken'>> {
  const { vault, clock } = tx.runtime;
  const challenge = openChallenge(vault, clock.now(), confirmationBoundTo(id), nonce, signed);
  const opened = openConfirmation(vault, confirmation);
  const isOurs = challenge !== undefined && opened?.session === id && opened.nonce === nonce;
  if (!isOurs || !(await useChallenge(tx, challenge.hash, challenge.expiresAt))) throw notProved();
  return { nonce, idToken: opened.idToken };
}

/** An approval with either of the two proofs; the other one is left out. */
export interface SentApproval {
  readonly nonce: string;
  readonly assertion?: PasskeyAssertion | undefined;
  readonly confirmation?: string | undefined;
}

/** Checks the proof of an approval: the answer of a passkey, or a confirmation of the issuer. Returns what is kept. */
export async function verifyApproval(
  tx: Tx,
  parts: OperatorParts,
  session: Pick<OperatorSession, 'id' | 'operatorId'>,
  { nonce, assertion, confirmation }: SentApproval,
  signed: Uint8Array,
): Promise<object> {
  if (assertion && confirmation === undefined) {
    await verifyStepUp(tx, parts, session, { nonce, assertion }, signed);
    return { nonce, assertion };
  }
  if (confirmation === undefined || assertion) {
    throw invalidFields([{ field: 'assertion', message: 'is needed, or else confirmation, but not both' }]);
  }
  return verifyConfirmation(tx, session, { nonce, confirmation }, signed);
}

/** Returns the values to which the challenge of a proof at the issuer is bound. */
export function confirmationBoundTo(session: Id<'OperatorSession'>): string[] {
  return ['issuer', 'step-up', session];
}

function openConfirmation(vault: Vault, text: string): Confirmation | undefined {
  const sealed = decodeBase64url(text);
  if (!sealed) return undefined;
  try {
    return JSON.parse(vault.openText(sealed, CONTEXT)) as Confirmation;
  } catch {
    // Somebody made it up.
    return undefined;
  }
}
