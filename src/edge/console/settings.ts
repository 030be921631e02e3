import type { IssuerOfOperators } from '#capabilities/operators/issuer-settings.ts';

/** How the console is served (operator.md §3.6). */
export interface ConsoleSettings {
  /** Its own address, without a trailing slash: it answers there only, and nothing else does. Unset: the service's. */
  readonly url?: string | undefined;
  /** Whether it answers over plain http. */
  readonly takesPlainHttp: boolean;
  /** Where operators sign in (operator.md §1.3a). Unset: here, with passkeys. */
  readonly issuer?: IssuerOfOperators | undefined;
}

/** The parts of the app that all of the console needs. */
export interface ConsoleParts {
  /** Undefined: there is no console. */
  readonly consoleSettings: ConsoleSettings | undefined;
  /** The URL at which clients reach the service. */
  publicUrl(): string;
}

/** Where people reach the console, without a trailing slash. */
export function consoleUrl({ consoleSettings, publicUrl }: ConsoleParts): string {
  return `${consoleSettings?.url ?? publicUrl()}/console`;
}
