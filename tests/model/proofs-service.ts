import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { QuoteReply } from '#tests/given/quotes.ts';
import { passkeyAnswerer, registration, SCA_CODE, SCA_ORIGIN, type ScaPasskey } from '#tests/given/sca.ts';
import type { BodyOf, RequestOf } from '#tests/harness/api-types.ts';
import type { Answered, TestPlatform } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import type { Customers } from '#tests/model/money-service.ts';
import type { Answer, Customer, Step, Who } from '#tests/model/steps.ts';

export type ChallengeReply = NonNullable<QuoteReply['scaChallenge']>;

type Reply = Answered<{ code: string }>;
type Proof = Pick<RequestOf<'authorizeQuote'>, 'code' | 'passkeyAssertion' | 'origin'>;

const WRONG_CODE = '654321';
const IP_ADDRESS = '203.0.113.7';

/**
 * Authenticates customers, driven by the steps of the model. It is never interrupted by a kill, which only tests payments;
 * idempotency keys are ignored here.
 */
export class ProofsService {
  readonly #platform: TestPlatform;
  readonly #customers: Customers;
  /** The last passkey of each, also after it was removed. */
  readonly #passkeys = new Map<Who, ScaPasskey>();
  readonly #logins = new Map<string, BodyOf<'startScaLogin'>>();
  readonly #trust = new Map<string, ChallengeReply>();

  constructor(platform: TestPlatform, customers: Customers) {
    this.#platform = platform;
    this.#customers = customers;
  }

  /** The customer's answer to this question. */
  answer(who: Who, challenge: ChallengeReply | undefined, answer: Answer): Proof {
    const isByPasskey = (challenge?.factor === 'PASSKEY') !== (answer === 'of the other factor');
    if (answer === 'nothing') return {};
    if (!isByPasskey) return { code: answer === 'wrong' ? WRONG_CODE : SCA_CODE };
    return this.#assertion(who, challenge?.passkeyAssertionOptions, answer === 'right');
  }

  async logIn({ who, factor, starts, answer }: Extract<Step, { does: 'scaLogIn' }>): Promise<Reply[]> {
    const query = { customerId: this.#customers[who] };
    const started = starts ? [await this.#platform.send('startScaLogin', { query, body: { factor } })] : [];
    const [reply] = started;
    if (reply && reply.status !== 200) return started;
    const key = `${who} ${factor}`;
    if (reply) this.#logins.set(key, reply.body);
    const { challengeId, passkeyOptions } = this.#logins.get(key) ?? {};
    const proof =
      factor === 'SMS_OTP'
        ? { code: answer === 'right' ? SCA_CODE : WRONG_CODE, challengeId: challengeId ?? unknownChallenge() }
        : this.#assertion(who, passkeyOptions, answer === 'right');
    const body = { factor, endUserIpAddress: IP_ADDRESS, ...proof };
    return [...started, await this.#platform.send('completeScaLogin', { query, body })];
  }

  async changePasskey(who: Customer, change: 'enrol' | 'remove'): Promise<Reply> {
    const query = { customerId: this.#customers[who] };
    if (change === 'remove') {
      const params = { credentialId: this.#passkeys.get(who)?.credentialId ?? 'none' };
      return this.#platform.send('deleteScaFactor', { query, params });
    }
    const started = await this.#platform.call('startScaFactorEnrollment', {
      query,
      body: { type: 'PASSKEY' },
    });
    if (started.status !== 200) return started;
    const passkey = createPasskey({ rpId: 'localhost', origin: SCA_ORIGIN });
    const body = registration(passkey, started.body);
    const confirmed = await this.#platform.call('confirmScaFactorEnrollment', { query, body });
    assert.equal(confirmed.status, 200, confirmed.raw);
    this.#passkeys.set(who, { credentialId: passkey.credentialId, answer: passkeyAnswerer(passkey) });
    return confirmed;
  }

  record({ who, event, times }: Extract<Step, { does: 'record' }>): Promise<Reply[]> {
    const call = { query: { customerId: this.#customers[who] }, body: { eventType: event } };
    return Promise.all(Array.from({ length: times }, () => this.#platform.send('recordSecurityEvent', call)));
  }

  async changeTrust(
    externalAccountId: string,
    { change, in: { who }, starts, answer }: Extract<Step, { does: 'trust' }>,
  ): Promise<Reply[]> {
    const params = { externalAccountId };
    const word = change === 'TRUST' ? 'Trust' : 'Untrust';
    const started = starts ? [await this.#platform.send(`startBeneficiary${word}`, { params })] : [];
    const [reply] = started;
    if (reply && reply.status !== 200) return started;
    const key = `${change} ${externalAccountId}`;
    const { scaChallenge } = (reply?.body ?? {}) as BodyOf<'startBeneficiaryTrust'>;
    if (scaChallenge) this.#trust.set(key, scaChallenge);
    if (answer === null) return started;
    const challenge = this.#trust.get(key);
    const challengeId = challenge?.id ?? unknownChallenge();
    const body = { challengeId, ...this.answer(who, challenge, answer) };
    return [...started, await this.#platform.send(`confirmBeneficiary${word}`, { params, body })];
  }

  /** A wrong one answers another question. A customer without a passkey uses another customer's. */
  #assertion(who: Who, options: unknown, isRight: boolean): Proof {
    const { answer } = this.#passkeys.get(who) ?? strangersPasskey();
    const asked = isRight && options ? options : { challenge: randomBytes(32).toString('base64url') };
    return answer(asked);
  }
}

function strangersPasskey(): ScaPasskey {
  const passkey = createPasskey({ rpId: 'localhost', origin: SCA_ORIGIN });
  return { credentialId: passkey.credentialId, answer: passkeyAnswerer(passkey) };
}

function unknownChallenge(): string {
  return `ScaChallenge:${randomUUID()}`;
}
