import { FACTORS, type ScaFactor } from '#capabilities/sca/schemas.ts';
import type { Writer } from '#foundation/database/changes.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';

export type ChallengePurpose = 'LOGIN' | 'TRUST' | 'UNTRUST' | 'PAYMENT' | 'NUMBER';

/** The subject of a proof; each has at most one challenge at a time. */
export interface ChallengeSubject {
  readonly customerId: CustomerId;
  readonly purpose: ChallengePurpose;
  /** The bare UUID of the customer (LOGIN, NUMBER), the external account (TRUST, UNTRUST) or the transaction (PAYMENT). */
  readonly target: string;
}

export interface Challenge extends ChallengeSubject {
  readonly id: Id<'ScaChallenge'>;
  readonly label: string | null;
  readonly factor: ScaFactor;
  /** For SMS_OTP. */
  readonly codeHash: Buffer | null;
  /** For PASSKEY. */
  readonly webauthnChallenge: Buffer | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly wrongTries: number;
  readonly calls: readonly Date[];
  readonly resends: number;
  readonly resentAt: Date | null;
  readonly voidedAt: Date | null;
}

/** The content of the message; sealed. */
export interface CodeMessage {
  readonly code: string;
  /** The purpose of the code: `to pay 25.00 EUR to …`. */
  readonly about: string;
}

interface NewChallenge {
  readonly platformId: PlatformId;
  readonly challenge: Challenge;
  readonly message: Buffer | null;
}

/** Stores a challenge in this transaction's or change's commit and replaces the previous one. */
export function storeChallenge(changes: Changes, challenge: Challenge, message?: CodeMessage): void {
  const { platformId, runtime } = changes;
  const { id, customerId } = challenge;
  const sealed = message ? runtime.vault.sealFor([customerId], JSON.stringify(message), contextOf(id)) : null;
  changes.collect(CHALLENGES, { platformId, challenge, message: sealed });
}

const CHALLENGES: Writer<NewChallenge> = {
  name: 'sca challenges',
  stage: 'rows',
  exclusive: ({ platformId, challenge: { purpose, target } }) => [`${platformId} sca ${purpose} ${target}`],
  write: (items) =>
    items.map(
      ({ platformId, challenge: c, message }) => sql`
        insert into sca_challenges
          (platform_id, id, customer_id, purpose, target, label, factor, code_hash, code, webauthn_challenge, created_at,
           expires_at, wrong_tries, calls, resends, resent_at)
        values (${platformId}, ${c.id}, ${c.customerId}, ${c.purpose}, ${c.target}, ${c.label}, ${c.factor},
                ${c.codeHash}, ${message}, ${c.webauthnChallenge}, ${c.createdAt}, ${c.expiresAt}, ${c.wrongTries},
                ${c.calls.map((at) => at.toISOString())}::timestamptz[], ${c.resends}, ${c.resentAt})
        on conflict (platform_id, purpose, target) do update
           set id = excluded.id, customer_id = excluded.customer_id, label = excluded.label, factor = excluded.factor,
               code_hash = excluded.code_hash, code = excluded.code, webauthn_challenge = excluded.webauthn_challenge,
               created_at = excluded.created_at, expires_at = excluded.expires_at,
               wrong_tries = excluded.wrong_tries, calls = excluded.calls, resends = excluded.resends,
               resent_at = excluded.resent_at, voided_at = null`,
    ),
};

const COLUMNS = sql`id, customer_id, purpose, target, label, factor, code_hash, webauthn_challenge, created_at, expires_at,
  wrong_tries, calls, resends, resent_at, voided_at`;

interface ChallengeRow {
  id: Id<'ScaChallenge'>;
  customer_id: CustomerId;
  purpose: ChallengePurpose;
  target: string;
  label: string | null;
  factor: ScaFactor;
  code_hash: Buffer | null;
  webauthn_challenge: Buffer | null;
  created_at: Date;
  expires_at: Date;
  wrong_tries: number;
  calls: Date[];
  resends: number;
  resent_at: Date | null;
  voided_at: Date | null;
}

type Place = Pick<ChallengeSubject, 'purpose' | 'target'>;

/** Finds the latest challenge, even if it has expired or was voided. Undefined: none, or it was answered. */
export async function findChallenge(tx: ReadTx, place: Place): Promise<Challenge | undefined> {
  return readChallenge(tx, place, sql``);
}

/** Finds and locks it until the end of the transaction. */
export async function lockChallenge(tx: Tx, place: Place): Promise<Challenge | undefined> {
  return readChallenge(tx, place, sql`for update`);
}

