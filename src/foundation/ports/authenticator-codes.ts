/** A code that is right. */
export interface AcceptedCode {
  /** The time step that it belongs to, of which each counts once (customers.md §7.5a); undefined: it may be used again. */
  readonly step: number | undefined;
}

/** Judges the codes that authenticator apps make of a secret (TOTP). */
export interface AuthenticatorCodesPort {
  /** Undefined: the code is wrong. `now` is the time by which the app's clock goes. */
  check(secret: Uint8Array, code: string, now: Date): AcceptedCode | undefined;
}
