export interface AcceptedCode {
  /** The time step of the code; each step can be used once (customers.md §7.5a). Undefined: it may be used again. */
  readonly step: number | undefined;
}

/** Checks the codes that authenticator apps compute from a secret (TOTP). */
export interface AuthenticatorCodesPort {
  /** Undefined: the code is wrong. `now` is the time on the app's clock. */
  check(secret: Uint8Array, code: string, now: Date): AcceptedCode | undefined;
}
