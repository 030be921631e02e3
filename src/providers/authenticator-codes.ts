import { matchTotpStep } from '#crypto/totp.ts';
import type { AuthenticatorCodesPort } from '#ports/authenticator-codes.ts';

/** Codes as apps make them, by RFC 6238. */
export const authenticatorCodes: AuthenticatorCodesPort = {
  check(secret, code, now) {
    const step = matchTotpStep(secret, code, now);
    return step === undefined ? undefined : { step };
  },
};
