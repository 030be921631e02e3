import type { ErasedCustomer } from '#capabilities/customers/announcements.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { openKeptPerson, type StoredCustomer } from '#capabilities/customers/sealed-customer.ts';
import type { Claim, InvitationRow } from '#capabilities/invitations/invitation-row.ts';
import {
  openInvitation,
  openInvitations,
  openOne,
  type StoredInvitation,
  sealInvitation,
  sealInvitee,
} from '#capabilities/invitations/sealed-invitation.ts';
import { PLATFORM_COLUMNS, type PlatformRow, toPlatform } from '#foundation/database/platforms.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Runtime, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import { CODE_KINDS, hasForm } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { notFound, type Refusal } from '#foundation/lib/refusals.ts';

/** platform.md §5. An invitation expires without a write: the status follows from the time. */
export const INVITATION_CHANGES = {
  created: { from: ['new'], to: 'PENDING' },
  claimed: { from: ['PENDING'], to: 'CLAIMED' },
  cancelled: { from: ['PENDING'], to: 'CANCELLED' },
  expired: { from: ['PENDING'], to: 'EXPIRED' },
} as const;

/** An invitation with the inviter's platform, whose clock, currencies and webhooks count. */
export interface Invitation {
  readonly row: InvitationRow;
  readonly platform: Platform;
}

const NAMES: readonly (keyof StoredInvitation)[] = [
  'platform_id',
  'code',
  'customer_id',
  'inviter_uma',
  'inviter',
  'first_name',
  'invitee_name',
  'amount',
  'currency',
  'status',
  'created_at',
  'expires_at',
  'claimed_at',
  'invitee_uma',
  'invitee',
  'claimant_platform_id',
  'claimant_customer_id',
];
const columnsOf = (alias: 'i' | 't') => rawSql(NAMES.map((name) => `${alias}.${name}`).join(', '));
const COLUMNS = columnsOf('i');
/** The key of an invitation is text. Lists break ties by a UUID that follows from it, and has an index. */
const LIST_KEY = sql`md5(i.code)::uuid`;

/** No code with a dash or a space after each character is longer; longer input is not normalised. */
const SPELLING_MAX = 40;

/** Accepts a code as people copy and dictate it: Crockford's alphabet has no I, L or O, which look like 1 and 0. */
export function normaliseCode(spelled: string): string {
  if (spelled.length > SPELLING_MAX) return spelled;
  return spelled.toLowerCase().replace(/[- ]/g, '').replace(/[il]/g, '1').replace(/o/g, '0');
}

/** An invitation with the further data that its page shows (platform.md §5.2b). */
export interface InvitationSnapshot extends Invitation {
  readonly inviter: Pick<CustomerRow, 'customer_type' | 'profile'>;
  /** The platform's name for its app, if set. */
  readonly appName: string | null;
  /** The platform's own UMA domain, if it has one. */
  readonly umaDomain: string | null;
}

/**
 * Searches across platforms and environments, because the page's visitor has only the code. Invitations of a disabled
 * platform are not found, like its other links.
 */
export async function findInvitationSnapshot(
  { database, vault, personKeys }: Pick<Runtime, 'database' | 'vault' | 'personKeys'>,
  spelled: string,
): Promise<InvitationSnapshot | undefined> {
  const code = normaliseCode(spelled);
  if (!hasForm(code, CODE_KINDS.INVITATION.form)) return undefined;
  const [found] = await database.lookUp<StoredInvitation & PlatformRow & InvitationPageRow>(sql`
    select ${COLUMNS}, ${PLATFORM_COLUMNS}, c.customer_type, c.profile, c.person, f.uma_domain,
           f.embedded_wallet_config ->> 'appName' as app_name
      from invitations i
      join platforms p on p.id = i.platform_id
      join customers c on c.platform_id = i.platform_id and c.id = i.customer_id
      left join platform_configs f on f.platform_id = i.platform_id
     where i.code = ${code} and p.disabled_at is null`);
  if (!found) return undefined;
  const { customer_id: id, customer_type, person } = found;
  await personKeys.loadFor([person, found.inviter, found.invitee_name, found.invitee]);
  const profile = person === null ? found.profile : openKeptPerson(vault, { id, person })?.profile;
  return {
    row: openInvitation(vault, found),
    platform: toPlatform(found),
    inviter: { customer_type, profile: profile ?? {} },
    appName: found.app_name,
    umaDomain: found.uma_domain,
  };
}

