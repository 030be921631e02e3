import type { ChallengeMethod } from '#capabilities/external-accounts/schemas.ts';
import type { ExternalAccountRow } from '#capabilities/external-accounts/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

export interface Challenge {
  readonly id: Id<'Challenge'>;
  readonly account_id: ExternalAccountId;
  readonly method: ChallengeMethod;
  readonly message: Buffer | null;
  readonly expires_at: Date;
  readonly closed_at: Date | null;
}

/** The caller has locked the account's row, so challenges of one account are created one after the other. */
export async function insertChallenge(
  tx: Tx,
  challenge: {
    readonly id: Id<'Challenge'>;
    readonly account: Pick<ExternalAccountRow, 'id' | 'customer_id'>;
    readonly method: ChallengeMethod;
    readonly message?: string;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { id, account, method, message, expiresAt } = challenge;
  const people = account.customer_id === null ? [] : [account.customer_id];
  const sealed = message === undefined ? null : tx.vault.sealFor(people, message, messageContext(id));
  await tx.sql`
    insert into ownership_challenges (platform_id, id, account_id, method, message, created_at, expires_at)
    values (${tx.platformId}, ${id}, ${account.id}, ${method}, ${sealed}, ${tx.now}, ${expiresAt})`;
}

export async function findOpenChallenge(
  tx: ReadTx,
  accountId: ExternalAccountId,
): Promise<Challenge | undefined> {
  const [row] = await tx.sql<Challenge>`
    select id, account_id, method, message, expires_at, closed_at from ownership_challenges
     where platform_id = ${tx.platformId} and account_id = ${accountId} and closed_at is null`;
  return row;
}

export async function findChallenge(tx: ReadTx, id: Id<'Challenge'>): Promise<Challenge | undefined> {
  const [row] = await tx.sql<Challenge>`
    select id, account_id, method, message, expires_at, closed_at from ownership_challenges
     where platform_id = ${tx.platformId} and id = ${id}`;
  return row;
}

export async function closeChallenges(tx: Tx, accountId: ExternalAccountId): Promise<void> {
  await tx.sql`
    update ownership_challenges set closed_at = ${tx.now}
     where platform_id = ${tx.platformId} and account_id = ${accountId} and closed_at is null`;
}

export function openMessage(tx: ReadTx, challenge: Challenge): string {
  return tx.vault.openText(challenge.message ?? Buffer.alloc(0), messageContext(challenge.id));
}

function messageContext(id: Id<'Challenge'>): string {
  return `ownership_challenges.message:${id}`;
}
