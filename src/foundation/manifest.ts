import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { AttentionKind } from '#foundation/database/attention.ts';
import type { SearchPlace } from '#foundation/database/search.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import type { Subscription } from '#foundation/events/reactions.ts';
import type { Explainer, FindRelatives, Trail } from '#foundation/explanation/explanation.ts';
import type { Gate } from '#foundation/http/declare/gates.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';
import type { FindErased } from '#foundation/http/idempotency/idempotency.ts';
import type { AskSecond } from '#foundation/http/perform/perform.ts';
import type { Authenticators } from '#foundation/http/serve/access.ts';
import type { FindSigners } from '#foundation/http/signed/signed-retry.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import type { InstallationTask } from '#foundation/jobs/installation-work.ts';
import type { Purge } from '#foundation/jobs/purge.ts';
import type { LedgerCheck } from '#foundation/ledger/checks.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { FindPending } from '#foundation/records/show-operations.ts';

/** A value, or a function that makes it from the parts of the app that it needs. */
export type Made<Value, Parts> = Value | ((parts: Parts) => Value);

/** Erases a folder's data about a customer outside the customer's own rows. */
export type TraceEraser = (tx: Tx, traces: Traces) => Promise<void>;

/** What reactions may be made from: they are listed before any other part of the app exists. */
export interface ReactionParts {
  readonly names: WireNames;
  readonly erasers: readonly TraceEraser[];
}

/**
 * Everything that a folder brings to the service, said once in its `capability.ts`. The list of all manifests is
 * `src/app/capabilities.ts`; its order is the order in which reactions run and purges delete.
 */
export interface Manifest<Parts = never> {
  readonly name: string;
  readonly operations?: Made<readonly NamedOperation[], Parts>;
  /** What operators do over HTTP; no part of the API of platforms (operator.md §6). */
  readonly operatorOperations?: Made<readonly NamedOperation[], Parts>;
  /** Pages that end users open, and other routes that are no operations. */
  pages?(http: FastifyInstance, parts: Parts): void;
  readonly jobs?: Made<JobDeclarations, Parts>;
  /** Jobs that hand a message to a provider. They are jobs like the others; an operator sees their failures apart. */
  readonly messageJobs?: JobDeclarations;
  /** What happens at a known time of the platform’s clock, beside the jobs that say so themselves. */
  readonly dueSources?: readonly DueSource[];
  /** Each platform's daily work, done after its purges. */
  daily?(tx: Tx): void;
  readonly purges?: readonly Purge[];
  readonly reactions?: Made<readonly Subscription[], ReactionParts>;
  readonly webhooks?: readonly WebhookDeclaration[];
  readonly renderers?: Renderers;
  readonly decisions?: Decisions;
  readonly ledgerChecks?: readonly LedgerCheck[];
  /** Where its resources are found by an id or a text (platform.md §13). */
  readonly searchPlaces?: readonly SearchPlace[];
  /** Hourly work on rows that belong to no platform. */
  readonly upkeep?: Made<readonly InstallationTask[], Parts>;
  /** The same kind of work, but every ten minutes. */
  readonly rounds?: Made<readonly InstallationTask[], Parts>;
  readonly attention?: readonly AttentionKind[];
  readonly erasers?: readonly TraceEraser[];
  /** Explains this folder's transactions (operator.md §8). */
  readonly explainer?: Explainer;
  /** Records of this folder that belong to any transaction that is explained. */
  readonly trail?: Trail;
  /** Resources of this folder whose records belong to another folder's transaction. */
  readonly relatives?: FindRelatives;
  /** Checks between the `prepare` of an operation and its commit. */
  readonly gates?: readonly Gate[];
  authenticators?(runtime: Pick<Runtime, 'database' | 'clock'>): Partial<Authenticators>;
  /** Proposes what needs a second operator. One manifest brings it, with the schema of a proposal. */
  readonly askSecond?: AskSecond;
  readonly proposalReply?: TSchema;
  /** Names the undecided proposals about a record. One manifest brings it. */
  readonly findPending?: FindPending;
  /** Whose signature counts for a wallet. One manifest brings it. */
  readonly findSigners?: FindSigners;
  /** Which customers are erased. One manifest brings it. */
  readonly findErased?: FindErased;
}
