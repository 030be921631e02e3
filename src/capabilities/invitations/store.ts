import type { ErasedCustomer } from '#capabilities/customers/announcements.ts';
import type { CustomerRow } from '#capabilities/customers/store.ts';
import type { Run } from '#foundation/database/database.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { notFound, type Refusal } from '#foundation/lib/refusals.ts';

/** One row of `invitations`. */
export interface InvitationRow {
  platform_id: string;
  code: string;
  customer_id: string;
  inviter_uma: string;
  first_name: string | null;
  amount: bigint | null;
  currency: string | null;
  /** As it was left: whether a `PENDING` one has expired depends on the time (present.ts). */
  status: 'PENDING' | 'CLAIMED' | 'CANCELLED';
  created_at: Date;
  expires_at: Date | null;
  claimed_at: Date | null;
  invitee_uma: string | null;
  claimant_platform_id: string | null;
  claimant_customer_id: string | null;
}

/** An invitation, and the inviter's platform: its clock, currencies and webhooks are the ones that count. */
export interface Invitation {
  readonly row: InvitationRow;
  readonly platform: Platform;
}

const COLUMNS = sql`i.platform_id, i.code, i.customer_id, i.inviter_uma, i.first_name, i.amount, i.currency, i.status,
  i.created_at, i.expires_at, i.claimed_at, i.invitee_uma, i.claimant_platform_id, i.claimant_customer_id`;

const CODE = /^[0-9a-hjkmnp-tv-z]{10}$/;
/** A code with a dash or a space behind each character is no longer than this; nothing else is looked at. */
const SPELLING_MAX = 40;

/** A code as people copy and dictate it: the alphabet of Crockford has no I, L or O, since they are read as 1 and 0. */
export function normaliseCode(spelled: string): string {
  if (spelled.length > SPELLING_MAX) return spelled;
  return spelled.toLowerCase().replace(/[- ]/g, '').replace(/[il]/g, '1').replace(/o/g, '0');
}

/** What the page of an invitation shows beside it (platform.md §5.2b). */
export interface ShownInvitation extends Invitation {
  readonly inviter: Pick<CustomerRow, 'customer_type' | 'profile'>;
  /** What the platform calls its app, if it says. */
  readonly appName: string | null;
  /** The platform's own domain of UMA addresses, if it has one. */
  readonly umaDomain: string | null;
}

/**
 * Across platforms and environments: the code is all that a visitor of the page has. While a platform is disabled, its
 * invitations are not found, like its other links.
 */
export async function findShownInvitation(run: Run, spelled: string): Promise<ShownInvitation | undefined> {
  const code = normaliseCode(spelled);
  if (!CODE.test(code)) return undefined;
  const [found] = await run<InvitationRow & PlatformRow & ShownRow>(sql`
    select ${COLUMNS}, ${PLATFORM_COLUMNS}, c.customer_type, c.profile, f.uma_domain,
           f.embedded_wallet_config ->> 'appName' as app_name
      from invitations i
      join platforms p on p.id = i.platform_id
      join customers c on c.platform_id = i.platform_id and c.id = i.customer_id
      left join platform_configs f on f.platform_id = i.platform_id
     where i.code = ${code} and p.disabled_at is null`);
  return (
    found && {
      row: found,
      platform: toPlatform(found),
      inviter: found,
      appName: found.app_name,
      umaDomain: found.uma_domain,
    }
  );
}

interface ShownRow extends Pick<CustomerRow, 'customer_type' | 'profile'> {
  readonly uma_domain: string | null;
  readonly app_name: string | null;
}

/** Across the platforms of the caller's environment: any of them may read and claim it (platform.md §5.3). */
export function loadInvitation(tx: ReadTx, code: string): Promise<Invitation> {
  return loadWithin(tx, code, sql``);
}

/** The same, locked until the transaction ends: of two that want to claim or cancel it, the second waits. */
export function lockInvitation(tx: Tx, code: string): Promise<Invitation> {
  return loadWithin(tx, code, sql`for no key update of i`);
}

async function loadWithin(tx: ReadTx, spelled: string, lock: Sql): Promise<Invitation> {
  const code = normaliseCode(spelled);
  if (!CODE.test(code)) throw invitationNotFound();
  const [found] = await tx.query<InvitationRow & PlatformRow>(sql`
    select ${COLUMNS}, ${PLATFORM_COLUMNS}
      from invitations i join platforms p on p.id = i.platform_id
     where i.code = ${code} and p.disabled_at is null and p.environment = ${tx.platform.environment} ${lock}`);
  if (!found) throw invitationNotFound();
  return { row: found, platform: toPlatform(found) };
}

