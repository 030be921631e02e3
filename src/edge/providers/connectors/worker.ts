import { applyEvents } from '#capabilities/connectors/apply-events.ts';
import {
  type ClaimedCall,
  claimCalls,
  countCalls,
  listDueConnectors,
  listUnrouted,
  unrouteStopped,
} from '#capabilities/connectors/call-store.ts';
import { applyMoney } from '#capabilities/connectors/credits/apply-money.ts';
import { postponeRoute } from '#capabilities/connectors/order-store.ts';
import { recordAnswer } from '#capabilities/connectors/record-answer.ts';
import {
  claimCapabilities,
  keepCapabilities,
  keepPace,
  listConnectors,
  lockPace,
} from '#capabilities/connectors/registry-store.ts';
import { applyRequests } from '#capabilities/connectors/requests/apply-requests.ts';
import { recordRequestAnswer } from '#capabilities/connectors/requests/record-request.ts';
import type { RequestRow } from '#capabilities/connectors/requests/request-row.ts';
import {
  claimRequests,
  listUnroutedRequests,
  unrouteStoppedRequests,
} from '#capabilities/connectors/requests/request-store.ts';
import { routeWaitingRequest } from '#capabilities/connectors/requests/route-request.ts';
import { bodyContext, routeWaiting } from '#capabilities/connectors/route-order.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { sealOldReports, UNKNOWN_REPORTS } from '#capabilities/connectors/seal-old-reports.ts';
import { reconcile } from '#capabilities/reconciliation/reconcile.ts';
import { askRequest } from '#edge/providers/connectors/ask-request.ts';
import { type ConnectorClient, outcomeOf } from '#edge/providers/connectors/client.ts';
import { fetchStatement } from '#edge/providers/connectors/fetch-statement.ts';
import { readDueEvents, readStored } from '#edge/providers/connectors/intake.ts';
import { CAPABILITIES_EVERY_MS, DOWN_EVERY_MS, LEASE_MS } from '#edge/providers/connectors/settings.ts';
import type { Answer } from '#foundation/connector-protocol/read-answer.ts';
import type { Run } from '#foundation/database/database.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { delayAfterFailure } from '#foundation/jobs/handlers.ts';
import { type Metric, type StepResult, WakeSignal, type WorkSource } from '#foundation/jobs/work-source.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { withTimeout } from '#foundation/lib/promises.ts';

export interface ConnectorWorkerParts {
  readonly runtime: Runtime;
  readonly client: ConnectorClient;
  /** For the log; it never contains a body, a name or a secret. */
  onFailure(error: unknown, at: { connector?: string; reference?: string }): void;
}

const ACTOR = { kind: 'worker', id: 'connectors' } as const;
const UNROUTED_MAX = 100;

/**
 * Sends orders to connectors, asks what became of them, and reads and applies what connectors report. It belongs to no
 * platform. A connector that is slow holds up its own orders alone: every call runs by itself.
 */
export class ConnectorWorker implements WorkSource {
  readonly name = 'connectors';
  readonly callsOutside = true;
  readonly signal = new WakeSignal();
  readonly #parts: ConnectorWorkerParts;
  readonly #tasks = new Map<string, Promise<void>>();
  #looking: Promise<void> | undefined;
  #finished = 0;
  #isDraining = false;
  /** An earlier version may have left reports that are not sealed for people. */
  #oldReports = UNKNOWN_REPORTS;

  constructor(parts: ConnectorWorkerParts) {
    this.#parts = parts;
  }

