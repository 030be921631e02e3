import { codeHash, isOpen } from '#capabilities/sca/challenges/challenges.ts';
import { type Challenge, deleteChallenge } from '#capabilities/sca/challenges/store.ts';
import { type Authentication, setSignCount } from '#capabilities/sca/factor-store.ts';
import type { ProofResult, SentProof, WrongProof } from '#capabilities/sca/proofs.ts';
import { checkTotp } from '#capabilities/sca/totp.ts';
import { isSameHash } from '#foundation/codes/codes.ts';
import { checkAssertion } from '#foundation/crypto/webauthn.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** The result for a proof without an open challenge, with a message for the caller. */
export function staleProof(reason: string): Pick<WrongProof, 'reason' | 'message'> {
  return { reason, message: `${reason}; start again` };
}

/**
 * Checks whether a proof answers a challenge that is open. `origins` are the pages that may request the passkey; if
 * they are undefined, any page of the passkey's relying party may (customers.md §7.10).
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
      const reason = 'a passkey answered a challenge that requires a code';
      return { reason, message: 'this challenge requires the code of a text message: send code' };
    }
    if (authentication.phoneNumber === null) {
      const reason = 'the phone number is no longer a factor';
      return { reason, message: 'the phone number that received the code is no longer a factor' };
    }
    const sent = codeHash(tx, id, authentication.phoneNumber, proof.code);
    return challenge.codeHash && isSameHash(challenge.codeHash, sent)
      ? { accept: async () => {} }
      : { reason: 'the code is wrong' };
  }
  if (proof.kind !== 'ASSERTION') {
    const reason = 'a code answered a challenge that requires a passkey';
    return { reason, message: 'this challenge requires a passkey: send passkeyAssertion and origin' };
  }
  return checkPasskey(challenge, authentication, proof, origins);
}

/** Checks the proof of a started challenge, if it is still open. Accepting it deletes the challenge, so that it counts once. */
export async function checkStarted(
  tx: ReadTx,
  challenge: Challenge,
  authentication: Authentication,
  proof: SentProof,
  field: string,
): Promise<ProofResult> {
  if (!isOpen(challenge, tx.now)) return { field, ...staleProof('the challenge has expired or was voided') };
  const result = await checkAnswer(tx, challenge, authentication, proof, tx.platform.settings.sca.origins);
  if ('reason' in result) return result;
  return {
    async accept(tx) {
      await result.accept(tx);
      await deleteChallenge(tx, challenge);
    },
  };
}

/** Each check names its problem: that does not help an attacker to forge a signature. */
async function checkPasskey(
  { customerId, webauthnChallenge }: Challenge,
  { passkey }: Authentication,
  { assertion, origin: named }: Extract<SentProof, { kind: 'ASSERTION' }>,
  origins: readonly string[] | undefined,
): Promise<ProofResult> {
  const wrong = (reason: string) => ({ reason, message: lowerFirst(reason) });
  if (!passkey) return wrong('the customer no longer has a passkey');
  const { origin } = assertion.clientData;
  if (origin !== named) return wrong('the passkey was requested by a page of another origin');
  if (origins && !origins.includes(origin)) return wrong('the origin is not one of the platform’s');
  const expected = { passkey, challenge: webauthnChallenge ?? Buffer.alloc(0) };
  const result = await checkAssertion(assertion, expected);
  if ('reason' in result) return wrong(result.reason);
  return { accept: (tx) => setSignCount(tx, customerId, result.counter) };
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
