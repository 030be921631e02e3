export interface InvitationRow {
  platform_id: PlatformId;
  code: string;
  customer_id: CustomerId;
  inviter_uma: string;
  first_name: string | null;
  amount: bigint | null;
  currency: string | null;
  /** The stored status; whether a `PENDING` invitation has expired depends on the time (present.ts). */
  status: 'PENDING' | 'CLAIMED' | 'CANCELLED';
  created_at: Date;
  expires_at: Date | null;
  claimed_at: Date | null;
  invitee_uma: string | null;
  claimant_platform_id: PlatformId | null;
  claimant_customer_id: CustomerId | null;
}

export interface Claim {
  /** By the clock of the inviter's platform. */
  readonly at: Date;
  readonly inviteeUma: string;
  /** The claiming platform's customer with this address, if there is one. */
  readonly customerId: CustomerId | undefined;
}
