import { createHash } from 'node:crypto';
import type { ReadEvent } from '#capabilities/connectors/apply-events.ts';
import { aboutEvent, openBreak } from '#capabilities/connectors/break-store.ts';
import {
  claimReader,
  endReading,
  eventContext,
  type ListedEvent,
  loseCursor,
  type StoredEvent,
  storePage,
} from '#capabilities/connectors/event-store.ts';
import { findReported } from '#capabilities/connectors/people-store.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { type ConnectorClient, reportOf } from '#edge/providers/connectors/client.ts';
import { DOWN_EVERY_MS, LEASE_MS } from '#edge/providers/connectors/settings.ts';
import {
  type ConnectorEvent,
  checkEvent,
  EVENTS_MAX,
  type EventPage,
  hasEnvelope,
  isKnownEvent,
  type UnknownEvent,
} from '#foundation/connector-protocol/events.ts';
import { describe } from '#foundation/connector-protocol/read-answer.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';
import { isStorable } from '#foundation/lib/storable.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/** The way in for what connectors report: raw bodies are verified, stored, and only then applied (connectors.md §6). */
export interface IntakeParts {
  readonly client: ConnectorClient;
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
}

/** Until its capabilities are known. */
const POLL_SECONDS = 5;

/** Reads the pages of events that are due, if no other worker does. Returns the number of new events. */
export async function readDueEvents(parts: IntakeParts, connector: ConnectorRow): Promise<number> {
  const { database, clock } = parts;
  const reader = newUuid() as string;
  const now = new Date(clock.now());
  const until = new Date(now.getTime() + LEASE_MS);
  const place = await claimReader(database.query, connector.id, { reader, now, until });
  if (!place) return 0;
  let waitMs = DOWN_EVERY_MS;
  let stored = 0;
  try {
    const read = await readPages(parts, connector, { ...place, reader });
    stored = read.stored;
    if (read.outcome === 'more') waitMs = 0;
    if (read.outcome === 'complete') waitMs = (connector.capabilities?.pollSeconds ?? POLL_SECONDS) * 1_000;
  } finally {
    await endReading(database.query, connector.id, reader, new Date(clock.now() + waitMs));
  }
  return stored;
}

interface ReadPages {
  readonly stored: number;
  /** `stopped`: it did not answer, or another worker reads now. */
  readonly outcome: 'complete' | 'more' | 'stopped';
}

/** At most so many pages at a time: others wait for this process too, and what is stored has to be applied. */
const PAGES_MAX = 20;

async function readPages(
  parts: IntakeParts,
  connector: ConnectorRow,
  { cursor: from, reader }: { cursor: string | null; reader: string },
): Promise<ReadPages> {
  const { database, clock, client } = parts;
  let cursor = from;
  let stored = 0;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { after: cursor ?? undefined, limit: String(EVENTS_MAX) };
    const answer = await client.call(connector, 'listEvents', { query });
    const now = new Date(clock.now());
    if (answer.kind === 'refusal' && answer.status === 410)
      await loseCursor(database.query, connector.id, reader, now);
    if (answer.kind !== 'answer') return { stored, outcome: 'stopped' };
    const { body, store } = answer;
    const events = await sealPage(parts, connector, body.events);
    const until = new Date(now.getTime() + LEASE_MS);
    const kept = await storePage(database, connector.id, {
      ...{ reader, store, events },
      next: body.next,
      now,
      until,
    });
    if (!kept) return { stored, outcome: 'stopped' };
    for (const id of kept.differing) await breakDuplicate(parts, connector, id);
    stored += kept.stored;
    cursor = body.next;
    if (!body.more) return { stored, outcome: 'complete' };
  }
  return { stored, outcome: 'more' };
}

function breakDuplicate(
  { database, clock }: IntakeParts,
  connector: ConnectorRow,
  eventId: string,
): Promise<void> {
  const what = 'The connector lists an event again with other content.';
  const found = { kind: 'DUPLICATE' as const, what, about: aboutEvent(eventId), platformId: null };
  return openBreak(
    database.query,
    { ...found, id: newUuid(), connectorId: connector.id },
    new Date(clock.now()),
  );
}

