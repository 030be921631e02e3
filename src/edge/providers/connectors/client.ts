import {
  claimStore,
  countAnswer,
  countSilence,
  loadSecrets,
  pause,
} from '#capabilities/connectors/registry-store.ts';
import {
  type CallOutcome,
  type ConnectorRow,
  type OrderReport,
  speaksFiles,
} from '#capabilities/connectors/row.ts';
import { callFiles } from '#edge/providers/bank-files/files-connector.ts';
import { type Connect, Connections, openKeys } from '#edge/providers/connectors/keys.ts';
import {
  type AnswerOf,
  answerMaxBytes,
  CALL_TIMEOUT_MS,
  CALLS,
  type CallName,
  pathOf,
} from '#foundation/connector-protocol/calls.ts';
import type { OrderReport as WrittenReport } from '#foundation/connector-protocol/orders.ts';
import { type Answer, readAnswer } from '#foundation/connector-protocol/read-answer.ts';
import { connectorHeaders, signRequest } from '#foundation/connector-protocol/signing.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import { type Metric, MetricTotals } from '#foundation/jobs/work-source.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';
import { createProviderClient, type ProviderClientOptions } from '#foundation/outbound/outbound.ts';

export interface ClientParts {
  readonly database: Database;
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
  readonly clock: Clock;
  readonly names: WireNames;
  readonly connect: Connect;
}

export interface Call {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The bytes to send, which are those of every repetition. */
  readonly body?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** How many calls are open at a time is decided in the database, over all processes (connectors.md §7.7). */
export function createConnectorClient(
  parts: Omit<ClientParts, 'connect'>,
  { ca }: Pick<ProviderClientOptions, 'ca'> = {},
): ConnectorClient {
  const connect: Connect = (clientCertificate) =>
    createProviderClient({ ca, clientCertificate, connectionsMax: null });
  return new ConnectorClient({ ...parts, connect });
}

/** Calls connectors: signs, verifies, watches their stores, and counts who answers. */
export class ConnectorClient {
  readonly #parts: ClientParts;
  readonly #connections: Connections;
  readonly #calls = new MetricTotals('corridor_connector_calls_total');

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#connections = new Connections(parts.connect);
  }

  counters(): Metric[] {
    return this.#calls.counters();
  }

  /** Never throws for what the connector does. */
  async call<N extends CallName>(
    connector: ConnectorRow,
    name: N,
    call: Call = {},
  ): Promise<Answer<AnswerOf<N>>> {
    const answer = await this.#requireStore(connector, await this.#exchange(connector, name, call));
    const outcome = answer.kind === 'silence' ? 'silence' : String(answer.status);
    this.#calls.add({ connector: connector.name, call: name, outcome });
    const { database, clock } = this.#parts;
    const isRejected = answer.kind === 'refusal' && answer.status === 401;
    const now = new Date(clock.now());
    if (answer.kind !== 'silence' && !isRejected) await countAnswer(database.query, connector.id, now);
    else {
      const why = answer.kind === 'silence' ? answer.why : 'it answers with status 401';
      await countSilence(database.query, connector.id, { now, isDown: isRejected, why });
    }
    return answer;
  }

  async #exchange<N extends CallName>(
    connector: ConnectorRow,
    name: N,
    call: Call,
  ): Promise<Answer<AnswerOf<N>>> {
    if (speaksFiles(connector)) return callFiles(this.#parts, connector.id, name, call);
    const { database, vault, clock, names } = this.#parts;
    const secrets = await loadSecrets(database.lookUp, connector.id);
    const keys = openKeys(vault, secrets, new Date(clock.now()));
    const { method } = CALLS[name];
    const longest = answerMaxBytes(name);
    const path = pathOf(name, call.parameters, call.query);
    const requestId = newUuid() as string;
    const body = Buffer.from(call.body ?? '');
    const headers = connectorHeaders(names);
    const result = await this.#connections.of(vault, connector.id, secrets).call({
      method,
      url: connector.url.replace(/\/$/, '') + path,
      headers: {
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        'user-agent': `${names.word}-Connectors/1`,
        ...signRequest(keys.signs, { method, path, body, requestId, at: new Date(clock.now()) }, headers),
      },
      body: call.body === undefined ? null : body,
      timeoutMs: call.timeoutMs ?? CALL_TIMEOUT_MS,
      answerMaxBytes: longest + 1,
    });
    if ('error' in result) return { kind: 'silence', why: result.error };
    if (result.body.length > longest) return { kind: 'silence', why: 'the answer is too long' };
    return readAnswer(
      name,
      { ...result, headers: result.headers ?? {} },
      {
        ...{ keys: keys.verify, requestId, names: headers },
        now: new Date(clock.now()),
      },
    );
  }

  /** connectors.md §2.8: the first store is kept; an answer from another one is silence, and pauses the connector. */
  async #requireStore<Body>(connector: ConnectorRow, answer: Answer<Body>): Promise<Answer<Body>> {
    if (answer.kind === 'silence') return answer;
    const { database, clock } = this.#parts;
    const { store } = answer;
    if (connector.store === store || (await claimStore(database.query, connector.id, store)) === store)
      return answer;
    await pause(database.query, connector.id, 'STORE', new Date(clock.now()));
    return { kind: 'silence', why: 'the answer is from another store' };
  }
}

/** What a call about an order came to. */
export function outcomeOf(answer: Answer<WrittenReport>, reference: string): CallOutcome {
  if (answer.kind === 'silence') return { kind: 'silence' };
  if (answer.kind === 'answer') {
    return answer.body.reference === reference
      ? { kind: 'report', store: answer.store, report: reportOf(answer.body) }
      : { kind: 'silence' };
  }
  switch (answer.status) {
    case 400:
      return { kind: 'refused' };
    case 404:
      return { kind: 'unknown', store: answer.store };
    case 409:
      return { kind: 'conflict' };
    case 429:
    case 503:
      return { kind: 'later', afterSeconds: answer.retryAfter ?? 1 };
    default:
      return { kind: 'silence' };
  }
}

/** A report as the protocol writes it, with amounts and times as values. */
export function reportOf({
  amount,
  currency,
  at,
  expectedSettlementAt,
  ...report
}: WrittenReport): OrderReport {
  return {
    ...report,
    // Only an order that was cancelled before it came has none.
    ...(amount !== undefined && currency !== undefined && { total: { amount: BigInt(amount), currency } }),
    at: parseDateTime(at),
    ...(expectedSettlementAt !== undefined && { expectedSettlementAt: parseDateTime(expectedSettlementAt) }),
  };
}
