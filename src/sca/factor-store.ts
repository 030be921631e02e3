import type { RegisteredPasskey } from '#crypto/webauthn.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import type { ScaFactor } from '#sca/schemas.ts';

/** What a customer can prove itself by at one moment, and whether it has logged in. */
export interface Authentication {
  readonly customerId: string;
  /** Where codes go to; null: the phone number is not verified. */
  readonly phoneNumber: string | null;
  readonly hasTotp: boolean;
  readonly passkey: RegisteredPasskey | null;
  /** The factor of the latest live session; null: none. */
  readonly sessionFactor: ScaFactor | null;
}

interface AuthenticationRow {
  phone_number: string | null;
  has_totp: boolean;
  webauthn_id: Buffer | null;
  rp_id: string | null;
  cose_key: Buffer | null;
  sign_count: bigint | null;
  session_factor: ScaFactor | null;
}

/** In one statement, as of one moment. */
export async function loadAuthentication(tx: ReadTx, customerId: string): Promise<Authentication> {
  const [row] = await tx.sql<AuthenticationRow>`
    select case when c.phone_verification = 'VERIFIED' then c.phone_number end as phone_number,
           t.customer_id is not null as has_totp, p.webauthn_id, p.rp_id, p.cose_key, p.sign_count,
           (select s.factor from sca_sessions s
             where s.platform_id = c.platform_id and s.customer_id = c.id and s.revoked_at is null
               and s.expires_at > ${tx.now}
             order by s.expires_at desc, s.id desc
             limit 1) as session_factor
      from customers c
      left join sca_factors t on t.platform_id = c.platform_id and t.customer_id = c.id and t.factor = 'TOTP'
      left join sca_factors p on p.platform_id = c.platform_id and p.customer_id = c.id and p.factor = 'PASSKEY'
     where c.platform_id = ${tx.platformId} and c.id = ${customerId} and c.deleted_at is null`;
  return {
    customerId,
    phoneNumber: row?.phone_number ?? null,
    hasTotp: row?.has_totp ?? false,
    passkey: row ? passkeyOf(row) : null,
    sessionFactor: row?.session_factor ?? null,
  };
}

function passkeyOf({
  webauthn_id,
  rp_id,
  cose_key,
  sign_count,
}: AuthenticationRow): RegisteredPasskey | null {
  if (!webauthn_id || rp_id === null || !cose_key || sign_count === null) return null;
  return {
    credentialId: webauthn_id.toString('base64url'),
    rpId: rp_id,
    publicKey: cose_key,
    counter: Number(sign_count),
  };
}

/** The factors that are enrolled, in the order of the contract. */
export function factorsOf({ phoneNumber, hasTotp, passkey }: Authentication): ScaFactor[] {
  return [
    ...(phoneNumber === null ? [] : (['SMS_OTP'] as const)),
    ...(hasTotp ? (['TOTP'] as const) : []),
    ...(passkey ? (['PASSKEY'] as const) : []),
  ];
}

/** After a login or another proof with the passkey. */
export async function setSignCount(tx: Tx, customerId: string, counter: number): Promise<void> {
  await tx.sql`
    update sca_factors set sign_count = ${counter}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and factor = 'PASSKEY'`;
}
