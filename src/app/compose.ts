import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { Capability } from '#capabilities/capability.ts';
import type { PaymentDecider } from '#capabilities/payments/transactions/decide-payment.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { AttentionKind } from '#foundation/database/attention.ts';
import type { SearchPlace } from '#foundation/database/search.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import type { Decisions, Renderers } from '#foundation/events/handlers.ts';
import type { Subscription } from '#foundation/events/reactions.ts';
import type { Explainer, FindRelatives, Trail } from '#foundation/explanation/explanation.ts';
import type { Gate } from '#foundation/http/declare/gates.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import {
  openApiDocument,
  operatorsDocument,
  type WebhookDeclaration,
} from '#foundation/http/document/openapi.ts';
import type { FindErased } from '#foundation/http/idempotency/idempotency.ts';
import type { AskSecond } from '#foundation/http/perform/perform.ts';
import type { Authenticators } from '#foundation/http/serve/access.ts';
import type { FindSigners } from '#foundation/http/signed/signed-retry.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { jobsDue } from '#foundation/jobs/due-store.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import type { InstallationTask } from '#foundation/jobs/installation-work.ts';
import { type Purge, purgeHandler, purgeTask } from '#foundation/jobs/purge.ts';
import type { LedgerCheck } from '#foundation/ledger/checks.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import type { Made, ReactionParts, TraceEraser } from '#foundation/manifest.ts';
import { withPending } from '#foundation/records/show-operations.ts';
import { AREA_GROUPS, OPERATOR_AREAS } from './areas.ts';
import { CAPABILITIES } from './capabilities.ts';
import type { AppParts } from './parts.ts';

type Brought = Capability<AppParts>;

/** The parts of all manifests together; app.ts builds a service from them. */
export interface Composition {
  operations(parts: AppParts): NamedOperation[];
  operatorOperations(parts: AppParts): NamedOperation[];
  jobs(parts: AppParts): JobDeclarations;
  /** What happens on a platform's clock, of all folders. */
  dueSources(jobs: JobDeclarations): readonly DueSource[];
  reactions(parts: ReactionParts): Subscription[];
  pages(http: FastifyInstance, parts: AppParts): void;
  authenticators(runtime: Pick<Runtime, 'database' | 'clock'>): Authenticators;
  readonly webhooks: readonly WebhookDeclaration[];
  readonly renderers: Renderers;
  readonly decisions: Decisions;
  readonly gates: readonly Gate[];
  readonly purges: readonly Purge[];
  /** Work on rows that belong to no platform. */
  upkeep(parts: AppParts): readonly InstallationTask[];
  /** Work of the same kind, every ten minutes. */
  rounds(parts: AppParts): readonly InstallationTask[];
  readonly erasers: readonly TraceEraser[];
  readonly ledgerChecks: readonly LedgerCheck[];
  readonly attention: readonly AttentionKind[];
  readonly searchPlaces: readonly SearchPlace[];
  /** The kinds of jobs that hand a message to a provider. */
  readonly messageJobs: readonly string[];
  readonly transactionSources: readonly TransactionSource[];
  readonly paymentDeciders: readonly PaymentDecider[];
  readonly explainers: readonly Explainer[];
  readonly trails: readonly Trail[];
  readonly relatives: readonly FindRelatives[];
  readonly askSecond: AskSecond;
  readonly findSigners: FindSigners;
  readonly findErased: FindErased;
}