export function invitationNotFound(): Refusal {
  return notFound('INVITATION_NOT_FOUND', 'invitation');
}

export type NewInvitation = Pick<
  InvitationRow,
  'code' | 'customer_id' | 'inviter_uma' | 'first_name' | 'amount' | 'currency' | 'expires_at'
>;

/** Undefined where another invitation, of whichever platform, has the code. */
export async function insertInvitation(tx: Tx, made: NewInvitation): Promise<InvitationRow | undefined> {
  const [row] = await tx.sql<InvitationRow>`
    insert into invitations as i (
      platform_id, code, customer_id, inviter_uma, first_name, amount, currency, status, created_at, expires_at)
    values (${tx.platformId}, ${made.code}, ${made.customer_id}, ${made.inviter_uma}, ${made.first_name},
            ${made.amount}, ${made.currency}, 'PENDING', ${tx.now}, ${made.expires_at})
    on conflict (code) do nothing
    returning ${COLUMNS}`;
  return row;
}

export interface Claim {
  /** By the clock of the inviter's platform. */
  readonly at: Date;
  readonly inviteeUma: string;
  /** The customer of the claiming platform that has this address, if there is one. */
  readonly customerId: string | undefined;
}

/** Writes a row that may be another platform's; it must be locked. */
export async function markClaimed(
  tx: Tx,
  { platform_id, code }: InvitationRow,
  claim: Claim,
): Promise<InvitationRow | undefined> {
  const [row] = await tx.sql<InvitationRow>`
    update invitations i
       set status = 'CLAIMED', claimed_at = ${claim.at}, invitee_uma = ${claim.inviteeUma},
           claimant_platform_id = ${tx.platformId}, claimant_customer_id = ${claim.customerId ?? null}
     where i.platform_id = ${platform_id} and i.code = ${code} and i.status = 'PENDING'
    returning ${COLUMNS}`;
  return row;
}

export async function markCancelled(tx: Tx, code: string): Promise<InvitationRow | undefined> {
  const [row] = await tx.sql<InvitationRow>`
    update invitations i set status = 'CANCELLED'
     where i.platform_id = ${tx.platformId} and i.code = ${code} and i.status = 'PENDING'
    returning ${COLUMNS}`;
  return row;
}

/** With the deletion of the inviter; expired invitations stay expired. */
export async function cancelInvitationsOf(tx: Tx, customerId: string): Promise<void> {
  await tx.sql`
    update invitations set status = 'CANCELLED'
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and status = 'PENDING'
       and (expires_at is null or expires_at > ${tx.now})`;
}

/**
 * Erases a customer who invited, and one who was invited. The second across platforms: their own platform claimed the
 * invitation, but another one may have made it.
 */
export async function eraseFromInvitations(
  tx: Tx,
  { customer: { id }, umaAddress }: ErasedCustomer,
): Promise<void> {
  await tx.sql`
    update invitations set inviter_uma = ${umaAddress}, first_name = null
     where platform_id = ${tx.platformId} and customer_id = ${id}`;
  await tx.sql`
    update invitations set invitee_uma = ${umaAddress}, first_name = null
     where claimant_platform_id = ${tx.platformId} and claimant_customer_id = ${id}`;
}

/** For the operator: one that this platform made. */
export async function findOwnInvitation(tx: ReadTx, spelled: string): Promise<InvitationRow | undefined> {
  const code = normaliseCode(spelled);
  const [row] = await tx.sql<InvitationRow>`
    select ${COLUMNS} from invitations i where i.platform_id = ${tx.platformId} and i.code = ${code}`;
  return row;
}

/** For the operator: those that this platform made, the newest first. */
export function listInvitations(
  tx: ReadTx,
  { customerId, rowsMax }: { readonly customerId?: string | undefined; readonly rowsMax: number },
): Promise<InvitationRow[]> {
  const ofCustomer = customerId === undefined ? sql`` : sql`and i.customer_id = ${customerId}`;
  return tx.query<InvitationRow>(sql`
    select ${COLUMNS} from invitations i where i.platform_id = ${tx.platformId} ${ofCustomer}
     order by i.created_at desc, i.code desc limit ${rowsMax}`);
}
