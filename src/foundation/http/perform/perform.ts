import type { Runtime } from '#foundation/database/tx.ts';
import { isStale } from '#foundation/database/work.ts';
import { type Caller, keyOwner, type OperatorCaller, type RequestFacts } from '#foundation/http/caller.ts';
import { CallWork } from '#foundation/http/declare/call-work.ts';
import { checkOperator } from '#foundation/http/declare/check-operator.ts';
import type { Gate } from '#foundation/http/declare/gates.ts';
import {
  callersOf,
  type Input,
  keyConflictOf,
  type NamedOperation,
  statusOf,
} from '#foundation/http/declare/operation.ts';
import {
  bodyHash,
  erasedReply,
  type FindErased,
  KeyQueue,
  type KeyUse,
  queryHash,
  Replay,
  replayIfUsed,
} from '#foundation/http/idempotency/idempotency.ts';
import {
  type Answer,
  type SerializedReply,
  serializeReply,
  toReply,
} from '#foundation/http/idempotency/reply.ts';
import { findKey } from '#foundation/http/idempotency/store.ts';
import { busy, commitPrepared } from '#foundation/http/perform/commit-prepared.ts';
import { canonicalQuery } from '#foundation/http/read/query.ts';
import type { FindSigners } from '#foundation/http/signed/signed-retry.ts';
import { idsIn } from '#foundation/lib/erasure-traces.ts';
import { KeyedQueue } from '#foundation/lib/promises.ts';
import { type FieldError, Refusal, refuseIf } from '#foundation/lib/refusals.ts';
import type { Upload } from '#foundation/uploads/uploads.ts';

/** One call of an operation, over HTTP or not, already parsed and validated against the declaration. */
export interface Call {
  readonly caller: Caller;
  /** Ids as bare UUIDs. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly problems?: readonly FieldError[] | undefined;
  readonly file?: Upload | undefined;
  /** A call that is repeated with its key has one effect and one reply (platform.md §2). */
  readonly key?: string | undefined;
  readonly request?: RequestFacts | undefined;
}

/** Performs an operation for a caller; throws a refusal. */
export type Perform = (operation: NamedOperation, call: Call) => Promise<SerializedReply>;

/** Performs an operators' call that may need a second operator, or proposes it; undefined: it needs none. */
export type AskSecond = (
  work: CallWork,
  call: {
    readonly operation: NamedOperation;
    readonly caller: OperatorCaller;
    readonly input: Required<Pick<Call, 'params' | 'query'>> & { readonly body: unknown };
  },
) => Promise<Answer<unknown> | undefined>;

/** The checks between an operation's preparation and its commit. */
export interface PerformParts {
  readonly askSecond?: AskSecond;
  readonly gates?: readonly Gate[];
  readonly findSigners?: FindSigners;
  readonly findErased?: FindErased;
}

/**
 * The only way to perform an operation, for the routes and for jobs that perform one later: the same checks, the same
 * commit with its audit row, the same idempotency.
 */
export function createPerform(
  runtime: Runtime,
  { gates = [], findSigners = async () => [], findErased = async () => [], askSecond }: PerformParts = {},
): Perform {
  const keys = new KeyQueue();
  const queue = new KeyedQueue();
  return async (operation, call) => {
    const { caller, request } = call;
    if (!callersOf(operation).includes(caller.kind))
      throw new Error(`${operation.id} is not declared for a caller of the kind ${caller.kind}`);
    const path = concretePath(operation, call);
    const key = call.key === undefined ? undefined : keyUse(runtime, operation, call, call.key, path);
    const input = buildInput(call, key);
    const work = new CallWork(runtime, {
      caller,
      action: operation.id,
      operator: operation.operator,
      key,
      path: request?.path ?? runtime.names.basePath + path,
      request,
      status: statusOf(operation),
      auditDetails: operation.auditDetails && ((reply) => operation.auditDetails?.(input, reply)),
    });
    if (caller.kind === 'operator') refuseIf(checkOperator(operation, caller, runtime.clock));
    refuseIf(operation.checkAvailable?.(caller.platform, work.ports));
    await work.auditingRefusals(async () => refuseIf(operation.checkCaller?.(caller)));
    const queueName = `${caller.platform.id} ${operation.method} ${path}`;
    const effect = async () =>
      (await runWithSecond(work, { operation, call, key }, askSecond)) ??
      (operation.prepare
        ? commitPrepared({ work, operation, input, gates, findSigners, queueName, queue })
        : run(work, operation, input));
    try {
      const done = await (key ? keys.run(caller.platform.id, key, effect) : effect());
      if (done instanceof Refusal) throw done;
      return done;
    } catch (error) {
      if (isStale(error)) throw busy();
      if (!(error instanceof Replay)) throw error;
      // A call that was running when a customer was erased may have stored its reply afterwards.
      const ids = idsIn(error.reply.body);
      if (ids.length > 0 && (await work.lookUp((tx) => findErased(tx, ids))).length > 0) throw erasedReply();
      return { ...error.reply, isReplayed: true };
    }
  };
}

