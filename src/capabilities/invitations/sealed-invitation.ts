import { ERASED_UMA } from '#capabilities/customers/customer-row.ts';
import type { Claim, InvitationRow } from '#capabilities/invitations/invitation-row.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** The values of an invitation that name people. */
type PersonalName = 'inviter_uma' | 'first_name' | 'invitee_uma';

/**
 * An invitation as it is stored: its personal values are sealed. They are in clear text in rows of an earlier version,
 * and after an erasure, which replaces the addresses.
 */
export type StoredInvitation = Omit<InvitationRow, PersonalName> & {
  readonly [Name in PersonalName]: string | null;
} & {
  readonly inviter: Buffer | null;
  readonly invitee_name: Buffer | null;
  readonly invitee: Buffer | null;
};

type Key = Pick<InvitationRow, 'platform_id' | 'code'>;

function contextOf(column: 'inviter' | 'invitee_name' | 'invitee', { platform_id, code }: Key): string {
  return `invitations.${column}:${platform_id}:${code}`;
}

/** Seals the inviter's address, and the first name that the inviter gave the invited person, with the inviter's key. */
export function sealInvitation(
  vault: PersonVault,
  made: Key & Pick<InvitationRow, 'customer_id' | 'inviter_uma' | 'first_name'>,
): Pick<StoredInvitation, 'inviter' | 'invitee_name'> {
  const { customer_id, inviter_uma, first_name } = made;
  return {
    inviter: vault.sealFor([customer_id], inviter_uma, contextOf('inviter', made)),
    invitee_name:
      first_name === null ? null : vault.sealFor([customer_id], first_name, contextOf('invitee_name', made)),
  };
}

/**
 * Seals the address of the invited person with the key of the customer who claimed the invitation. If the claiming
 * platform has no such customer, the inviter's key seals it, because only the inviter knows the person.
 */
export async function sealInvitee(tx: Tx, row: InvitationRow, claim: Claim): Promise<Buffer> {
  const { customerId: claimant } = claim;
  const person = claimant ?? row.customer_id;
  // A new key is wrapped for the platform to which its person belongs.
  await tx.runtime.personKeys.ensure(claimant === undefined ? row.platform_id : tx.platformId, [person]);
  return tx.vault.sealFor([person], claim.inviteeUma, contextOf('invitee', row));
}

export async function openOne(tx: Opening, stored: StoredInvitation): Promise<InvitationRow> {
  const [row] = await openInvitations(tx, [stored]);
  return row as InvitationRow;
}

type Opening = Pick<ReadTx, 'vault' | 'runtime'>;

/** Opens the invitations of one read. The keys of several people, of any platform, are fetched in one trip. */
export async function openInvitations(
  { vault, runtime }: Opening,
  rows: readonly StoredInvitation[],
): Promise<InvitationRow[]> {
  await runtime.personKeys.loadFor(rows.flatMap((row) => [row.inviter, row.invitee_name, row.invitee]));
  return rows.map((row) => openInvitation(vault, row));
}

/** Opens one invitation. Values that named an erased person are replaced or left out. */
export function openInvitation(vault: PersonVault, stored: StoredInvitation): InvitationRow {
  const { inviter, invitee_name, invitee, ...row } = stored;
  const open = (column: 'inviter' | 'invitee_name' | 'invitee', sealed: Buffer | null) =>
    sealed === null ? undefined : vault.openKept(sealed, contextOf(column, stored));
  return {
    ...row,
    inviter_uma: row.inviter_uma ?? open('inviter', inviter) ?? ERASED_UMA,
    first_name: row.first_name ?? open('invitee_name', invitee_name) ?? null,
    invitee_uma: row.invitee_uma ?? open('invitee', invitee) ?? null,
  };
}
