import type { AcceptedCode, AuthenticatorCodesPort } from '#ports/authenticator-codes.ts';
import { type CompleteTable, rowFor } from '#sandbox/table.ts';

/** customers.md §7.2. */
export const AUTHENTICATOR_CODES_TABLE: CompleteTable<AcceptedCode | undefined> = {
  id: 'authenticator-codes',
  title: 'Codes of authenticator apps',
  intro:
    'The `TOTP` factor of strong customer authentication. The code is the same for every secret and can be used again, so ' +
    'that no app is needed. A recovery code works in its place, once, as in production; not at an enrolment.',
  column: 'Code',
  operations: [
    'confirmScaFactorEnrollment',
    'completeScaLogin',
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
    effect: 'Wrong, also what an app makes of the secret. It counts towards a lock.',
    shows: { code: 'INVALID_INPUT' },
    does: undefined,
  },
};

export const sandboxAuthenticatorCodes: AuthenticatorCodesPort = {
  check: (_secret, code) => rowFor(AUTHENTICATOR_CODES_TABLE, code).does,
};