interface InvitationPageRow extends Pick<StoredCustomer, 'customer_type' | 'profile' | 'person'> {
  readonly uma_domain: string | null;
  readonly app_name: string | null;
}

/** Searches all platforms of the caller's environment: any of them may read and claim it (platform.md §5.3). */
export function loadInvitation(tx: ReadTx, code: string): Promise<Invitation> {
  return loadWithin(tx, code, sql``);
}

/** Loads and locks it until the transaction ends, so that concurrent claims and cancellations are serialized. */
export function lockInvitation(tx: Tx, code: string): Promise<Invitation> {
  return loadWithin(tx, code, sql`for no key update of i`);
}

async function loadWithin(tx: ReadTx, spelled: string, lock: Sql): Promise<Invitation> {
  const code = normaliseCode(spelled);
  if (!hasForm(code, CODE_KINDS.INVITATION.form)) throw invitationNotFound();
  const [found] = await tx.query<StoredInvitation & PlatformRow>(sql`
    select ${COLUMNS}, ${PLATFORM_COLUMNS}
      from invitations i join platforms p on p.id = i.platform_id
     where i.code = ${code} and p.disabled_at is null and p.environment = ${tx.platform.environment} ${lock}`);
  if (!found) throw invitationNotFound();
  return { row: await openOne(tx, found), platform: toPlatform(found) };
}

export function invitationNotFound(): Refusal {
  return notFound('INVITATION_NOT_FOUND', 'invitation');
}

export type NewInvitation = Pick<
  InvitationRow,
  'code' | 'customer_id' | 'inviter_uma' | 'first_name' | 'amount' | 'currency' | 'expires_at'
>;

/** Undefined if an invitation of any platform already has the code. */
export async function insertInvitation(tx: Tx, made: NewInvitation): Promise<InvitationRow | undefined> {
  const { inviter, invitee_name } = sealInvitation(tx.vault, { platform_id: tx.platformId, ...made });
  const [row] = await tx.sql<StoredInvitation>`
    insert into invitations as i (
      platform_id, code, customer_id, inviter, invitee_name, amount, currency, status, created_at, expires_at)
    values (${tx.platformId}, ${made.code}, ${made.customer_id}, ${inviter}, ${invitee_name},
            ${made.amount}, ${made.currency}, ${INVITATION_CHANGES.created.to}, ${tx.now}, ${made.expires_at})
    on conflict (code) do nothing
    returning ${COLUMNS}`;
  return row && openOne(tx, row);
}

/** Writes a row that may belong to another platform; the caller has locked it. */
export async function markClaimed(
  tx: Tx,
  invitation: InvitationRow,
  claim: Claim,
): Promise<InvitationRow | undefined> {
  const { claimed } = INVITATION_CHANGES;
  const { platform_id, code } = invitation;
  const [row] = await tx.sql<StoredInvitation>`
    update invitations i
       set status = ${claimed.to}, claimed_at = ${claim.at}, invitee = ${await sealInvitee(tx, invitation, claim)},
           claimant_platform_id = ${tx.platformId}, claimant_customer_id = ${claim.customerId ?? null}
     where i.platform_id = ${platform_id} and i.code = ${code} and i.status = any(${claimed.from})
    returning ${COLUMNS}`;
  return row && openOne(tx, row);
}