  async pump(): Promise<void> {
    if (this.#isDraining) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  /** Does what is due now, and waits for it. */
  async round(): Promise<void> {
    await this.pump();
    await Promise.all(this.#tasks.values());
  }

  finished(): number {
    return this.#finished;
  }

  counters(): Metric[] {
    return this.#parts.client.counters();
  }

  async duePlatforms(): Promise<PlatformId[]> {
    return [];
  }

  async step(): Promise<StepResult> {
    return { done: 0, isDue: false, hadFailure: false };
  }

  async nextDueAt(): Promise<undefined> {
    return undefined;
  }

  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    const running = Promise.all([this.#looking, ...this.#tasks.values()]);
    await withTimeout(
      running.then(() => undefined),
      withinMs,
      undefined,
    );
  }

  async #look(): Promise<void> {
    const { database } = this.#parts.runtime;
    const connectors = await listConnectors(database.query);
    if (connectors.length > 0) await this.#readCapabilities();
    await unrouteStopped(database.query, this.#now());
    await unrouteStoppedRequests(database.query, this.#now());
    await this.#route();
    await this.#routeRequests();
    const byId = new Map(connectors.map((connector) => [connector.id, connector]));
    const due = connectors.length > 0 ? await listDueConnectors(database.query, this.#now()) : [];
    for (const id of due) {
      const connector = byId.get(id);
      if (connector) await this.#send(connector);
    }
    for (const connector of connectors) this.#readEvents(connector);
    if (connectors.length > 0) this.#start('reconciliation', {}, () => reconcile(this.#parts.runtime));
    if (!this.#oldReports.areSealed) this.#start('old reports', {}, () => this.#sealOldReports());
  }

  async #readCapabilities(): Promise<void> {
    const { runtime } = this.#parts;
    const now = this.#now();
    const until = new Date(now.getTime() + CAPABILITIES_EVERY_MS);
    for (const connector of await claimCapabilities(runtime.database.query, now, until)) {
      this.#start(`capabilities ${connector.id}`, { connector: connector.name }, () =>
        this.#readOnesCapabilities(connector, now),
      );
    }
  }

  /** connectors.md §3.2: faulty capabilities are refused as a whole, and the last good ones count. */
  async #readOnesCapabilities(connector: ConnectorRow, now: Date): Promise<void> {
    const { client, runtime } = this.#parts;
    const answer = await client.call(connector, 'getCapabilities');
    const isAnswered = answer.kind === 'answer';
    const nextAt = new Date(now.getTime() + (isAnswered ? CAPABILITIES_EVERY_MS : DOWN_EVERY_MS));
    const kept = isAnswered ? { capabilities: answer.body } : { trouble: troubleOf(answer) };
    await keepCapabilities(runtime.database.query, connector.id, kept, { now, nextAt });
    // Orders that waited for the connector's first capabilities can be routed.
    this.signal.raise();
  }

  async #route(): Promise<void> {
    const { runtime } = this.#parts;
    for (const order of await listUnrouted(runtime.database.query, this.#now(), UNROUTED_MAX)) {
      try {
        await routeWaiting(await this.#workOn(order.platform_id), order.id);
      } catch (error) {
        this.#parts.onFailure(error, { reference: order.id });
        const delay = delayAfterFailure(order.silences + 1);
        await postponeRoute(runtime.database.query, order, new Date(this.#now().getTime() + delay));
      }
    }
  }

  async #routeRequests(): Promise<void> {
    const { runtime } = this.#parts;
    const due = await listUnroutedRequests(runtime.database.query, this.#now(), UNROUTED_MAX);
    for (const { platform_id: platformId, kind, subject } of due) {
      try {
        await routeWaitingRequest(await this.#workOn(platformId), kind, subject);
      } catch (error) {
        this.#parts.onFailure(error, { reference: subject });
      }
    }
  }

  /** Claims calls that are due within the connector's limits, and makes each by itself. */
  async #send(connector: ConnectorRow): Promise<void> {
    const now = this.#now();
    const { calls, requests } = await this.#parts.runtime.database.transaction((run) =>
      claimWithin(run, connector.id, now),
    );
    for (const request of requests) {
      const { subject: reference } = request;
      this.#start(`${connector.id} ${reference}`, { connector: connector.name, reference }, () =>
        this.#makeRequest(connector, request),
      );
    }
    for (const call of calls) {
      const { reference } = call.order;
      this.#start(`${connector.id} ${reference}`, { connector: connector.name, reference }, () =>
        this.#makeCall(connector, call),
      );
    }
  }

  async #makeCall(connector: ConnectorRow, claimed: ClaimedCall): Promise<void> {
    const { reference, platform_id: platformId } = claimed.order;
    const work = await this.#workOn(platformId);
    const outcome = await this.#ask(connector, claimed, work).then((result) => outcomeOf(result, reference));
    await work.write((tx) => recordAnswer(tx, connector, claimed, outcome));
  }

  async #makeRequest(connector: ConnectorRow, request: RequestRow): Promise<void> {
    const work = await this.#workOn(request.platform_id);
    const outcome = await askRequest(this.#parts.client, connector, request, work);
    await work.write((tx) => recordRequestAnswer(tx, connector, request, outcome));
  }

  async #ask(connector: ConnectorRow, { order, call }: ClaimedCall, work: Work) {
    const { client } = this.#parts;
    const parameters = { reference: order.reference };
    if (call === 'CANCEL') return client.call(connector, 'cancelOrder', { parameters });
    const body = call === 'PUT' ? await openBody(work, order) : undefined;
    // Without its bytes an order can only be asked about.
    if (body === undefined) return client.call(connector, 'getOrder', { parameters });
    return client.call(connector, 'putOrder', { parameters, body });
  }

  #readEvents(connector: ConnectorRow): void {
    const { runtime, client } = this.#parts;
    this.#start(`events ${connector.id}`, { connector: connector.name }, async () => {
      try {
        if (connector.paused_because !== 'CURSOR') await readDueEvents({ ...runtime, client }, connector);
      } finally {
        // Stored events are applied even if nothing new can be read.
        await this.#applyAll(connector);
      }
    });
  }

  async #applyAll(connector: ConnectorRow): Promise<void> {
    const { runtime, onFailure } = this.#parts;
    const parts = {
      ...{ runtime, actor: ACTOR, applyMoney, applyRequests },
      applyStatement: fetchStatement.bind(undefined, this.#parts),
      read: (event: Parameters<typeof readStored>[1]) => readStored(runtime, event),
      onFailure: (error: unknown, { about }: { about: string }) =>
        onFailure(error, { connector: connector.name, reference: about }),
    };
    while (!this.#isDraining && (await applyEvents(parts, connector)) > 0) this.#finished++;
  }

  /** Each task runs once at a time, and its failure is logged and tried again later. */
  #start(name: string, at: { connector?: string; reference?: string }, task: () => Promise<void>): void {
    if (this.#tasks.has(name) || this.#isDraining) return;
    const running = task()
      .then(() => {
        this.#finished++;
      })
      .catch((error: unknown) => this.#parts.onFailure(error, at))
      .finally(() => this.#tasks.delete(name));
    this.#tasks.set(name, running);
  }

  async #sealOldReports(): Promise<void> {
    const { runtime, onFailure } = this.#parts;
    this.#oldReports = await sealOldReports(runtime, this.#oldReports, (error, { connector, about }) =>
      onFailure(error, { connector, reference: about }),
    );
  }

  async #workOn(platformId: PlatformId): Promise<Work> {
    const { runtime } = this.#parts;
    const platform = await findPlatform(runtime.database.query, platformId);
    if (!platform) throw new Error(`no platform ${platformId}`);
    return new Work(runtime, platform, ACTOR);
  }

  #now(): Date {
    return new Date(this.#parts.runtime.clock.now());
  }
}

