import type { CredentialType } from '#capabilities/wallet-auth/schemas.ts';
import { openSessionNickname, sealSessionNickname } from '#capabilities/wallet-auth/sealed-credential.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { SigningSession } from '#foundation/http/signed/signed-retry.ts';

export interface SessionRow {
  id: Id<'Session'>;
  account_id: AccountId;
  customer_id: CustomerId;
  credential_id: CredentialId;
  type: CredentialType;
  nickname: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

const COLUMNS = sql`s.id, s.account_id, a.customer_id, s.credential_id, s.type, s.nickname, s.nickname_sealed, s.created_at,
  s.expires_at, s.revoked_at`;
const FROM = sql`wallet_sessions s
  join internal_accounts a on a.platform_id = s.platform_id and a.id = s.account_id and a.withdrawn_at is null`;

/** A session as it is stored: its nickname is sealed. Rows of an earlier version have it in clear text. */
type StoredSession = Omit<SessionRow, 'nickname'> & {
  readonly nickname: string | null;
  readonly nickname_sealed: Buffer | null;
};

function openSession(
  { vault }: ReadTx,
  { nickname, nickname_sealed: sealed, ...row }: StoredSession,
): SessionRow {
  const opened = sealed === null ? nickname : openSessionNickname(vault, row.credential_id, sealed);
  return { ...row, nickname: opened ?? '' };
}

/** wallets.md §2. */
export function isActive({ expires_at, revoked_at }: SessionRow, now: Date): boolean {
  return revoked_at === null && now < expires_at;
}

/** How long an ended session can still be found (wallets.md §6.7.41). */
const KEPT = sql`interval '30 days'`;

export async function findSession(tx: ReadTx, id: Id<'Session'>): Promise<SessionRow | undefined> {
  const [row] = await tx.query<StoredSession>(sql`
    select ${COLUMNS} from ${FROM}
     where s.platform_id = ${tx.platformId} and s.id = ${id}
       and coalesce(s.revoked_at, s.expires_at) >= ${tx.now}::timestamptz - ${KEPT}`);
  return row && openSession(tx, row);
}

export function purgeSessions(tx: Tx, rowsMax: number): Promise<number> {
  return purgeRows(tx, 'wallet_sessions', sql`expires_at < ${tx.now}::timestamptz - ${KEPT}`, rowsMax);
}

/** Lists the oldest first. All belong to one person. */
export async function listActiveSessions(tx: ReadTx, accountId: AccountId): Promise<SessionRow[]> {
  const rows = await tx.query<StoredSession>(sql`
    select ${COLUMNS} from ${FROM}
     where s.platform_id = ${tx.platformId} and s.account_id = ${accountId}
       and s.revoked_at is null and s.expires_at > ${tx.now}
     order by s.created_at, s.id`);
  return rows.map((row) => openSession(tx, row));
}

export interface NewSession {
  readonly id: Id<'Session'>;
  readonly accountId: AccountId;
  readonly customerId: CustomerId;
  readonly credentialId: CredentialId;
  readonly type: CredentialType;
  readonly nickname: string;
  readonly publicKeys: readonly string[];
  readonly expiresAt: Date;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<SessionRow> {
  const { customerId, credentialId } = session;
  const nickname = sealSessionNickname(tx.vault, customerId, credentialId, session.nickname);
  await tx.sql`
    insert into wallet_sessions
      (platform_id, id, account_id, credential_id, type, nickname_sealed, public_keys, created_at, expires_at)
    values (${tx.platformId}, ${session.id}, ${session.accountId}, ${credentialId}, ${session.type},
            ${nickname}, ${session.publicKeys}, ${tx.now}, ${session.expiresAt})`;
  return (await findSession(tx, session.id)) as SessionRow;
}

/** False if it had already ended. */
export async function revokeSession(tx: Tx, id: Id<'Session'>): Promise<boolean> {
  const rows = await tx.sql`
    update wallet_sessions set revoked_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id} and revoked_at is null and expires_at > ${tx.now}
    returning 1`;
  return rows.length > 0;
}

export async function revokeCredentialSessions(
  tx: Tx,
  credentialId: CredentialId,
  accountId: AccountId,
): Promise<void> {
  await tx.sql`
    update wallet_sessions set revoked_at = ${tx.now}
     where platform_id = ${tx.platformId} and account_id = ${accountId} and credential_id = ${credentialId}
       and revoked_at is null and expires_at > ${tx.now}`;
}

export async function revokeSessionsOfAccounts(tx: Tx, accountIds: readonly AccountId[]): Promise<void> {
  await tx.sql`
    update wallet_sessions set revoked_at = ${tx.now}
     where platform_id = ${tx.platformId} and account_id = any(${accountIds}::uuid[])
       and revoked_at is null and expires_at > ${tx.now}`;
}

/** wallets.md §6.7.42: one key may sign for several sessions of a wallet, and never for another wallet. */
export async function findSigners(
  tx: ReadTx,
  wallets: readonly string[],
  publicKey: string,
): Promise<SigningSession[]> {
  return tx.sql<SigningSession>`
    select id, account_id as "accountId", credential_id as "credentialId"
      from wallet_signers(${tx.platformId}, ${wallets}::uuid[], ${publicKey}, ${tx.now})`;
}
