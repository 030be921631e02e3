import { matchTotpStep } from '#foundation/crypto/totp.ts';
import type { AuthenticatorCodesPort } from '#foundation/ports/authenticator-codes.ts';

/** Checks codes of authenticator apps, by RFC 6238. */
export const authenticatorCodes: AuthenticatorCodesPort = {
  check(secret, code, now) {
    const step = matchTotpStep(secret, code, now);
    return step === undefined ? undefined : { step };
  },
};
