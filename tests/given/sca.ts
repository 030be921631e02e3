import assert from 'node:assert/strict';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { updateContactStatus } from '#capabilities/customers/store.ts';
import { type CreatedCustomer, EUROPEAN, givenCustomer } from '#tests/given/customers.ts';
import type { BodyOf, RequestOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { type Changes, createPasskey, type TestPasskey } from '#tests/harness/passkeys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** Every code by text message or of an authenticator app, in the sandbox. */
export const SCA_CODE = '123456';
export const SCA_ORIGIN = 'http://localhost:3000';
const SCA_RP_ID = 'localhost';
const IP_ADDRESS = '203.0.113.7';

interface WithId {
  readonly id: string;
}

/** An approved customer in a region of strong customer authentication, with both contacts verified. */
export async function givenEuropean(
  platform: TestPlatform,
  body: RequestOf<'createCustomer'> = {},
): Promise<CreatedCustomer> {
  return approved(platform, await givenCustomer(platform, { ...EUROPEAN, ...body }));
}

/** The same for a customer who exists already. */
export async function approved(platform: TestPlatform, customer: CreatedCustomer): Promise<CreatedCustomer> {
  const work = await platform.work();
  await work.write(async (tx) => {
    for (const channel of ['EMAIL', 'PHONE'] as const) {
      await updateContactStatus(tx, uuidOf(customer), channel, 'VERIFIED');
    }
    await setCustomerStatus(tx, uuidOf(customer), 'APPROVED');
  });
  const { body: shown } = await platform.call('getCustomerById', { params: { customerId: customer.id } });
  return shown;
}

/** An enrolled passkey, used like a browser on the customer's device. */
export interface ScaPasskey {
  readonly credentialId: string;
  /** The request's answer to these options of `navigator.credentials.get()`. */
  answer(options: unknown, changes?: Changes): { passkeyAssertion: Record<string, unknown>; origin: string };
}

/** Enrols a passkey; a customer who has logged in before needs a session for that. */
export async function givenPasskey(platform: TestPlatform, customer: WithId): Promise<ScaPasskey> {
  const query = { customerId: customer.id };
  const started = await platform.call('startScaFactorEnrollment', { query, body: { type: 'PASSKEY' } });
  assert.equal(started.status, 200, started.raw);
  const passkey = createPasskey({ rpId: SCA_RP_ID, origin: SCA_ORIGIN });
  const body = registration(passkey, started.body);
  const confirmed = await platform.call('confirmScaFactorEnrollment', { query, body });
  assert.equal(confirmed.status, 200, confirmed.raw);
  return { credentialId: passkey.credentialId, answer: passkeyAnswerer(passkey) };
}

/** The body that confirms a passkey which was made for these options. */
export function registration(
  passkey: TestPasskey,
  started: BodyOf<'startScaFactorEnrollment'>,
  changes: Changes = {},
): RequestOf<'confirmScaFactorEnrollment'> {
  const challenge = String(started.options.challenge);
  const { credentialId, clientDataJson, attestationObject } = passkey.register(challenge, changes);
  const response = { clientDataJSON: clientDataJson, attestationObject };
  const credential = { id: credentialId, rawId: credentialId, type: 'public-key', response };
  return { type: 'PASSKEY', origin: SCA_ORIGIN, credential };
}

/** How a passkey answers the options of `navigator.credentials.get()`. */
export function passkeyAnswerer(passkey: TestPasskey): ScaPasskey['answer'] {
  return (options, changes = {}) => {
    const { challenge } = options as { challenge: string };
    const answer = passkey.assert(Buffer.from(challenge, 'base64url'), changes);
    const { credentialId, clientDataJson, authenticatorData, signature } = answer;
    const response = { clientDataJSON: clientDataJson, authenticatorData, signature };
    return {
      passkeyAssertion: { id: credentialId, rawId: credentialId, type: 'public-key', response },
      origin: SCA_ORIGIN,
    };
  };
}

/** Enrols an authenticator app. */
export async function givenTotp(
  platform: TestPlatform,
  customer: WithId,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const query = { customerId: customer.id };
  const started = await platform.send('startScaFactorEnrollment', { query, body: { type: 'TOTP' } });
  const { secret } = started.body as unknown as { secret: string };
  const body = { type: 'TOTP', secret, code: SCA_CODE };
  const confirmed = await platform.send('confirmScaFactorEnrollment', { query, body });
  assert.equal(confirmed.status, 200, confirmed.raw);
  const { recoveryCodes } = confirmed.body as unknown as { recoveryCodes: string[] };
  return { secret, recoveryCodes };
}

/** Logs the customer in, with a text message, an authenticator app that is enrolled, or this passkey. */
export async function givenScaSession(
  platform: TestPlatform,
  customer: WithId,
  factor: 'SMS_OTP' | 'TOTP' | ScaPasskey = 'SMS_OTP',
): Promise<BodyOf<'completeScaLogin'>> {
  const login = await startedLogin(platform, customer, factor);
  const done = await platform.call('completeScaLogin', { query: { customerId: customer.id }, body: login });
  assert.equal(done.status, 200, done.raw);
  return done.body;
}

/** Starts a login, and gives the body that would complete it. */
export async function startedLogin(
  platform: TestPlatform,
  customer: WithId,
  factor: 'SMS_OTP' | 'TOTP' | ScaPasskey = 'SMS_OTP',
): Promise<RequestOf<'completeScaLogin'>> {
  const name = typeof factor === 'string' ? factor : 'PASSKEY';
  const query = { customerId: customer.id };
  const started = await platform.call('startScaLogin', { query, body: { factor: name } });
  assert.equal(started.status, 200, started.raw);
  const { challengeId, passkeyOptions } = started.body;
  const base = { factor: name, endUserIpAddress: IP_ADDRESS };
  if (typeof factor !== 'string') return { ...base, ...factor.answer(passkeyOptions) };
  return { ...base, code: SCA_CODE, ...(challengeId != null && { challengeId }) };
}
