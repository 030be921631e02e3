import Type from 'typebox';
import { OPERATOR_STATUSES } from '#capabilities/operators/row.ts';
import { OPERATOR_ROLES } from '#foundation/http/operator-rule.ts';
import {
  component,
  dateTime,
  idSchema,
  namedEnum,
  operatorReason,
  page,
  pageQuery,
  text,
} from '#foundation/http/schema.ts';
import { masked } from '#foundation/records/mask.ts';
import { PENDING_PROPOSALS } from '#foundation/records/show-operations.ts';

const Status = namedEnum('OperatorStatus', 'Where an operator stands.', OPERATOR_STATUSES);
const Role = namedEnum('OperatorRole', 'Roles add up, and no role contains another.', OPERATOR_ROLES);
const roles = (description: string) => Type.Array(Role, { minItems: 1, maxItems: 6, description });

const OPERATOR = {
  id: idSchema('Operator', { description: 'Id of the operator.' }),
  name: Type.String({ description: 'Name of the person.' }),
  email: Type.String({ description: 'E-mail address; no two operators have the same.' }),
  roles: Type.Array(Role, {
    maxItems: 6,
    description: 'What the operator may do; empty if the issuer gives no role any more.',
  }),
  status: Status,
  invitedBy: Type.String({
    description: 'The operator who invited this one, the account that ran the command, or the issuer.',
  }),
  createdAt: dateTime({ description: 'When the operator was first invited.' }),
  lastSeenAt: Type.Optional(dateTime({ description: 'The last visit.' })),
  digits: Type.Optional(
    Type.String({ description: 'While `JOINED`: six digits of the new key, to compare with the person.' }),
  ),
  approvesFrom: Type.Optional(
    dateTime({ description: 'After a lost passkey: the operator approves nothing before this time.' }),
  ),
};

export const OperatorReply = component('Operator', 'A person who runs the service.', OPERATOR);
export const OperatorRecord = component('OperatorRecord', 'A person who runs the service, and proposals.', {
  ...OPERATOR,
  ...PENDING_PROPOSALS,
});

export const OperatorNames = component('OperatorNameList', 'The names of all operators.', {
  data: Type.Array(
    component('OperatorName', 'The name behind the id of an operator.', {
      id: OPERATOR.id,
      name: OPERATOR.name,
    }),
    { description: 'All of them, also those who were removed.' },
  ),
});

export const OperatorList = page('OperatorListResponse', OperatorReply);
export const OperatorQuery = pageQuery({
  status: Type.Optional(Status),
  role: Type.Optional(Role),
});

export const OperatorInvitation = component('OperatorInvitation', 'The person to invite, and their roles.', {
  // Admins read operators unmasked, so that they know whom they confirm.
  name: masked('none', text(1, 100, { pattern: '^\\P{Cc}*$', description: 'Name of the person.' })),
  email: masked(
    'none',
    Type.String({ format: 'email', maxLength: 254, description: 'E-mail address of the person.' }),
  ),
  roles: masked('none', roles('What the operator may do.')),
  reason: operatorReason(),
});

export const OperatorAddress = component(
  'OperatorAddress',
  'An address with which an operator joins, once.',
  {
    operator: OperatorReply,
    expiresAt: dateTime({ description: 'When the address expires.' }),
    isMailed: Type.Boolean({ description: 'Whether it is mailed to the operator, and shown to nobody.' }),
    url: Type.Optional(
      Type.String({ description: 'The address, if no mail server is set. The part after `#` is a secret.' }),
    ),
  },
);

export const OperatorRolesRequest = component(
  'OperatorRolesRequest',
  'All roles that an operator has from now on.',
  {
    roles: masked('none', roles('What the operator may do.')),
    reason: operatorReason(),
  },
);

export const OperatorReason = component('OperatorReason', 'Why.', { reason: operatorReason() });

export const OperatorConfirmation = component(
  'OperatorConfirmation',
  'The digits that the person has read out.',
  {
    digits: Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits.' }),
    reason: operatorReason(),
  },
);

export const OperatorPasskeyReply = component('OperatorPasskey', 'One of the passkeys of an operator.', {
  id: Type.String({ description: 'Id of the passkey.' }),
  createdAt: dateTime({ description: 'When it was registered.' }),
  usedAt: Type.Optional(dateTime({ description: 'When it was last used.' })),
});

export const OperatorPasskeys = component('OperatorPasskeyList', 'All of them.', {
  data: Type.Array(OperatorPasskeyReply, { description: 'At most ten.' }),
});

export const PasskeyChallenge = component(
  'OperatorPasskeyChallenge',
  'What a browser needs to make a passkey.',
  {
    nonce: Type.String({ description: 'To be sent back with the passkey.' }),
    challenge: Type.String({ description: 'The challenge, in base64url.' }),
    rpId: Type.String({ description: 'The relying party.' }),
  },
);

export const NewOperatorPasskey = component('NewOperatorPasskey', 'A passkey that the browser has made.', {
  nonce: text(1, 200, { description: 'The nonce of the challenge.' }),
  credentialId: text(1, 1_400, { description: 'base64url.' }),
  clientDataJson: text(1, 4_000, { description: 'base64url.' }),
  attestationObject: text(1, 40_000, { description: 'base64url.' }),
  reason: operatorReason(),
});

export const OperatorSessions = component('OperatorSessionList', 'The live sessions of an operator.', {
  data: Type.Array(
    component('OperatorSession', 'A browser in which the operator has signed in.', {
      id: Type.String({ description: 'Id of the session.' }),
      createdAt: dateTime({ description: 'When the operator signed in.' }),
      usedAt: dateTime({ description: 'The last use.' }),
      expiresAt: dateTime({ description: 'When it ends at the latest.' }),
      remoteAddress: Type.Optional(Type.String({ description: 'The network address of the sign-in.' })),
      browser: Type.Optional(Type.String({ description: 'The browser, as it names itself.' })),
    }),
    { description: 'The newest first.' },
  ),
});

export const EndedSessions = component('EndedOperatorSessions', 'The result.', {
  ended: Type.Integer({ description: 'How many sessions were ended.' }),
});
