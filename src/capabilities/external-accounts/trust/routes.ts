import {
  BeneficiaryTrustConfirm,
  BeneficiaryTrustConfirmRequest,
  BeneficiaryTrustStart,
} from '#capabilities/external-accounts/schemas.ts';
import {
  confirmTrustChange,
  startTrustChange,
  type TrustChange,
} from '#capabilities/external-accounts/trust/change-trust.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import { EXAMPLE_IDS, exampleTime } from '#foundation/lib/examples.ts';

const AREA = 'Strong Customer Authentication';
const PARAMS: { externalAccountId: IdParam<'ExternalAccount'> } = {
  externalAccountId: { id: 'ExternalAccount', missing: 'ACCOUNT_NOT_FOUND' },
};
const EXAMPLE_PARAMS = { externalAccountId: EXAMPLE_IDS.hilbertEur };

/** The two directions, each with a start and a confirmation (customers.md §7.14). */
const CHANGES = {
  TRUST: {
    path: 'trust',
    ids: { start: 'startBeneficiaryTrust', confirm: 'confirmBeneficiaryTrust' },
    what: 'trust in an external account',
    effect:
      'From then on the customer’s payments to the account need a live session and no challenge, and the account ' +
      'cannot be deleted.',
    challengeId: EXAMPLE_IDS.trustChallenge,
  },
  UNTRUST: {
    path: 'untrust',
    ids: { start: 'startBeneficiaryUntrust', confirm: 'confirmBeneficiaryUntrust' },
    what: 'the end of trust in an external account',
    effect:
      'From then on the customer’s payments to the account need a challenge again, and the account can be deleted.',
    challengeId: EXAMPLE_IDS.untrustChallenge,
  },
} as const satisfies Record<TrustChange, object>;

function startOperation(change: TrustChange) {
  const { path, ids, what, challengeId } = CHANGES[change];
  return operation(ids.start, {
    route: `POST /customers/external-accounts/:externalAccountId/${path}`,
    area: AREA,
    summary: `Ask a customer to confirm ${what}`,
    description:
      'The challenge is for the factor of the customer’s session, or else a code to the phone. A customer who is logged ' +
      'in by an authenticator app gets no challenge: confirm with the app’s code. A new start voids the previous one. ' +
      'In the sandbox, codes are [always the same](/docs/sandbox#sca-codes).',
    access: 'manage',
    params: PARAMS,
    reply: BeneficiaryTrustStart,
    codes: ['CONFLICT', 'RATE_LIMITED', 'NOT_IMPLEMENTED'],
    examples: {
      'A code to the phone': {
        params: EXAMPLE_PARAMS,
        reply: {
          scaChallenge: {
            id: challengeId,
            expiresAt: exampleTime(300),
            factor: 'SMS_OTP',
            availableFactors: ['SMS_OTP'],
          },
        },
      },
    },
    write: (tx, { params }) => startTrustChange(tx, params.externalAccountId, change),
  });
}

function confirmOperation(change: TrustChange) {
  const { path, ids, what, effect, challengeId } = CHANGES[change];
  return operation(ids.confirm, {
    route: `POST /customers/external-accounts/:externalAccountId/${path}/confirm`,
    area: AREA,
    summary: `Confirm ${what}`,
    description: `${effect} The account’s field \`trusted\` shows this; no event is sent. A wrong proof counts towards the customer’s lockout.`,
    access: 'manage',
    params: PARAMS,
    body: BeneficiaryTrustConfirmRequest,
    checksBody: true,
    reply: BeneficiaryTrustConfirm,
    codes: ['CONFLICT', 'ACCOUNT_LOCKED'],
    examples: {
      'The code that was sent to the phone': {
        params: EXAMPLE_PARAMS,
        body: { challengeId, code: '123456' },
        reply: { trusted: change === 'TRUST' },
      },
    },
    write: (tx, { params, body, problems }) =>
      confirmTrustChange(tx, params.externalAccountId, change, body, problems),
  });
}

export const trustOperations = [
  startOperation('TRUST'),
  confirmOperation('TRUST'),
  startOperation('UNTRUST'),
  confirmOperation('UNTRUST'),
];
