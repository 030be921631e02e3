import { fieldNames, HIDDEN, pickHarmless } from '#edge/request-log/redact.ts';
import { type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import type { RequestRecord } from '#foundation/http/serve/request-record.ts';
import type { PlatformSettings } from '#foundation/lib/platform.ts';
import type { FieldError, Refusal } from '#foundation/lib/refusals.ts';
import { idsIn } from '#foundation/lib/traces.ts';

/** What the request log keeps of what was said; a member that is absent was not there, or too large. */
export interface LoggedBodies {
  readonly query?: unknown;
  readonly request?: unknown;
  readonly reply?: unknown;
}

/** A longer reply is not even looked at: it would take longer to read than the request took. */
const REPLY_MAX_CHARACTERS = 262_144;
/** What is kept of one request, as JSON. */
const KEPT_MAX_CHARACTERS = 16_384;

/** What the request log keeps of one request beside the facts about it. */
export interface Kept {
  /** JSON. */
  readonly bodies: string | undefined;
  /** JSON: what was not known, as the reply's header named it. */
  readonly unknownFields: string | undefined;
  /** What the request was about, by which it is found when a customer is erased. */
  readonly resourceIds: readonly string[];
}

/**
 * The harmless fields of request and reply where the platform has them kept (platform.md §11.2), and what was not known.
 * A name that a client makes up may be a person's: an entry that has one knows the ids of the bodies, kept or not.
 */
export function pickKept(
  record: RequestRecord,
  { requestLogBodies }: Pick<PlatformSettings, 'requestLogBodies'>,
): Kept {
  const { operation, path } = record;
  const unknownFields = record.unknownFields && JSON.stringify(record.unknownFields);
  const isPicked = requestLogBodies || unknownFields !== undefined;
  const bodies = operation && isPicked ? pickBodies(operation, record) : undefined;
  const charactersMax = KEPT_MAX_CHARACTERS - (unknownFields?.length ?? 0);
  const isKept = requestLogBodies && bodies !== undefined && bodies.length <= charactersMax;
  return {
    bodies: isKept ? bodies : undefined,
    unknownFields,
    resourceIds: idsIn(`${path} ${bodies ?? ''}`),
  };
}

function pickBodies(operation: NamedOperation, record: RequestRecord): string | undefined {
  const { query, body } = record.sent ?? {};
  const kept: LoggedBodies = {
    ...(operation.query &&
      query &&
      Object.keys(query).length > 0 && { query: pickHarmless(operation.query)(query) }),
    ...(operation.body && body !== undefined && { request: pickHarmless(operation.body)(body) }),
    ...pickReply(operation, record),
  };
  return Object.keys(kept).length === 0 ? undefined : JSON.stringify(kept);
}

function pickReply(
  operation: NamedOperation,
  { status, refusal, replied }: RequestRecord,
): Pick<LoggedBodies, 'reply'> {
  if (refusal) return { reply: pickRefusal(operation, refusal) };
  const schema = status === statusOf(operation) ? operation.reply : operation.otherReplies?.[status];
  if (!schema || !replied || replied.length > REPLY_MAX_CHARACTERS) return {};
  return { reply: pickHarmless(schema)(JSON.parse(replied)) };
}

/** Which fields were bad, as far as they are known ones; why is said in words, which may quote what was sent. */
function pickRefusal(operation: NamedOperation, { code, status, details }: Refusal): unknown {
  const errors = (details?.errors ?? []) as FieldError[];
  if (errors.length === 0) return { code, status };
  const names = knownNames(operation);
  const shown = errors.map(({ field }) => ({
    field: field.split('.').every((part) => names.has(part) || /^\d{1,4}$/.test(part)) ? field : HIDDEN,
  }));
  return { code, status, details: { errors: shown } };
}

const namesOfOperations = new WeakMap<NamedOperation, Set<string>>();

function knownNames(operation: NamedOperation): Set<string> {
  let names = namesOfOperations.get(operation);
  if (!names) {
    names = fieldNames(operation.query, fieldNames(operation.body)).add('Idempotency-Key');
    namesOfOperations.set(operation, names);
  }
  return names;
}
