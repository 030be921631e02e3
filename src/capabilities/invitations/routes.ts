import { cancelInvitation, claimInvitation } from '#capabilities/invitations/claim-invitation.ts';
import { createInvitation } from '#capabilities/invitations/create-invitation.ts';
import {
  CLAIMED_INVITATION,
  GRACE_INVITATION,
  GRACE_REQUEST,
  GRACE_UMA,
  OPEN_INVITATION,
} from '#capabilities/invitations/examples.ts';
import { invitationTime, presentInvitation } from '#capabilities/invitations/present.ts';
import {
  UmaInvitation,
  UmaInvitationClaimRequest,
  UmaInvitationCreateRequest,
  UmaInvitationListResponse,
  UmaInvitationsQuery,
} from '#capabilities/invitations/schemas.ts';
import { listInvitations, loadInvitation, normaliseCode } from '#capabilities/invitations/store.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';

const AREA = 'Invitations';

const CODE_PARAM = {
  invitationCode: {
    text: 'The `code` of the invitation. Capitals, dashes and spaces are ignored.',
    normalise: normaliseCode,
  },
};

export interface InvitationParts {
  /** Public address of this service, without a trailing slash. */
  publicUrl(): string;
}

export function invitationOperations(parts: InvitationParts) {
  return [
    operation('createInvitation', {
      route: 'POST /invitations',
      area: AREA,
      summary: 'Invite a person to UMA',
      description:
        'One of your customers invites a person who has no UMA address yet. Send that person `url`: the ' +
        'page names the inviter (`Ada L.`, or the name of a business) and your platform ' +
        '(`embeddedWalletConfig.appName`, else the platform’s name), and says what to do. The platform ' +
        'that the person chooses claims the invitation with the new address; `INVITATION.CLAIMED` notifies ' +
        'you.',
      access: 'manage',
      body: UmaInvitationCreateRequest,
      status: 201,
      reply: UmaInvitation,
      codes: ['INVALID_UMA_ADDRESS', 'INVALID_AMOUNT', 'INVITATIONS_NOT_CONFIGURED'],
      examples: {
        'An invitation with a name and an amount': { body: GRACE_REQUEST, reply: GRACE_INVITATION },
        'An invitation that never expires': {
          body: { inviterUma: OPEN_INVITATION.inviterUma },
          reply: OPEN_INVITATION,
        },
      },
      write: (tx, { body }) => createInvitation(tx, body, parts.publicUrl()),
    }),
    operation('getInvitation', {
      route: 'GET /invitations/:invitationCode',
      area: AREA,
      summary: 'Read an invitation',
      description: 'By its code, whichever platform of the environment created it.',
      access: 'view',
      params: CODE_PARAM,
      reply: UmaInvitation,
      codes: ['INVITATION_NOT_FOUND'],
      examples: {
        'A pending invitation': {
          params: { invitationCode: GRACE_INVITATION.code },
          reply: GRACE_INVITATION,
        },
      },
      async read(tx, { params }) {
        const found = await loadInvitation(tx, params.invitationCode);
        return presentInvitation(found, invitationTime(found, tx.runtime), parts.publicUrl());
      },
    }),
    ...endingOperations(parts),
    listOperation(parts),
  ];
}

function endingOperations(parts: InvitationParts) {
  return [
    operation('claimInvitation', {
      route: 'POST /invitations/:invitationCode/claim',
      area: AREA,
      summary: 'Claim an invitation',
      description:
        'The invited person now has a UMA address: in production it must be that of one of your customers, ' +
        'in the sandbox it may be any. An invitation can be claimed once. The platform that created it ' +
        'gets an event, and no money moves.',
      access: 'manage',
      params: CODE_PARAM,
      body: UmaInvitationClaimRequest,
      reply: UmaInvitation,
      codes: [
        'INVALID_UMA_ADDRESS',
        'SELF_PAYMENT',
        'INVITATION_ALREADY_CLAIMED',
        'INVITATION_CANCELLED',
        'INVITATION_NOT_FOUND',
      ],
      examples: {
        'An address at another provider': {
          params: { invitationCode: GRACE_INVITATION.code },
          body: { inviteeUma: GRACE_UMA },
          reply: CLAIMED_INVITATION,
        },
      },
      write: (tx, { params, body }) => claimInvitation(tx, params.invitationCode, body, parts.publicUrl()),
    }),
    operation('cancelInvitation', {
      route: 'POST /invitations/:invitationCode/cancel',
      area: AREA,
      summary: 'Cancel an invitation',
      description:
        'Only the platform that created the invitation can cancel it, and only while it is pending.',
      access: 'manage',
      params: CODE_PARAM,
      reply: UmaInvitation,
      codes: ['INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED', 'FORBIDDEN', 'INVITATION_NOT_FOUND'],
      examples: {
        'A pending invitation': {
          params: { invitationCode: OPEN_INVITATION.code },
          reply: { ...OPEN_INVITATION, status: 'CANCELLED' },
        },
      },
      write: (tx, { params }) => cancelInvitation(tx, params.invitationCode, parts.publicUrl()),
    }),
  ];
}

function listOperation(parts: InvitationParts) {
  return operation('listInvitations', {
    route: 'GET /invitations',
    area: AREA,
    summary: 'List invitations',
    description: 'The invitations that your platform created, newest first.',
    access: 'view',
    isBeyondContract: true,
    query: UmaInvitationsQuery,
    reply: UmaInvitationListResponse,
    codes: [],
    examples: {
      'Pending ones of a customer': {
        query: { customerId: EXAMPLE_IDS.ada, status: 'PENDING' },
        reply: exampleList(GRACE_INVITATION),
      },
    },
    read: (tx, { query }) =>
      listInvitations(tx, pageRequest('listInvitations', query), query, (row) =>
        presentInvitation({ row, platform: tx.platform }, tx.now, parts.publicUrl()),
      ),
  });
}
