import {
  COMPLETE_PASSKEY_LOGIN,
  COMPLETE_RESET,
  COMPLETE_SMS_LOGIN,
  CONFIRM_PASSKEY,
  CONFIRM_TOTP,
  DELETE_PASSKEY,
  FAILED_LOGIN,
  PASSED_RESET,
  SMS_ALONE,
  START_PASSKEY,
  START_PASSKEY_LOGIN,
  START_RESET,
  START_SMS_LOGIN,
  START_TOTP,
} from '#capabilities/sca/examples.ts';
import { type EnrolledRow, listEnrolled, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import {
  confirmEnrollment,
  removePasskey,
  startEnrollment,
} from '#capabilities/sca/factors/enroll-factor.ts';
import {
  loadReset,
  prepareCompletion,
  presentReset,
  startReset,
} from '#capabilities/sca/factors/reset-factor.ts';
import {
  CustomerQuery,
  RecordSecurityEventRequest,
  RecordSecurityEventResponse,
  ScaFactorConfirmRequest,
  ScaFactorConfirmResponse,
  ScaFactorEnrollRequest,
  ScaFactorEnrollStart,
  ScaFactorList,
  type ScaFactorView,
  ScaLoginComplete,
  ScaLoginCompleteRequest,
  ScaLoginStart,
  ScaLoginStartRequest,
  TwoFactorResetCompleteRequest,
  TwoFactorResetStart,
  TwoFactorResetStartRequest,
  TwoFactorResetStatus,
} from '#capabilities/sca/schemas.ts';
import { LOCKOUT_IN_WORDS } from '#capabilities/sca/standing/lockout.ts';
import { completeLogin, startLogin } from '#capabilities/sca/standing/login.ts';
import { admit, loadScaCustomer } from '#capabilities/sca/standing/rules.ts';
import { recordEvent } from '#capabilities/sca/standing/security-events.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

const area = 'Strong Customer Authentication';
/** Each call is new, because challenges, secrets and sessions are never the same twice. */
const idempotency = { key: 'ignored' } as const;
/** Refusals that every call on a customer may get (customers.md §7.1). */
const ADMISSION = ['CUSTOMER_NOT_FOUND', 'CONFLICT'] as const;

const ofCustomer = ({ customerId }: { customerId: CustomerId }) => ({
  customerId: publicId('Customer', customerId),
});

function presentFactor({ factor, webauthn_id }: EnrolledRow): ScaFactorView {
  return { factor, ...(webauthn_id && { credentialId: webauthn_id.toString('base64url') }) };
}

const listScaFactors = operation('listScaFactors', {
  route: 'GET /sca/factors',
  area,
  summary: 'List the factors of a customer',
  description:
    'Text messages are a factor while the customer’s phone number is verified and needs no proof after a ' +
    'change. An authenticator app and a passkey must be enrolled.',
  access: 'view',
  query: CustomerQuery,
  reply: ScaFactorList,
  codes: [...ADMISSION],
  examples: { 'Text messages alone': SMS_ALONE },
  read: async (tx, input) => {
    const { id } = await admit(tx, input);
    const [{ phoneNumber }, enrolled] = [await loadAuthentication(tx, id), await listEnrolled(tx, id)];
    const sms: ScaFactorView[] = phoneNumber === null ? [] : [{ factor: 'SMS_OTP' }];
    return { factors: [...sms, ...enrolled.map(presentFactor)] };
  },
});

const startScaFactorEnrollment = operation('startScaFactorEnrollment', {
  route: 'POST /sca/factors',
  area,
  summary: 'Start the enrolment of a factor',
  description:
    'Returns the secret of an authenticator app, or the options with which a browser creates a passkey; ' +
    'confirm it within ten minutes. A customer who has logged in before needs a live session. The type ' +
    '`SMS_OTP`, beyond the contract, requests a proof of a changed phone number by another ' +
    'factor: until then text messages are not a factor.',
  access: 'manage',
  idempotency,
  query: CustomerQuery,
  body: ScaFactorEnrollRequest,
  checksBody: true,
  reply: ScaFactorEnrollStart,
  codes: [
    ...ADMISSION,
    'PASSKEY_ALREADY_ENROLLED',
    'SCA_SESSION_REQUIRED',
    'ACCOUNT_LOCKED',
    'NOT_IMPLEMENTED',
  ],
  examples: { 'An authenticator app': START_TOTP, 'A passkey': START_PASSKEY },
  auditDetails: ({ query, body }) => ({ ...ofCustomer(query), factor: body.type }),
  write: async (tx, input) => startEnrollment(tx, await admit(tx, input), input.body),
});

const confirmScaFactorEnrollment = operation('confirmScaFactorEnrollment', {
  route: 'POST /sca/factors/confirm',
  area,
  summary: 'Confirm a factor',
  description:
    'Send a code of the authenticator app, or the passkey that the browser created. For a phone number ' +
    'send the answer to the start’s `scaChallenge`; a wrong one counts towards the lockout. The recovery codes ' +
    'of an app are only in this reply. In the sandbox the code is [always the ' +
    'same](/docs/sandbox#authenticator-codes).',
  access: 'manage',
  idempotency,
  query: CustomerQuery,
  body: ScaFactorConfirmRequest,
  checksBody: true,
  reply: ScaFactorConfirmResponse,
  codes: [...ADMISSION, 'SCA_SESSION_REQUIRED', 'ACCOUNT_LOCKED'],
  examples: { 'An authenticator app': CONFIRM_TOTP, 'A passkey': CONFIRM_PASSKEY },
  auditDetails: ({ query, body }) => ({ ...ofCustomer(query), factor: body.type }),
  write: async (tx, input) => confirmEnrollment(tx, await admit(tx, input), input.body),
});

const deleteScaFactor = operation('deleteScaFactor', {
  route: 'DELETE /sca/factors/:credentialId',
  area,
  summary: 'Delete a passkey',
  description: 'Payments that wait for the passkey fail. The other factors cannot be deleted.',
  access: 'manage',
  query: CustomerQuery,
  params: { credentialId: { text: 'The WebAuthn id of the passkey from the list of factors.' } },
  codes: [...ADMISSION, 'NOT_FOUND', 'SCA_SESSION_REQUIRED', 'ACCOUNT_LOCKED'],
  examples: { 'A passkey': DELETE_PASSKEY },
  auditDetails: ({ query }) => ({ ...ofCustomer(query), factor: 'PASSKEY' }),
  write: async (tx, input) => {
    const { id } = await admit(tx, input);
    await removePasskey(tx, id, input.params.credentialId);
    return undefined as never;
  },
});

const startScaLogin = operation('startScaLogin', {
  route: 'POST /sca/login/start',
  area,
  summary: 'Start the login of a customer',
  description:
    'Sends a code, or creates a challenge for a passkey; an authenticator app needs no challenge. In ' +
    'production text messages are at least 30 seconds apart, and at most 20 in a day. In the sandbox ' +
    'nothing is sent: the code is [always the same](/docs/sandbox#sca-codes), and the message can be read ' +
    'at `GET /sandbox/messages`.',
  access: 'manage',
  idempotency,
  query: CustomerQuery,
  body: ScaLoginStartRequest,
  checksBody: true,
  reply: ScaLoginStart,
  codes: [...ADMISSION, 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
  examples: { 'A code to the phone': START_SMS_LOGIN, 'A passkey': START_PASSKEY_LOGIN },
  auditDetails: ({ query, body }) => ({ ...ofCustomer(query), factor: body.factor }),
  write: async (tx, input) => startLogin(tx, (await admit(tx, input)).id, input.body.factor),
});

const completeScaLogin = operation('completeScaLogin', {
  route: 'POST /sca/login/complete',
  area,
  summary: 'Log a customer in',
  description:
    `The right proof creates a session of 180 days. Wrong proofs count until a login succeeds: ${LOCKOUT_IN_WORDS} ` +
    'until `RESET_PASSWORD_COMPLETED` is recorded.',
  access: 'manage',
  idempotency,
  query: CustomerQuery,
  body: ScaLoginCompleteRequest,
  checksBody: true,
  reply: ScaLoginComplete,
  codes: [...ADMISSION, 'ACCOUNT_LOCKED'],
  examples: {
    'The code that came to the phone': COMPLETE_SMS_LOGIN,
    'A passkey': COMPLETE_PASSKEY_LOGIN,
  },
  auditDetails: ({ query, body: { factor, endUserIpAddress } }) => ({
    ...ofCustomer(query),
    factor,
    endUserIpAddress,
  }),
  write: async (tx, input) => completeLogin(tx, (await admit(tx, input)).id, input.body),
});

const recordSecurityEvent = operation('recordSecurityEvent', {
  route: 'POST /sca/record-event',
  area,
  summary: 'Record an event of your own login',
  description:
    '`FAILED_LOGIN_ATTEMPT` counts like a wrong proof, even if the customer is locked. ' +
    '`RESET_PASSWORD_COMPLETED` ends all sessions and clears failures, lock and suspension; payments that ' +
    'wait for the customer fail.',
  access: 'manage',
  idempotency,
  query: CustomerQuery,
  body: RecordSecurityEventRequest,
  checksBody: true,
  reply: RecordSecurityEventResponse,
  // The lock is documented because clients expect it there; recording is never refused for it.
  codes: [...ADMISSION, 'ACCOUNT_LOCKED'],
  examples: { 'A wrong password': FAILED_LOGIN },
  auditDetails: ({ query }, reply) => ({ ...ofCustomer(query), ...reply }),
  write: async (tx, input) => recordEvent(tx, (await admit(tx, input)).id, input.body.eventType),
});

const RESET = { resetId: { id: 'ScaReset', missing: 'REQUEST_NOT_FOUND' } } as const;

const startTwoFactorReset = operation('startTwoFactorReset', {
  route: 'POST /sca/factors/reset',
  area,
  summary: 'Start the reset of a lost factor',
  description:
    'The customer opens `verificationLink` and passes a liveness check. Then the reset can be completed, ' +
    'within 15 minutes of its start. A customer can start five resets in a day. In the sandbox the check ' +
    '[passes by itself](/docs/sandbox#factor-resets).',
  access: 'manage',
  idempotency,
  query: CustomerQuery,
  body: TwoFactorResetStartRequest,
  checksBody: true,
  status: 201,
  reply: TwoFactorResetStart,
  codes: [...ADMISSION, 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
  examples: { 'An authenticator app': START_RESET },
  auditDetails: ({ query, body }) => ({ ...ofCustomer(query), factor: body.factor }),
  handle: async (work, input) =>
    startReset(work, await work.read((tx) => admit(tx, input)), input.body.factor),
});

const getTwoFactorResetStatus = operation('getTwoFactorResetStatus', {
  route: 'GET /sca/factors/reset/:resetId',
  area,
  summary: 'Get the status of a reset',
  description:
    'Shows whether the liveness check has passed, so that the reset can be completed, and later whether ' +
    'the factor was enrolled again.',
  access: 'view',
  query: CustomerQuery,
  params: RESET,
  reply: TwoFactorResetStatus,
  codes: [...ADMISSION],
  examples: { 'A liveness check that has passed': PASSED_RESET },
  read: async (tx, input) =>
    presentReset(await loadReset(tx, await admit(tx, input), input.params.resetId), tx.now),
});

const completeTwoFactorReset = operation('completeTwoFactorReset', {
  route: 'POST /sca/factors/reset/:resetId/complete',
  area,
  summary: 'Complete a reset',
  description:
    'Possible once the liveness check has passed. Removes an authenticator app or a passkey, which the ' +
    'customer can then enrol again. For text messages the number in `mobile` becomes the customer’s ' +
    'verified phone number. All sessions end, and payments that wait for the factor fail.',
  access: 'manage',
  idempotency,
  query: CustomerQuery,
  params: RESET,
  body: TwoFactorResetCompleteRequest,
  bodyOptional: true,
  checksBody: true,
  codes: [...ADMISSION, 'SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS'],
  examples: { 'An authenticator app': COMPLETE_RESET },
  auditDetails: ({ query }) => ofCustomer(query),
  prepare: async (tx, { query, params, body, problems }) => {
    const customer = await loadScaCustomer(tx, query.customerId);
    const reset = await loadReset(tx, customer, params.resetId);
    if (problems.length > 0) throw invalidFields(problems);
    return prepareCompletion(tx, customer, reset, body);
  },
});

export const scaOperations = [
  listScaFactors,
  startScaFactorEnrollment,
  confirmScaFactorEnrollment,
  deleteScaFactor,
  startScaLogin,
  completeScaLogin,
  recordSecurityEvent,
  startTwoFactorReset,
  getTwoFactorResetStatus,
  completeTwoFactorReset,
];
