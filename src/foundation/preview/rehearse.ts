import { CollectedItems, type Writer } from '#foundation/database/changes.ts';
import { type Actor, type Runtime, type Statements, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { type Answer, Reply, toReply } from '#foundation/http/idempotency/reply.ts';
import type { IdSource } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { portsThatAskNobody } from '#foundation/ports/at-once.ts';
import { describeChanges, type Preview } from '#foundation/preview/preview.ts';

/** What an operation does in one transaction. */
export interface Effect {
  /** In whose name. */
  readonly actor: Actor;
  /** The status of its usual reply. */
  readonly status: number;
  /** The reply contains a secret, which no preview shows. */
  readonly isSecret: boolean;
  run(tx: Tx): Promise<Answer<unknown>>;
}

export interface Performed {
  readonly reply: Reply<unknown>;
  /** The effect ended with this refusal, and what it wrote stays: a deposit that was booked to suspense. */
  readonly refusal?: Refusal;
  readonly preview: Preview;
}

/**
 * Runs an effect and rolls it back: nothing is held, reserved or sent. It throws the refusal with which the effect ends,
 * also a refusal by the database. Keys of people that the effect would need are created, which reveals nothing.
 */
export async function rehearse({ runtime, platform }: Work, effect: Effect): Promise<Preview> {
  try {
    return await new Work(runtime, platform, effect.actor).write(async (tx) => {
      const { preview } = await performWithin(tx, effect);
      throw new Rehearsed(preview);
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.preview;
    throw error;
  }
}

/** Ends a transaction whose result is known, so that it is rolled back. */
class Rehearsed extends Error {
  readonly preview: Preview;

  constructor(preview: Preview) {
    super('rehearsed');
    this.preview = preview;
  }
}

/** Runs an effect as a part of a transaction, and describes what it did. A refusal is thrown, so that nothing remains. */
export async function performWithin(tx: Tx, effect: Effect): Promise<Performed> {
  const newIds = new Set<string>();
  let isCommitted = false;
  // Registered before the steps of the effect: what they do after the commit may ask a provider.
  tx.afterCommit(() => {
    isCommitted = true;
  });
  const runtime = rehearsalRuntime(tx, newIds, () => isCommitted);
  const { actor, status, isSecret } = effect;
  let part: RecordedTx | undefined;
  const answer = await tx.within(
    (statements) => (part = new RecordedTx(runtime, tx.platform, { actor, ...statements })),
    (recorded) => effect.run(recorded),
  );
  const kept = part as unknown as RecordedTx;
  const refusal = answer instanceof Refusal ? answer : undefined;
  // A returned refusal keeps what was written; without any, it is like a thrown one.
  if (refusal && kept.recorded.listOwn().length === 0) throw refusal;
  const reply = refusal ? new Reply(refusal.status, refusal.body()) : toReply(status, answer);
  const { recorded: collected } = kept;
  const shown = isSecret || reply.body === undefined ? undefined : reply.body;
  const { ownCurrencies } = tx.platform;
  const preview = describeChanges({ collected, newIds, reply: shown, ownCurrencies });
  return { reply, preview, ...(refusal && { refusal }) };
}

interface Part extends Statements {
  readonly actor: Actor;
}

/** A transaction that keeps a list of everything that was collected in it, on whatever platform. */
class RecordedTx extends Tx {
  readonly recorded: CollectedItems;

  constructor(
    runtime: Runtime,
    platform: Platform,
    { actor, ...statements }: Part,
    recorded = new CollectedItems(),
  ) {
    super(runtime, platform, actor, statements);
    this.recorded = recorded;
  }

  protected override alike(platform: Platform, statements: Statements): Tx {
    return new RecordedTx(this.runtime, platform, { actor: this.actor, ...statements }, this.recorded);
  }

  override collect<Item>(writer: Writer<Item>, item: Item): void {
    this.recorded.add(writer, item);
    super.collect(writer, item);
  }
}

/** The same runtime, which asks no provider before the commit and remembers the ids that it makes up. */
function rehearsalRuntime(
  { runtime, platformId }: Tx,
  newIds: Set<string>,
  isCommitted: () => boolean,
): Runtime {
  const remembering =
    (source: IdSource): IdSource =>
    (type) => {
      const id = source(type);
      newIds.add(id);
      return id;
    };
  const newPerson = (() => runtime.personKeys.newPerson(platformId)) as IdSource;
  return {
    ...runtime,
    newId: remembering(runtime.newId),
    customerIds: remembering(runtime.customerIds ?? newPerson),
    ports: (environment) => {
      const ports = runtime.ports(environment);
      return isCommitted() ? ports : portsThatAskNobody(ports);
    },
  };
}