/** Seals each event for the customer whom it is about, or for the strangers of the month. */
async function sealPage(
  parts: IntakeParts,
  { id }: ConnectorRow,
  page: EventPage['events'],
): Promise<ListedEvent[]> {
  const events = page.map(listed);
  const abouts = events.map(({ about }) => about);
  const people = await findReported(parts.database.query, id, abouts);
  return fetchingKeys(parts.personKeys, NIL_ID, async () =>
    events.map(({ text, ...event }) => {
      const sealedFor = peopleOfReport(parts, people.get(event.about) ?? []);
      return { ...event, body: parts.vault.sealFor(sealedFor, text, eventContext(id, event.id)) };
    }),
  );
}

type ReadEventText = Omit<ListedEvent, 'body'> & { readonly text: string };

function listed(event: EventPage['events'][number]): ReadEventText {
  const { text, isFaulty } = write(event);
  const hash = createHash('sha256').update(text).digest();
  const named = hasEnvelope(event) ? event : { ...NAMELESS, id: `nameless-${hash.toString('hex')}` };
  return {
    ...{ id: named.id, type: isFaulty ? NAMELESS.type : named.type, at: parseDateTime(named.at) },
    ...{ about: subjectOf(event) ?? named.id.toLowerCase(), hash, text },
  };
}

/**
 * The text of an event that is kept. An event with half of a surrogate pair, with a number beyond all bounds, or that is
 * nested too deeply has no canonical text: it is faulty, and holds up no other event.
 */
function write(event: object): { readonly text: string; readonly isFaulty: boolean } {
  try {
    return { text: canonicalJson(event), isFaulty: false };
  } catch {
    return { text: writeFaulty(event), isFaulty: true };
  }
}

function writeFaulty(event: object): string {
  try {
    return JSON.stringify(event);
  } catch {
    const plain = Object.entries(event).filter(([, value]) => typeof value !== 'object');
    return JSON.stringify(Object.fromEntries(plain));
  }
}

/** Stands for an event whose id, type or time cannot be read. */
const NAMELESS = { type: 'MALFORMED', at: '1970-01-01T00:00:00Z' };
const ABOUT_MAX = 128;

/** The member that names what an event is about. Others with such a name are unknown members, which mean nothing. */
const SUBJECTS = new Map<unknown, string>([
  ['CREDIT', 'creditId'],
  ['CREDIT_REVERSED', 'creditId'],
  ['ACCOUNT', 'accountId'],
]);

function subjectOf(event: object): string | undefined {
  const members = event as Readonly<Record<string, unknown>>;
  const name = members[SUBJECTS.get(members.type) ?? 'reference'];
  const isRight = typeof name === 'string' && name.length <= ABOUT_MAX && isStorable(name);
  return isRight ? name.toLowerCase() : undefined;
}

/** Opens and translates a stored event. */
export function readStored({ vault }: Pick<IntakeParts, 'vault'>, stored: StoredEvent): ReadEvent {
  const context = eventContext(stored.connector_id, stored.event_id);
  const text = stored.body === null ? undefined : vault.openKept(stored.body, context);
  // A person sees it, and the connector is asked about the order.
  if (text === undefined) return { kind: 'MALFORMED', what: 'The customer of the event was erased.' };
  const event = JSON.parse(text) as ConnectorEvent | UnknownEvent;
  const what = faultOf(stored, event);
  if (what !== undefined) return { kind: 'MALFORMED', what: `The event cannot be read: ${what}.` };
  if (!isKnownEvent(event)) return { kind: 'OTHER' };
  switch (event.type) {
    case 'ORDER':
      return { kind: 'ORDER', report: reportOf(event) };
    case 'CREDIT':
      return { kind: 'CREDIT', credit: { ...event, amount: BigInt(event.amount) } };
    case 'CREDIT_REVERSED':
      return { kind: 'CREDIT_REVERSED', reversal: { ...event, amount: BigInt(event.amount) } };
    case 'ACCOUNT':
      return { kind: 'ACCOUNT', account: event };
    case 'NAME_CHECK':
      return { kind: 'NAME_CHECK', name: event };
    case 'STATEMENT':
      return { kind: 'STATEMENT', asked: event };
    default:
      return { kind: 'OTHER' };
  }
}

/** Its keys and values stay in the sealed event: the sentence names only members of the protocol. */
function faultOf({ type }: StoredEvent, event: ConnectorEvent | UnknownEvent): string | undefined {
  const isFaulty = type === NAMELESS.type;
  return (
    describe(checkEvent(event)) ?? (isFaulty ? 'it has a text or a number that cannot be kept' : undefined)
  );
}
