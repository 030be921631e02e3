import { customerErased } from '#capabilities/customers/announcements.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import { sandboxCardOperations } from '#edge/sandbox/cards/routes.ts';
import { sandboxCardTokenizationOperations } from '#edge/sandbox/cards/tokenization-routes.ts';
import { clockOperations } from '#edge/sandbox/clock-routes.ts';
import { registerLivenessPage } from '#edge/sandbox/identity/liveness-page.ts';
import { sandboxMessageOperations } from '#edge/sandbox/messages/routes.ts';
import { registerSandboxPage } from '#edge/sandbox/page/tables-page.ts';
import { sandboxFundOperations } from '#edge/sandbox/rails/fund-routes.ts';
import { sandboxSendOperations } from '#edge/sandbox/rails/send-routes.ts';
import { sandboxUmaReceiveOperations } from '#edge/sandbox/rails/uma-receive-routes.ts';
import { registerResetPage } from '#edge/sandbox/sca/reset-page.ts';
import { seedJobs } from '#edge/sandbox/seeds.ts';
import { eraseMessages } from '#edge/sandbox/store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { on } from '#foundation/events/reactions.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import type { Worker } from '#foundation/jobs/worker.ts';
import type { Manifest } from '#foundation/manifest.ts';

interface Parts {
  readonly worker: Worker;
  dueSources(): readonly DueSource[];
  readonly payments: PaymentParts;
  readonly domains: ServiceDomains;
}

interface LateParts {
  readonly runtime: Runtime;
  readonly domains: ServiceDomains;
  operations(): readonly NamedOperation[];
  readonly log: { warn(about: object, line: string): void };
}

export const sandbox = {
  name: 'sandbox',
  operations: ({ worker, dueSources, payments, domains }: Parts) => [
    ...clockOperations({ worker, dueSources }),
    ...sandboxMessageOperations,
    ...sandboxFundOperations,
    ...sandboxSendOperations(payments),
    ...sandboxUmaReceiveOperations(domains.sandboxUmaDomains),
    ...sandboxCardOperations,
    ...sandboxCardTokenizationOperations,
  ],
  pages(http, { runtime, operations, domains }: LateParts) {
    registerLivenessPage(http, runtime);
    registerResetPage(http, runtime);
    registerSandboxPage(http, { operations, umaDomain: domains.sandboxUmaDomains[0] ?? '' });
  },
  jobs: ({ operations, domains, log }: LateParts) =>
    seedJobs({
      operations,
      umaDomain: domains.defaultUmaDomain,
      onSkipped: (skipped) => log.warn(skipped, 'a sandbox seed was skipped'),
    }),
  reactions: [on(customerErased, (tx, { customer }) => eraseMessages(tx, customer.id))],
} satisfies Manifest;
