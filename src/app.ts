import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { renderAccountEvents } from '#accounts/events.ts';
import { manualProvisioning } from '#accounts/manual-provisioning.ts';
import { noNetworkFees } from '#accounts/no-network-fees.ts';
import { provisionHandler } from '#accounts/provision-account.ts';
import { PROVISION_JOB } from '#accounts/provisioning-request.ts';
import { accountReactions } from '#accounts/reactions.ts';
import { accountOperations } from '#accounts/routes.ts';
import { internalAccountWebhook } from '#accounts/webhook.ts';
import { writeAudit } from '#audit/audit.ts';
import type { Vault } from '#crypto/vault.ts';
import { customerErased } from '#customers/announcements.ts';
import { contactVerificationOperations } from '#customers/contact-routes.ts';
import { customerWebhook } from '#customers/events.ts';
import { customerJobs } from '#customers/jobs.ts';
import { beneficialOwnerOperations } from '#customers/owners/routes.ts';
import type { CustomerPolicy } from '#customers/policy.ts';
import { customerOperations } from '#customers/routes.ts';
import { SAMPLE_TERMS } from '#customers/sample-terms.ts';
import type { TermsVersion } from '#customers/terms.ts';
import { registerTermsPage } from '#customers/terms-page.ts';
import type { Database } from '#database/database.ts';
import type { Surroundings } from '#database/tx.ts';
import { documentOperations } from '#documents/routes.ts';
import { emitTest } from '#events/emit.ts';
import type { Decisions } from '#events/questions.ts';
import { on, reactionTable, type Subscription } from '#events/reactions.ts';
import type { Renderers } from '#events/renderers.ts';
import { externalAccountWebhook } from '#external-accounts/events.ts';
import { externalAccountJobs } from '#external-accounts/jobs.ts';
import { externalAccountReactions } from '#external-accounts/reactions.ts';
import { receiverOperations } from '#external-accounts/receiver-routes.ts';
import { externalAccountOperations } from '#external-accounts/routes.ts';
import { createAuthenticate } from '#http/access.ts';
import { contentJobs } from '#http/contents.ts';
import { createMetrics, type Metrics } from '#http/metrics.ts';
import { openApiDocument, type WebhookDeclaration } from '#http/openapi.ts';
import type { NamedOperation } from '#http/operation.ts';
import { registerPages } from '#http/pages.ts';
import { createRateLimit } from '#http/rate-limit.ts';
import { createHttpServer } from '#http/server.ts';
import { createValidator } from '#http/validate.ts';
import type { JobHandlers } from '#jobs/handlers.ts';
import { JobRunner } from '#jobs/job-runner.ts';
import { purgeHandler } from '#jobs/purge.ts';
import { createWorker, type Worker } from '#jobs/worker.ts';
import type { Clock } from '#lib/clock.ts';
import { gather } from '#lib/gather.ts';
import type { IdSource } from '#lib/ids.ts';
import type { Environment } from '#lib/platform.ts';
import type { WireNames } from '#lib/wire-names.ts';
import type { ServiceDomains } from '#platform/change-config.ts';
import { webhookEndpointChanged } from '#platform/events.ts';
import { platformOperations } from '#platform/routes.ts';
import { loadSendingTerms } from '#platform/sending-terms.ts';
import { pricingOperations } from '#pricing/routes.ts';
import { screenedByOperator, usAccountsByOperator } from '#rails/account-screening.ts';
import { withoutCounterparties } from '#rails/counterparties.ts';
import { messagesWithoutProvider } from '#rails/messages.ts';
import { withoutNameCheck } from '#rails/name-check.ts';
import { withoutLiveness } from '#rails/ownership.ts';
import type { Ports } from '#rails/ports.ts';
import type { StoragePort } from '#rails/storage.ts';
import { clockOperations } from '#sandbox/clock-routes.ts';
import { sandboxCounterparties } from '#sandbox/counterparties.ts';
import { sandboxIdentity } from '#sandbox/identity.ts';
import { sandboxLiveness } from '#sandbox/liveness.ts';
import { registerLivenessPage } from '#sandbox/liveness-page.ts';
import { sandboxMessageOperations } from '#sandbox/message-routes.ts';
import { forgetMessages, sandboxMessages } from '#sandbox/messages.ts';
import { sandboxNameCheck } from '#sandbox/name-check.ts';
import { sandboxNetworkFees } from '#sandbox/network-fees.ts';
import { sandboxProvisioning } from '#sandbox/provisioning.ts';
import { sandboxRateFeed } from '#sandbox/rate-feed.ts';
import { sandboxScreening, sandboxUsAccounts } from '#sandbox/us-accounts.ts';
import { tokenOperations } from '#tokens/routes.ts';
import { verificationWebhook } from '#verification/events.ts';
import { verificationJobs } from '#verification/jobs.ts';
import { verificationReactions } from '#verification/reactions.ts';
import { reviewDesk } from '#verification/review-desk.ts';
import { verificationOperations } from '#verification/routes.ts';
import { Deliverer } from '#webhooks/deliverer.ts';
import { webhookOperations } from '#webhooks/routes.ts';
import { testWebhook } from '#webhooks/test-declaration.ts';

