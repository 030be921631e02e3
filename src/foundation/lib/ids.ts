import { hash, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The resource types that may precede the colon of a public id (platform.md §1.2.1). */
const RESOURCE_TYPES = [
  'Customer',
  'BeneficialOwner',
  'Document',
  'Verification',
  'InternalAccount',
  'ExternalAccount',
  'Quote',
  'Transaction',
  'Card',
  'Lookup',
  'Job',
  'AuthMethod',
  'Session',
  'Request',
  'DelegatedKey',
  'ScaChallenge',
  'Agent',
  'AgentAction',
  'Stablecoin',
  'StablecoinOperation',
  'StablecoinProviderAccount',
  'Token',
  'Webhook',
  'PlatformConfig',
  'Platform',
  'ScaReset',
  'CardFundingSource',
  'JournalEntry',
  'RequestLog',
  'WebhookKey',
  'DueItem',
  'Operator',
  'Proposal',
  'BreakGlass',
  'ConnectorKey',
  'Break',
] as const;

export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** Rows that have an id, but no public one: `Code` is a one-time code, `Content` an uploaded file. */
type IdKind =
  | ResourceType
  | 'Code'
  | 'Content'
  | 'AuditRow'
  | 'RecordRead'
  | 'WorkTake'
  | 'Message'
  | 'Challenge'
  | 'Link'
  | 'ConsoleSession'
  | 'OperatorSession';

declare const kind: unique symbol;

declare global {
  /**
   * A bare UUID as the database holds it, of one kind of row: `Id<'Customer'>` cannot be passed where `Id<'Card'>` is
   * expected. Global, because nearly every file names ids. An id comes from `newId`, from the parsers below, or from a row
   * whose interface declares it; nothing else turns a string into one.
   */
  type Id<T extends IdKind = IdKind> = string & { readonly [kind]: T };

  type PlatformId = Id<'Platform'>;
  type CustomerId = Id<'Customer'>;
  type AccountId = Id<'InternalAccount'>;
  type ExternalAccountId = Id<'ExternalAccount'>;
  type TransactionId = Id<'Transaction'>;
  type QuoteId = Id<'Quote'>;
  type CardId = Id<'Card'>;
  type AgentId = Id<'Agent'>;
  type CoinId = Id<'Stablecoin'>;
  type LinkId = Id<'StablecoinProviderAccount'>;
  type CredentialId = Id<'AuthMethod'>;
  type EventId = Id<'Webhook'>;
}

/** A public id, in requests and replies: `Quote:01890a5d-…`. It is text of another form than an `Id`, so neither is the other. */
export type PublicId<T extends ResourceType = ResourceType> = `${T}:${string}`;

/**
 * A source of new UUIDs; injected, so that tests and examples can choose them. A caller that creates a resource with a
 * public id passes its type.
 */
export type IdSource = <T extends IdKind>(type?: T & ResourceType) => Id<T>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id of no row. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000' as Id<never>;

const RANDOM_BYTES = 16;
/** Filled for many ids at once: one system call for each id would take longer than all the rest. */
const randomness = new Uint8Array(RANDOM_BYTES * 256);
let used = randomness.length;
let lastMs = 0;
/** Counts within a millisecond, so that ids sort in the order of their creation. */
let sequence = 0;

/** Time-ordered UUID. Unless its kind is named, it fits every kind. */
export function newUuid<T extends IdKind = never>(): Id<T> {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  const random = randomness.subarray(used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // Begins at random in the lower half of its 32 bits, which leaves room to count up.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    sequence++;
  }
  return v7({ random, msecs: lastMs, seq: sequence }) as Id<T>;
}

export function isUuid(text: string): text is Id {
  return UUID.test(text);
}

export function publicId<T extends ResourceType>(type: T, uuid: string): PublicId<T> {
  return `${type}:${uuid}`;
}

const PUBLIC_ID = new RegExp(`^(${RESOURCE_TYPES.join('|')}):${UUID.source.slice(1)}`);

export function isPublicId(text: string): boolean {
  return PUBLIC_ID.test(text);
}

/** The kind of resource that a public id names; undefined if the text is not a public id. */
export function typeOfId(text: string): ResourceType | undefined {
  return isPublicId(text) ? (text.slice(0, text.indexOf(':')) as ResourceType) : undefined;
}

/** The bare UUID of `Type:<uuid>` or, where allowed, of a bare UUID; undefined for anything else. */
export function parseId<T extends ResourceType>(
  type: T,
  text: string,
  form: 'full' | 'any' = 'any',
): Id<T> | undefined {
  const prefix = `${type}:`;
  if (text.startsWith(prefix)) {
    const uuid = text.slice(prefix.length);
    return isUuid(uuid) ? (uuid as Id<T>) : undefined;
  }
  return form === 'any' && isUuid(text) ? (text as Id<T>) : undefined;
}

/** The bare UUID of a public id whose form the schema of the request has already checked. */
export function bareId<T extends ResourceType>(id: PublicId<T>): Id<T> {
  return id.slice(id.indexOf(':') + 1) as Id<T>;
}

/** A client id, which names a token as its id does: 32 hexadecimal digits in lower case (platform.md §1.3.5). */
export function isClientId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/**
 * A UUID computed from another one and a word, always the same for both. Its timestamp is `at`, or that of the other id,
 * so that new rows stay together in their index.
 */
export function derivedId<T extends IdKind>(from: string, word: string, at?: Date): Id<T> {
  const digest = hash('sha256', `${from}\0${word}`, 'buffer');
  const time = at
    ? at.getTime().toString(16).padStart(12, '0').slice(-12)
    : from.slice(0, 8) + from.slice(9, 13);
  digest[0] = 0x70 | ((digest[0] ?? 0) & 0x0f);
  digest[2] = 0x80 | ((digest[2] ?? 0) & 0x3f);
  const rest = digest.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8, 20)}` as Id<T>;
}

/** The sandbox chooses an outcome by such an ending, and an id may stand in for a name that the request did not give. */
const RESERVED_ENDING = /00[0-9]$/;

/** Ids of both environments never have a reserved ending (platform.md §1.2.1). */
export function withoutReservedEndings(newId: IdSource): IdSource {
  return <T extends IdKind>(type?: T & ResourceType) => {
    let id = newId<T>(type);
    while (RESERVED_ENDING.test(id)) id = newId<T>(type);
    return id;
  };
}
