import type { FastifyBaseLogger } from 'fastify';
import type { WorkParts } from '#capabilities/attention/kinds.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import type { PaymentDecider } from '#capabilities/payments/transactions/decide-payment.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { loadSendingTerms } from '#capabilities/platform/store.ts';
import type { UmaProvidersByEnvironment } from '#capabilities/platform/uma-providers.ts';
import type { ConsoleParts } from '#edge/console/settings.ts';
import type { RequestRecorder } from '#edge/request-log/recorder.ts';
import type { Deliverer } from '#edge/webhooks/deliverer.ts';
import type { Feed } from '#edge/webhooks/listeners/feed.ts';
import type { ListedOrigin } from '#foundation/crypto/webauthn.ts';
import type { SearchPlace } from '#foundation/database/search.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import type { ExplanationParts } from '#foundation/explanation/explain.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { HttpParts } from '#foundation/http/serve/register.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import type { Worker } from '#foundation/jobs/worker.ts';
import type { LedgerCheck } from '#foundation/ledger/checks.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { ReactionParts } from '#foundation/manifest.ts';
import type { SandboxReach } from '#foundation/outbound/addresses.ts';

/** Everything that a manifest can ask of the app, for its operations, jobs and pages. */
export interface AppParts extends ReactionParts, HttpParts, ConsoleParts, ExplanationParts, WorkParts {
  readonly names: WireNames;
  readonly runtime: Runtime;
  readonly domains: ServiceDomains;
  readonly sandboxReach: SandboxReach | undefined;
  readonly umaProviders: UmaProvidersByEnvironment;
  readonly loadSendingTerms: typeof loadSendingTerms;
  readonly policy: CustomerPolicy;
  readonly payments: PaymentParts;
  readonly transactionSources: readonly TransactionSource[];
  readonly paymentDeciders: readonly PaymentDecider[];
  readonly searchPlaces: readonly SearchPlace[];
  readonly renderers: Renderers;
  readonly decisions: Decisions;
  readonly ledgerChecks: readonly LedgerCheck[];
  readonly deliverer: Deliverer;
  readonly feed: Feed;
  readonly requestLog: RequestRecorder;
  readonly worker: Worker;
  /** For how many years the data of deleted customers is kept. */
  readonly retentionYears: number;
  /** For how many days the texts of banks about people are kept. */
  readonly bankTextsKeptDays: number;
  /** The operator's setting: passkey origins that are not web pages. */
  readonly passkeyOrigins: readonly ListedOrigin[];
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** The URL at which clients reach the service. */
  publicUrl(): string;
  /** The URL at which people reach the page that shows card numbers. */
  revealUrl(): string;
  operations(): readonly NamedOperation[];
  operatorOperations(): readonly NamedOperation[];
  /** The OpenAPI document of the operators' operations. */
  describeOperators(): Record<string, unknown>;
  /** What happens on a platform's clock. */
  dueSources(): readonly DueSource[];
}
