import type { FastifyBaseLogger } from 'fastify';
import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';
import type { ConsoleSettings } from '#edge/console/settings.ts';
import type { ServiceKey } from '#foundation/crypto/service-key.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { ListedOrigin } from '#foundation/crypto/webauthn.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import type { ArrivalLimits } from '#foundation/http/serve/arrival.ts';
import type { MetricsAccess } from '#foundation/http/serve/metrics-access.ts';
import type { KeptTimes } from '#foundation/lib/kept-times.ts';
import type { SandboxReach } from '#foundation/outbound/addresses.ts';
import type { PortOptions } from './adapters.ts';

/** The settings and the I/O dependencies that a process passes to the app. */
export interface AppOptions extends PortOptions {
  readonly log: FastifyBaseLogger;
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
  readonly serviceKey: ServiceKey;
  /** For how many years the data of deleted customers is kept; unset: five. */
  readonly retentionYears?: number | undefined;
  /** For how many days the texts of banks about people are kept; unset: 3650. */
  readonly bankTextsKeptDays?: number | undefined;
  /** How long logs and events are kept. Unset: for the shortest times that the rules allow. */
  readonly kept?: KeptTimes | undefined;
  /** The operator's own end-user terms; unset: sample text. */
  readonly terms?: readonly TermsVersion[] | undefined;
  /** The URL at which clients reach the service; unset: the address it listens on. */
  readonly publicUrl?: string | undefined;
  /** The URL at which people reach the page that shows card numbers; unset: the same as for clients. */
  readonly revealUrl?: string | undefined;
  /** How the console is served; unset: there is none. */
  readonly consoleSettings?: ConsoleSettings | undefined;
  /** Addresses and networks of the proxies in front of the service; unset: none. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Limits on how requests arrive; unset: those of platform.md §10.5. */
  readonly arrival?: ArrivalLimits | undefined;
  /** Which addresses sandbox webhooks may be sent to; unset: any, a developer's own network included. */
  readonly sandboxReach?: SandboxReach | undefined;
  /** Passkey origins that are not web pages; unset: none. */
  readonly passkeyOrigins?: readonly ListedOrigin[] | undefined;
  /** Restricts who may read the metrics on the API's port; unset: any caller may. */
  readonly metricsAccess?: MetricsAccess | undefined;
}
