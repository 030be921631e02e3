import { ADA } from '#capabilities/customers/examples.ts';
import type { UmaInvitation } from '#capabilities/invitations/schemas.ts';
import { EXAMPLE_TIME, exampleAmount, exampleTime } from '#foundation/lib/examples.ts';

/** Ada promises Grace ten dollars. */
export const GRACE_REQUEST = {
  inviterUma: ADA.umaAddress,
  firstName: 'Grace',
  amountToSend: 1_000,
  expiresAt: exampleTime(7 * 86_400),
};

export const GRACE_INVITATION: UmaInvitation = {
  code: '7h3qk2vd9x',
  createdAt: EXAMPLE_TIME,
  url: 'http://127.0.0.1:8080/i/7h3qk2vd9x',
  expiresAt: GRACE_REQUEST.expiresAt,
  inviterUma: ADA.umaAddress,
  status: 'PENDING',
  firstName: 'Grace',
  amountToSend: exampleAmount(1_000, 'USD'),
};

/** Her address at another provider. */
export const GRACE_UMA = '$grace@elsewhere.example';

export const CLAIMED_INVITATION: UmaInvitation = {
  ...GRACE_INVITATION,
  status: 'CLAIMED',
  claimedAt: EXAMPLE_TIME,
  inviteeUma: GRACE_UMA,
};

/** Has no name, amount or expiry, and is cancelled. */
export const OPEN_INVITATION: UmaInvitation = {
  code: 'm4x0zr8t2c',
  createdAt: EXAMPLE_TIME,
  url: 'http://127.0.0.1:8080/i/m4x0zr8t2c',
  inviterUma: ADA.umaAddress,
  status: 'PENDING',
};