async function readChallenge(
  tx: ReadTx,
  { purpose, target }: Place,
  lock: Sql,
): Promise<Challenge | undefined> {
  const [row] = await tx.query<ChallengeRow>(sql`
    select ${COLUMNS} from sca_challenges
     where platform_id = ${tx.platformId} and purpose = ${purpose} and target = ${target} ${lock}`);
  return row && challengeOf(row);
}

function challengeOf(row: ChallengeRow): Challenge {
  return {
    id: row.id,
    customerId: row.customer_id,
    purpose: row.purpose,
    target: row.target,
    label: row.label,
    factor: row.factor,
    codeHash: row.code_hash,
    webauthnChallenge: row.webauthn_challenge,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    wrongTries: row.wrong_tries,
    calls: row.calls,
    resends: row.resends,
    resentAt: row.resent_at,
    voidedAt: row.voided_at,
  };
}

/** Finds a challenge by id, with the message that contains its code; null once it need not be sent again. */
export async function findCodeToSend(
  tx: ReadTx,
  id: Id<'ScaChallenge'>,
): Promise<{ challenge: Challenge; message: CodeMessage | null } | undefined> {
  const [row] = await tx.query<ChallengeRow & { code: Buffer | null }>(sql`
    select ${COLUMNS}, code from sca_challenges where platform_id = ${tx.platformId} and id = ${id}`);
  if (!row) return undefined;
  const text = row.code && tx.vault.openText(row.code, contextOf(id));
  return {
    challenge: challengeOf(row),
    message: text === null ? null : (JSON.parse(text) as CodeMessage),
  };
}

/** After sending, only the hash of the code is needed. A payment's code is kept, because it may be sent again. */
export async function clearCode(tx: Tx, id: Id<'ScaChallenge'>): Promise<void> {
  await tx.sql`
    update sca_challenges set code = null
     where platform_id = ${tx.platformId} and id = ${id} and purpose <> 'PAYMENT'`;
}

/** Deletes an answered challenge, so that it counts once. */
export async function deleteChallenge(tx: Tx, { id }: Pick<Challenge, 'id'>): Promise<void> {
  await tx.sql`delete from sca_challenges where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Drops the open challenges of these purposes for the same target. */
export async function dropChallenges(
  tx: Tx,
  target: string,
  purposes: readonly ChallengePurpose[],
): Promise<void> {
  await tx.sql`
    delete from sca_challenges
     where platform_id = ${tx.platformId} and purpose = any(${purposes}::text[]) and target = ${target}`;
}

export async function recordWrongTry(tx: Tx, { id }: Pick<Challenge, 'id'>): Promise<void> {
  await tx.sql`
    update sca_challenges set wrong_tries = wrong_tries + 1 where platform_id = ${tx.platformId} and id = ${id}`;
}

export async function setCalls(tx: Tx, { id }: Pick<Challenge, 'id'>, calls: readonly Date[]): Promise<void> {
  await tx.sql`
    update sca_challenges set calls = ${calls.map((at) => at.toISOString())}::timestamptz[]
     where platform_id = ${tx.platformId} and id = ${id}`;
}

export async function recordResend(tx: Tx, { id }: Pick<Challenge, 'id'>): Promise<void> {
  await tx.sql`
    update sca_challenges set resends = resends + 1, resent_at = ${tx.now}
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** Voids a customer's open challenges, of one factor or all, or a single challenge. Returns the voided ones. */
export async function markVoided(
  tx: Tx,
  which:
    | { readonly customerId: CustomerId; readonly factor?: ScaFactor | undefined }
    | { readonly id: Id<'ScaChallenge'> },
): Promise<ChallengeSubject[]> {
  const condition =
    'id' in which
      ? sql`id = ${which.id}`
      : sql`customer_id = ${which.customerId} and factor = any(${which.factor ? [which.factor] : FACTORS})`;
  const rows = await tx.query<Pick<ChallengeRow, 'customer_id' | 'purpose' | 'target'>>(sql`
    update sca_challenges set voided_at = ${tx.now}, code = null
     where platform_id = ${tx.platformId} and ${condition} and voided_at is null and expires_at > ${tx.now}
    returning customer_id, purpose, target`);
  return rows.map(({ customer_id: customerId, purpose, target }) => ({ customerId, purpose, target }));
}

/** Deletes challenges a day after they ended. */
export function purgeChallenges(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`expires_at < ${tx.now}::timestamptz - interval '1 day'`;
  return purgeRows(tx, 'sca_challenges', isOld, rowsMax);
}

function contextOf(id: string): string {
  return `sca_challenges.code:${id}`;
}