/** Why there are no new capabilities, for the operator. */
function troubleOf(answer: Answer<unknown>): string {
  if (answer.kind === 'silence') return answer.why.slice(0, TROUBLE_MAX);
  return answer.kind === 'refusal' ? `it answers with status ${answer.status}` : '';
}

const TROUBLE_MAX = 500;

/** The bytes of an order, as they were committed; undefined after an erasure. */
async function openBody(work: Work, { id, body }: ClaimedCall['order']): Promise<string | undefined> {
  if (body === null) return undefined;
  return work.read(async (tx) => {
    await tx.runtime.personKeys.loadFor([body]);
    return tx.vault.openKept(body, bodyContext(id));
  });
}

interface Claimed {
  readonly calls: readonly ClaimedCall[];
  readonly requests: readonly RequestRow[];
}

const NOTHING: Claimed = { calls: [], requests: [] };

/** connectors.md §7.7: calls at a time and orders in a second, over all processes. */
async function claimWithin(run: Run, connectorId: string, now: Date): Promise<Claimed> {
  const pace = await lockPace(run, connectorId);
  if (!pace?.capabilities || pace.store === null) return NOTHING;
  const { inFlightMax, ordersPerSecond } = pace.capabilities;
  const second = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
  const isDown = pace.down_since !== null;
  if (isDown && now.getTime() - (pace.second?.getTime() ?? 0) < DOWN_EVERY_MS) return NOTHING;
  const free = inFlightMax - (await countCalls(run, connectorId, now));
  const sent = pace.second?.getTime() === second.getTime() ? pace.second_orders : 0;
  const limit = isDown ? Math.min(free, 1) : free;
  if (limit <= 0) return NOTHING;
  const lease = { caller: newUuid() as string, now, until: new Date(now.getTime() + LEASE_MS) };
  const calls = await claimCalls(run, connectorId, {
    ...lease,
    ...{ limit, sendsMax: Math.max(ordersPerSecond - sent, 0), store: pace.store },
  });
  const sends = calls.filter(({ call }) => call === 'PUT').length;
  const left = limit - calls.length;
  const requests = left > 0 ? await claimRequests(run, connectorId, { ...lease, limit: left }) : [];
  if (calls.length + requests.length > 0) await keepPace(run, connectorId, second, sent + sends);
  return { calls, requests };
}
