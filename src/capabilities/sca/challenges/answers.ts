import { timingSafeEqual } from 'node:crypto';
import { codeHash } from '#capabilities/sca/challenges/challenges.ts';
import type { Challenge } from '#capabilities/sca/challenges/store.ts';
import { type Authentication, setSignCount } from '#capabilities/sca/factor-store.ts';
import type { ProofResult, SentProof, WrongProof } from '#capabilities/sca/proofs.ts';
import { checkTotp } from '#capabilities/sca/totp.ts';
import { checkAssertion } from '#foundation/crypto/webauthn.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

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
