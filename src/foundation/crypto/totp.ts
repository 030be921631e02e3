import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The parameters that every authenticator app supports (customers.md §7.4). */
const ALGORITHM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** The number of steps before and after the present one that count too. */
const STEPS_AROUND = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

export function totpSecretBase32(secret: Uint8Array): string {
  return readSecret(secret).base32;
}

/** `otpauth://totp/Acme:ada@example.com?secret=…&issuer=Acme`, which an app reads from a QR code. */
export function totpUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account).replaceAll('%40', '@')}`;
  return `otpauth://totp/${label}?secret=${totpSecretBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

/** Finds the time step that the code belongs to, the nearest one first; undefined: the code is not valid now. */
export function matchTotpStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  // The library throws for six characters that are more than six bytes.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const timestamp = now.getTime();
  const offset = TOTP.validate({
    ...ALGORITHM,
    secret: readSecret(secret),
    token: code,
    timestamp,
    window: STEPS_AROUND,
  });
  return offset === null ? undefined : TOTP.counter({ period: ALGORITHM.period, timestamp }) + offset;
}

function readSecret(secret: Uint8Array): Secret {
  return new Secret({ buffer: new Uint8Array(secret).buffer });
}
