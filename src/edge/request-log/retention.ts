import { redactBySchema } from '#edge/request-log/redact.ts';
import { redactRefusal } from '#edge/request-log/redact-refusal.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import { type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import type { RequestRecord } from '#foundation/http/serve/request-record.ts';
import { idsIn } from '#foundation/lib/erasure-traces.ts';
import { idsInTokens } from '#foundation/lib/issuer-tokens.ts';
import type { PlatformSettings } from '#foundation/lib/platform.ts';
import { peopleIn } from '#foundation/person-keys/people.ts';

/** The stored parts of query, request and reply; an absent member was not present, or too large. */
export interface LoggedBodies {
  readonly query?: unknown;
  readonly request?: unknown;
  readonly reply?: unknown;
}

/** A longer reply is not examined, because that could take longer than the request itself. */
const REPLY_MAX_CHARACTERS = 262_144;
/** Maximum size of one request's stored bodies, as JSON. */
const KEPT_MAX_CHARACTERS = 16_384;

/** The content that the request log stores for one request, in addition to its facts. */
export interface RetainedFields {
  readonly content: {
    /** JSON. */
    readonly bodies: string | undefined;
    /** JSON: the unknown fields, as the reply's header named them. */
    readonly unknownFields: string | undefined;
  };
  /** Ids that the request concerns, by which it is found when a customer is erased. */
  readonly resourceIds: readonly string[];
  /** The customers among these resources, as far as the path and the bodies name them. */
  readonly customers: readonly PersonId[];
}

/**
 * Returns the harmless fields of request and reply, if the platform stores them (platform.md §11.2), and the unknown
 * fields. An unknown field name may be a person's name, so such an entry records the ids in the bodies, even if the
 * bodies are not stored.
 */
export function retainFields(
  record: RequestRecord,
  { requestLogBodies }: Pick<PlatformSettings, 'requestLogBodies'>,
): RetainedFields {
  const { operation, path } = record;
  const unknownFields = record.unknownFields && JSON.stringify(record.unknownFields);
  const isPicked = requestLogBodies || unknownFields !== undefined;
  const bodies = operation && isPicked ? redactBodies(operation, record) : undefined;
  const charactersMax = KEPT_MAX_CHARACTERS - (unknownFields?.length ?? 0);
  const isKept = requestLogBodies && bodies !== undefined && bodies.length <= charactersMax;
  return {
    content: { bodies: isKept ? bodies : undefined, unknownFields },
    resourceIds: [...new Set([...idsIn([path, bodies].join(' ')), ...idsInTokens(bodies ?? '')])],
    customers: [...idsIn(CUSTOMER_PATH.exec(path)?.[0] ?? ''), ...peopleIn(bodies ?? '')],
  };
}

const CUSTOMER_PATH = /\/customers\/[^/]+/;

function redactBodies(operation: NamedOperation, record: RequestRecord): string | undefined {
  const { query, body } = record.sent ?? {};
  const sent: LoggedBodies = {
    ...(operation.query &&
      query &&
      Object.keys(query).length > 0 && { query: redactBySchema(operation.query)(query) }),
    ...(operation.body && body !== undefined && { request: redactBySchema(operation.body)(body) }),
  };
  const kept: LoggedBodies = { ...sent, ...redactReply(operation, record, sent) };
  return Object.keys(kept).length === 0 ? undefined : JSON.stringify(kept);
}

function redactReply(
  operation: NamedOperation,
  { status, refusal, replied, sent }: RequestRecord,
  kept: LoggedBodies,
): Pick<LoggedBodies, 'reply'> {
  if (refusal) return { reply: redactRefusal(operation, refusal, { sent, kept }) };
  const schema = status === statusOf(operation) ? operation.reply : operation.otherReplies?.[status];
  if (!schema || !replied || replied.length > REPLY_MAX_CHARACTERS) return {};
  return { reply: redactBySchema(schema)(JSON.parse(replied)) };
}