/** Merges manifests, in their order. Where only one value can be used, that of the last manifest is. */
export function compose(brought: readonly Brought[]): Composition {
  const every = <Key extends keyof Brought>(key: Key) =>
    brought.flatMap((each) => (each[key] === undefined ? [] : [each[key] as NonNullable<Brought[Key]>]));
  return {
    operations: (parts) => inReferenceOrder(every('operations').flatMap((made) => make(made, parts))),
    operatorOperations: (parts) =>
      every('operatorOperations')
        .flatMap((made) => make(made, parts))
        .map((each) => withProposalReply(each, last(every('proposalReply'))))
        .map((each) => withPending(each, last(every('findPending')))),
    jobs: (parts) => listJobs(brought, parts),
    dueSources: (jobs) => [jobsDue(jobs), ...every('dueSources').flat()],
    reactions: (parts) => every('reactions').flatMap((made) => make(made, parts)),
    pages: (http, parts) => brought.forEach((each) => void each.pages?.(http, parts)),
    authenticators: (runtime) =>
      merge(every('authenticators').map((create) => create(runtime) as Authenticators)),
    webhooks: every('webhooks').flat(),
    renderers: mergeDistinct(every('renderers')),
    decisions: mergeDistinct(every('decisions')),
    gates: every('gates').flat(),
    purges: every('purges').flat(),
    upkeep: (parts) => [
      ...every('upkeep').flatMap((made) => make(made, parts)),
      ...brought.flatMap(purgesOf),
    ],
    rounds: (parts) => every('rounds').flatMap((made) => make(made, parts)),
    erasers: every('erasers').flat(),
    ledgerChecks: every('ledgerChecks').flat(),
    attention: every('attention').flat(),
    searchPlaces: every('searchPlaces').flat(),
    messageJobs: every('messageJobs').flatMap(Object.keys),
    transactionSources: every('transactionSource'),
    paymentDeciders: every('paymentDecider'),
    explainers: every('explainer'),
    trails: every('trail'),
    relatives: every('relatives'),
    askSecond: last(every('askSecond')),
    findSigners: last(every('findSigners')),
    findErased: last(every('findErased')),
  };
}

/** The purges of a manifest that delete rows of the installation. */
function purgesOf({ name, purges = [] }: Brought): InstallationTask[] {
  return purges.map((purge, i) =>
    purgeTask(i === 0 ? `purge of ${name}` : `purge of ${name}, ${i + 1}`, purge),
  );
}

function listJobs(brought: readonly Brought[], parts: AppParts): JobDeclarations {
  const purges = brought.flatMap((each) => each.purges ?? []);
  const runDaily = (tx: Tx) => brought.forEach((each) => void each.daily?.(tx));
  return mergeDistinct([
    purgeHandler(purges, runDaily),
    ...brought.flatMap(({ jobs, messageJobs }) => [make(jobs ?? {}, parts), messageJobs ?? {}]),
  ]);
}

function make<Value, Parts>(made: Made<Value, Parts>, parts: Parts): Value {
  return typeof made === 'function' ? (made as (parts: Parts) => Value)(parts) : made;
}

function merge<T extends object>(tables: readonly T[]): T {
  return Object.assign({}, ...tables);
}

/** Two manifests that bring the same name would silently replace each other's work. */
function mergeDistinct<T extends object>(tables: readonly T[]): T {
  const names = tables.flatMap(Object.keys);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`two manifests bring ${twice}`);
  return merge(tables);
}

function last<T>(all: readonly T[]): T {
  const found = all.at(-1);
  if (found === undefined) throw new Error('no manifest brings what the service needs');
  return found;
}

/** Area by area, as the reference page shows them. */
function inReferenceOrder(operations: readonly NamedOperation[]): NamedOperation[] {
  const areas = AREA_GROUPS.flatMap((group) => Object.keys(group.areas));
  const placeOf = ({ area }: NamedOperation) => (areas.includes(area) ? areas.indexOf(area) : areas.length);
  return operations.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** An operation that may need a second operator then answers with a proposal (operator.md §5.1). */
function withProposalReply(operation: NamedOperation, proposal: TSchema): NamedOperation {
  return operation.operator?.two ? { ...operation, otherReplies: { 202: proposal } } : operation;
}

export const SERVICE = compose(CAPABILITIES);

/** The OpenAPI document without a database behind it. */
export function describeApi(names: WireNames, domains: ServiceDomains): Record<string, unknown> {
  // Only the declarations are read and no handler is called, so the other parts can be left out.
  const operations = SERVICE.operations({ domains, names } as AppParts);
  return openApiDocument(operations, SERVICE.webhooks, names, AREA_GROUPS);
}

/** The document of the operators' operations without a database behind it. */
export function describeOperatorApi(names: WireNames, domains: ServiceDomains): Record<string, unknown> {
  return operatorsDocument(SERVICE.operatorOperations({ domains, names } as AppParts), names, OPERATOR_AREAS);
}