interface KeyedCall {
  readonly operation: NamedOperation;
  readonly call: Call;
  readonly key: KeyUse | undefined;
}

/** Undefined: no second operator is needed. A repeated call gets its first reply, whatever became of the proposal. */
async function runWithSecond(
  work: CallWork,
  { operation, call, key }: KeyedCall,
  askSecond: AskSecond | undefined,
): Promise<SerializedReply | Refusal | undefined> {
  const { caller, params = {}, query = {}, body } = call;
  if (!askSecond || caller.kind !== 'operator' || operation.operator?.two === undefined) return undefined;
  if (key) await work.read(async (tx) => replayIfUsed(tx, key, await findKey(tx, key)));
  const answer = await askSecond(work, { operation, caller, input: { params, query, body: body ?? null } });
  if (answer === undefined || answer instanceof Refusal) return answer;
  return serializeReply(toReply(statusOf(operation), answer));
}

type AnyInput = Input<never, never, never>;

function buildInput({ caller, params, query, body, problems, file, request }: Call, key: KeyUse | undefined) {
  return {
    caller,
    params: params ?? {},
    query: query ?? {},
    body,
    problems: problems ?? [],
    file,
    key,
    request,
    signed: undefined,
  } as unknown as AnyInput;
}

async function run(
  work: CallWork,
  operation: NamedOperation,
  input: AnyInput,
): Promise<SerializedReply | Refusal> {
  const answer = await runOperation(work, operation, input);
  return answer instanceof Refusal ? answer : serializeReply(toReply(statusOf(operation), answer));
}

function runOperation(work: CallWork, operation: NamedOperation, input: AnyInput): Promise<Answer<unknown>> {
  const { read, write, handle } = operation;
  // Without a query it reads one resource by its key; lists may be slow. A reply that is stored under a key needs a write.
  const how = input.key ? 'write' : operation.query ? 'read' : 'lookUp';
  if (read) return work[how]((tx) => read(tx, input) as Promise<Answer<unknown>>);
  if (write) return work.write((tx) => write(tx, input) as Promise<Answer<unknown>>);
  if (handle) return handle(work, input);
  throw new Error(`operation ${operation.id} does nothing`);
}

function keyUse(
  { vault }: Runtime,
  operation: NamedOperation,
  { caller, params = {}, query = {}, body, file, request }: Call,
  key: string,
  path: string,
): KeyUse {
  const asked = canonicalQuery(operation.query, query, request?.search ?? '');
  // The file's name is one of the fields.
  const sentFile = file && { mediaType: file.mediaType, hash: file.hash };
  return {
    scope: `${keyOwner(caller)}${operation.method} ${path}${asked && `?${queryHash(vault, asked)}`}`,
    key,
    bodyHash: bodyHash(vault, sentFile ? { body, file: sentFile } : body),
    conflict: keyConflictOf(operation),
    secretReply: operation.idempotency?.secretReply ?? false,
    people: Object.entries(operation.params ?? {}).flatMap(([name, param]) =>
      'id' in param && param.id === 'Customer' ? (params[name] ?? []) : [],
    ),
  };
}

/** The same for every spelling of a path: an id in full or bare, its colon encoded or not. */
function concretePath({ path }: NamedOperation, { params = {} }: Call): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
}