/** What the process gives the app: settings and everything that reaches outside it. */
export interface AppOptions {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly names: WireNames;
  readonly domains: ServiceDomains;
  readonly log: FastifyBaseLogger;
  /** Where files lie. */
  readonly storage: StoragePort;
  /** The operator's own end-user terms; unset: sample text. */
  readonly terms?: readonly TermsVersion[] | undefined;
  /** Where the service is reached from outside; unset: where it listens. */
  readonly publicUrl?: string | undefined;
}

export interface App {
  readonly http: FastifyInstance;
  readonly worker: Worker;
  readonly operations: readonly NamedOperation[];
  readonly surroundings: Surroundings;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

/** The composition root: the one place that knows all folders. */
export async function createApp(options: AppOptions): Promise<App> {
  const { database, names, log, clock } = options;
  const publicUrl = () => options.publicUrl ?? originOf(http);
  const ports = createPorts(options, publicUrl);
  let worker: Worker | undefined;
  const surroundings: Surroundings = {
    database,
    clock,
    newId: options.newId,
    vault: options.vault,
    ports: (environment) => ports[environment],
    reactions: reactionTable(listReactions(names)),
    wakeWorker: () => worker?.wake(),
  };
  const deliverer = new Deliverer(surroundings, {
    names,
    renderers: RENDERERS,
    decisions: DECISIONS,
    onError: (error, event) => log.error({ err: error, event }, 'a webhook could not be sent'),
  });
  const jobs = new JobRunner(surroundings, JOBS, {
    onFailure: (error, job) =>
      log.error({ err: error, job }, 'scheduled work failed and will be tried again'),
  });
  worker = createWorker([jobs, deliverer], {
    onError: (error, source) => log.error({ err: error, source }, 'the worker cannot look for work'),
  });
  const policy: CustomerPolicy = {
    terms: options.terms ?? SAMPLE_TERMS,
    publicUrl,
    domains: options.domains,
    separateCurrencies: [],
  };
  const operations = listOperations({ domains: options.domains, names, policy, deliverer, worker });
  const metrics = createMetrics();
  const http: FastifyInstance = await createHttpServer({
    operations,
    names,
    log,
    metrics,
    surroundings,
    authenticate: createAuthenticate(database),
    validate: createValidator(),
    rateLimit: createRateLimit(clock),
    onRefusedCaller: refusedCallers(options),
  });
  await registerPages(http, {
    describe: () => openApiDocument(operations, WEBHOOKS, names),
    metrics,
    database,
  });
  registerTermsPage(http, policy.terms);
  registerLivenessPage(http, surroundings);
  return { http, worker, operations, surroundings, metrics, close: () => http.close() };
}

/** What some operations need beside their transaction. */
interface OperationParts {
  readonly domains: ServiceDomains;
  readonly names: WireNames;
  readonly policy: CustomerPolicy;
  readonly deliverer: Deliverer;
  readonly worker: Worker;
}

/** Every operation, area by area, in the order of the reference page. */
function listOperations({ domains, names, policy, deliverer, worker }: OperationParts): NamedOperation[] {
  return [
    ...platformOperations(domains),
    ...tokenOperations,
    ...pricingOperations(loadSendingTerms),
    ...customerOperations(policy),
    ...contactVerificationOperations,
    ...beneficialOwnerOperations,
    ...documentOperations,
    ...verificationOperations,
    ...accountOperations,
    ...externalAccountOperations({ serviceName: names.word }),
    ...receiverOperations(domains),
    ...webhookOperations(deliverer),
    ...clockOperations(worker),
    ...sandboxMessageOperations,
  ];
}

const WEBHOOKS: WebhookDeclaration[] = [
  customerWebhook,
  verificationWebhook,
  internalAccountWebhook,
  externalAccountWebhook,
  testWebhook,
];

/** Who reacts to what, and in which order. */
function listReactions({ word }: WireNames): Subscription[] {
  return [
    on(webhookEndpointChanged, async (tx) => void emitTest(tx)),
    ...accountReactions({ serviceName: word }),
    ...externalAccountReactions,
    on(customerErased, (tx, { customer }) => forgetMessages(tx, customer.id)),
    ...verificationReactions,
  ];
}

const RENDERERS: Renderers = { INTERNAL_ACCOUNT: renderAccountEvents };

const DECISIONS: Decisions = {};

const JOBS: JobHandlers = {
  ...purgeHandler(),
  ...contentJobs,
  ...customerJobs,
  ...verificationJobs,
  ...externalAccountJobs,
  [PROVISION_JOB]: provisionHandler,
};

function createPorts(options: AppOptions, publicUrl: () => string): Record<Environment, Ports> {
  return {
    SANDBOX: {
      accountScreening: sandboxScreening,
      counterparties: sandboxCounterparties(options.domains.sandboxUmaDomain),
      identity: sandboxIdentity,
      messages: sandboxMessages(options),
      nameCheck: sandboxNameCheck,
      networkFees: sandboxNetworkFees,
      ownership: sandboxLiveness({ vault: options.vault, publicUrl }),
      provisioning: sandboxProvisioning,
      rates: sandboxRateFeed,
      storage: options.storage,
      usAccounts: sandboxUsAccounts,
    },
    PRODUCTION: {
      accountScreening: screenedByOperator,
      counterparties: withoutCounterparties,
      identity: reviewDesk,
      messages: messagesWithoutProvider,
      nameCheck: withoutNameCheck,
      networkFees: noNetworkFees,
      ownership: withoutLiveness,
      provisioning: manualProvisioning,
      // Until a rate source is configured production prices from the same table.
      rates: sandboxRateFeed,
      storage: options.storage,
      usAccounts: usAccountsByOperator,
    },
  };
}

/** Where this process listens; before it does, the name is only there to make whole addresses. */
function originOf({ server }: FastifyInstance): string {
  const address = server.address();
  return address !== null && typeof address === 'object'
    ? `http://localhost:${address.port}`
    : 'http://localhost';
}

/** The OpenAPI document without a database behind it. */
export function describeApi(names: WireNames, domains: ServiceDomains): Record<string, unknown> {
  // Declarations only: nothing is called, so the parts that act may be missing.
  return openApiDocument(listOperations({ domains, names } as OperationParts), WEBHOOKS, names);
}

/** Failed authentications are kept too; a burst of them costs one insert, not thousands. */
function refusedCallers({ database, clock, newId }: AppOptions) {
  const record = gather(async (rows: Parameters<typeof writeAudit>[1][number][]) => {
    await writeAudit(database, rows);
    return rows;
  });
  return async (facts: { id: string; remoteAddress: string; path: string }): Promise<void> => {
    await record({
      id: newId(),
      platformId: null,
      at: new Date(clock.now()),
      actor: { kind: 'token', id: 'unknown' },
      action: 'authentication failed',
      resource: facts.path.slice(0, 500),
      requestId: facts.id,
      remoteAddress: facts.remoteAddress,
    });
  };
}
