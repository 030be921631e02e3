import { LOCKOUT_IN_WORDS } from '#capabilities/sca/standing/lockout.ts';
import { DELAYS, formatDuration } from '#edge/sandbox/delays-table.ts';
import { type LivenessParts, writeVisit } from '#edge/sandbox/identity/liveness.ts';
import { ONLY_CODE } from '#edge/sandbox/messages/messages.ts';
import { type CompleteTable, rowFor } from '#edge/sandbox/table.ts';
import type { AcceptedCode, AuthenticatorCodesPort } from '#foundation/ports/authenticator-codes.ts';
import type { FactorResetPort } from '#foundation/ports/factor-reset.ts';
import type { IssuedCode } from '#foundation/ports/messages.ts';
import type { LivenessSession } from '#foundation/ports/ownership.ts';

/** customers.md §7.2. */
export const SCA_CODES_TABLE: CompleteTable<IssuedCode | undefined> = {
  id: 'sca-codes',
  title: 'Codes of strong customer authentication',
  intro:
    'The `SMS_OTP` factor, for logins, pending payments and changes of trust. Nothing is sent: the message, which names the ' +
    'purpose of its code, is in the inbox. Every code is the same, but it answers only the latest challenge. A new code can ' +
    'be requested at once; the code of a payment can be resent every 30 seconds, five times, as in production.',
  column: 'Code',
  operations: [
    'startScaLogin',
    'completeScaLogin',
    'createQuote',
    'executeQuote',
    'authorizeQuote',
    'resendQuoteScaCode',
    'startBeneficiaryTrust',
    'confirmBeneficiaryTrust',
    'startBeneficiaryUntrust',
    'confirmBeneficiaryUntrust',
    'listSandboxMessages',
  ],
  rows: [
    {
      value: ONLY_CODE.code,
      example: ONLY_CODE.code,
      effect: 'Right: the payment starts, the customer is logged in, or the account is trusted.',
      shows: { status: 'PROCESSING' },
      does: ONLY_CODE,
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '654321',
    effect:
      `Wrong, and counted until a login succeeds: ${LOCKOUT_IN_WORDS}. Five wrong codes on one payment ` +
      'end it: `FAILED` with `SCA_NOT_COMPLETED`.',
    shows: { code: 'INVALID_INPUT' },
    does: undefined,
  },
};

/** customers.md §7.2. */
export const AUTHENTICATOR_CODES_TABLE: CompleteTable<AcceptedCode | undefined> = {
  id: 'authenticator-codes',
  title: 'Codes of authenticator apps',
  intro:
    'The `TOTP` factor of strong customer authentication. The code is the same for every secret and can be used again, so ' +
    'that no app is needed. A recovery code works instead, once, as in production, but not at an enrolment.',
  column: 'Code',
  operations: [
    'confirmScaFactorEnrollment',
    'completeScaLogin',
    'authorizeQuote',
    'confirmBeneficiaryTrust',
    'confirmBeneficiaryUntrust',
  ],
  rows: [
    {
      value: '123456',
      example: '123456',
      effect: 'Right.',
      shows: { status: 'SUCCESS' },
      does: { step: undefined },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '654321',
    effect: 'Wrong, even the code that an app computes from the secret. It counts towards the lockout.',
    shows: { code: 'INVALID_INPUT' },
    does: undefined,
  },
};

export const sandboxAuthenticatorCodes: AuthenticatorCodesPort = {
  check: (_secret, code) => rowFor(AUTHENTICATOR_CODES_TABLE, code).does,
};

const PASSES_AFTER_MS = DELAYS.reset.ms;

/** customers.md §7.63, §7.64. */
export const FACTOR_RESETS_TABLE: CompleteTable<NonNullable<LivenessSession['outcome']>> = {
  id: 'factor-resets',
  title: 'Resets of factors',
  intro:
    'The `verificationLink` of a reset opens a page in place of a provider’s camera check. The query that you append to the ' +
    'link decides; the page need not be opened.',
  column: 'Query of the link',
  operations: ['startTwoFactorReset', 'getTwoFactorResetStatus'],
  rows: [
    {
      value: 'result=fail',
      example: '?result=fail',
      effect: `Opened within ${formatDuration(PASSES_AFTER_MS)} of the start: the liveness check fails at once.`,
      shows: { status: 'REJECTED' },
      does: { passed: false, afterMs: 0 },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '?result=pass',
    effect: `The liveness check passes by itself after ${formatDuration(PASSES_AFTER_MS)}.`,
    shows: { status: 'LIVENESS_PASSED' },
    overAfterMs: PASSES_AFTER_MS,
    does: { passed: true, afterMs: PASSES_AFTER_MS },
  },
};

/** The sandbox's liveness provider for resets: passes unless its page is told to fail. */
export function sandboxFactorReset({ vault, publicUrl }: LivenessParts): FactorResetPort {
  return {
    startLiveness: async ({ platformId, reference }) => ({
      verificationLink: `${publicUrl()}/factor-reset/${writeVisit(vault, 'reset', platformId, reference)}`,
      outcome: FACTOR_RESETS_TABLE.otherwise.does,
    }),
  };
}
