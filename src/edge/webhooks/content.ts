import type { ClaimedEvent } from '#edge/webhooks/store.ts';
import { PersonErased, type PersonId, readReferences } from '#foundation/crypto/person-seal.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { payloadContext } from '#foundation/events/emit.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { peopleIn } from '#foundation/person-keys/people.ts';

/** The content of an event, opened or rendered, and the people whom it describes. */
export interface Content {
  /** `data` as JSON text. */
  readonly text: string;
  readonly people: readonly PersonId[];
  /**
   * The payload of an event that was stored as facts, rendered and sealed. The record of the first attempt stores it.
   */
  readonly rendered?: Buffer;
}

/** `ERASED`: the event describes an erased person and is not sent. An error: the event cannot be read or rendered. */
export type ContentResult = Content | 'ERASED' | Error;

type Keys = Pick<Runtime, 'vault' | 'personKeys'>;

/**
 * Opens or renders the content of an event. Throws `DatabaseUnavailable` if it needs a database that is away, for
 * example that of the keys: then the event must wait.
 */
export async function openContent(keys: Keys, event: ClaimedEvent): Promise<ContentResult> {
  try {
    return event.payload ? await openPayload(keys, event, event.payload) : await sealRendered(keys, event);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    if (isErased(error)) return 'ERASED';
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function openPayload(
  { vault, personKeys }: Keys,
  { id }: ClaimedEvent,
  payload: Buffer,
): Promise<Content> {
  // The keys of all claimed events were fetched together, but a process holds them for minutes only.
  await personKeys.loadFor([payload]);
  const text = vault.openText(payload, payloadContext(id));
  const people = readReferences(payload).map(({ person }) => person);
  return { text, people: people.length > 0 ? people : peopleIn(text) };
}

async function sealRendered({ vault, personKeys }: Keys, event: ClaimedEvent): Promise<Content> {
  const data = await event.rendering;
  if (!data || data instanceof Error) throw data ?? new Error('the event is empty');
  const { text, describes } = data;
  const people = [...peopleIn(text), ...describes];
  await personKeys.ensure(event.platform_id, people);
  // Sealed before the event is sent, while this process holds the keys.
  return { text, people, rendered: vault.sealNaming(people, text, payloadContext(event.id)) };
}

/** A renderer that reads the data of an erased person is refused (src/foundation/database/work.ts). */
function isErased(error: unknown): boolean {
  return error instanceof PersonErased || (error instanceof Refusal && error.cause instanceof PersonErased);
}

/**
 * Seals the answer to an event for the same people, because it may repeat the event. If it cannot be sealed at the
 * moment, it is not stored: the delivery matters more than its log.
 */
export async function sealResponse(
  { vault, personKeys }: Keys,
  platformId: PlatformId,
  people: readonly PersonId[],
  { body, context }: { readonly body: string | Buffer; readonly context: string },
): Promise<Buffer | undefined> {
  if (body.length === 0) return undefined;
  try {
    await personKeys.ensure(platformId, people);
    return vault.sealFor(people, body, context);
  } catch {
    return undefined;
  }
}