export async function markCancelled(tx: Tx, code: string): Promise<InvitationRow | undefined> {
  const { cancelled } = INVITATION_CHANGES;
  const [row] = await tx.sql<StoredInvitation>`
    update invitations i set status = ${cancelled.to}
     where i.platform_id = ${tx.platformId} and i.code = ${code} and i.status = any(${cancelled.from})
    returning ${COLUMNS}`;
  return row && openOne(tx, row);
}

/** Called when the inviter is deleted; expired invitations stay expired. */
export async function cancelCustomerInvitations(tx: Tx, customerId: string): Promise<void> {
  const { cancelled } = INVITATION_CHANGES;
  await tx.sql`
    update invitations set status = ${cancelled.to}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and status = any(${cancelled.from})
       and (expires_at is null or expires_at > ${tx.now})`;
}

/**
 * Erases a customer as inviter and as invitee. As invitee across platforms: the customer's platform claimed the
 * invitation, but another platform may have created it.
 */
export async function eraseFromInvitations(
  tx: Tx,
  { customer: { id }, umaAddress }: ErasedCustomer,
): Promise<void> {
  await tx.sql`
    update invitations set inviter_uma = ${umaAddress}, inviter = null, first_name = null, invitee_name = null
     where platform_id = ${tx.platformId} and customer_id = ${id}`;
  await tx.sql`
    update invitations set invitee_uma = ${umaAddress}, invitee = null, first_name = null, invitee_name = null
     where claimant_platform_id = ${tx.platformId} and claimant_customer_id = ${id}`;
}

export async function findOwnInvitation(tx: ReadTx, spelled: string): Promise<InvitationRow | undefined> {
  const code = normaliseCode(spelled);
  const [row] = await tx.sql<StoredInvitation>`
    select ${COLUMNS} from invitations i where i.platform_id = ${tx.platformId} and i.code = ${code}`;
  return row && openOne(tx, row);
}

export interface InvitationFilters {
  readonly customerId?: CustomerId | undefined;
  /** As it is shown at this moment. */
  readonly status?: InvitationRow['status'] | 'EXPIRED' | undefined;
}

/** Lists the invitations that this platform created, newest first. */
export async function listInvitations<Item>(
  tx: ReadTx,
  request: PageRequest,
  { customerId, status }: InvitationFilters,
  present: (row: InvitationRow) => Item,
): Promise<Page<Item>> {
  const from = sql`(select ${COLUMNS}, ${LIST_KEY} as id from invitations i) t`;
  const where = [
    sql`t.platform_id = ${tx.platformId}`,
    ...(customerId === undefined ? [] : [sql`t.customer_id = ${customerId}`]),
    ...(status === undefined ? [] : [statusCondition(tx, status)]),
  ];
  const query = { columns: sql`${columnsOf('t')}, t.id`, from, where };
  const page = await keysetPage(tx, request, query, (row: StoredInvitation & { id: string }) => row);
  return { ...page, data: (await openInvitations(tx, page.data)).map(present) };
}

/** The status as presented: a pending invitation expires without a write. */
function statusCondition({ now }: ReadTx, status: NonNullable<InvitationFilters['status']>): Sql {
  if (status === 'PENDING')
    return sql`t.status = 'PENDING' and (t.expires_at is null or t.expires_at > ${now})`;
  if (status === 'EXPIRED') return sql`t.status = 'PENDING' and t.expires_at <= ${now}`;
  return sql`t.status = ${status}`;
}

/** Invitations expire without a job: readers compare the time. Their key is text, so the list derives a UUID from it. */
export const invitationExpiries: DueSource = rowsDue<{ customer_id: string }>({
  name: 'invitation',
  ...{ from: sql`invitations t`, at: sql`t.expires_at`, columns: sql`t.customer_id` },
  id: sql`md5(t.code)::uuid`,
  where: sql`t.status = 'PENDING' and t.expires_at is not null`,
  tell({ customer_id }) {
    const resourceId = publicId('Customer', customer_id);
    return { resourceId, sentence: `An invitation from ${resourceId} expires, unless it is claimed first.` };
  },
});
