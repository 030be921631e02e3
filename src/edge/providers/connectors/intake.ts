import { createHash } from 'node:crypto';
import type { ReadEvent } from '#capabilities/connectors/apply-events.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import {
  claimReader,
  endReading,
  type ListedEvent,
  type StoredEvent,
  storePage,
} from '#capabilities/connectors/event-store.ts';
import { pause } from '#capabilities/connectors/registry-store.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { type ConnectorClient, reportOf } from '#edge/providers/connectors/client.ts';
import { DOWN_EVERY_MS, LEASE_MS } from '#edge/providers/connectors/settings.ts';
import {
  type ConnectorEvent,
  EVENTS_MAX,
  type EventPage,
  isKnownEvent,
  type UnknownEvent,
} from '#foundation/connector-protocol/events.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Database } from '#foundation/database/database.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/** The way in for what connectors report: raw bodies are verified, stored, and only then applied (connectors.md §6). */
export interface IntakeParts {
  readonly client: ConnectorClient;
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
}

/** Until its capabilities are known. */
const POLL_SECONDS = 5;

/** Reads the pages of events that are due, if no other worker does. Returns the number of new events. */
export async function readDueEvents(parts: IntakeParts, connector: ConnectorRow): Promise<number> {
  const { database, clock } = parts;
  const reader = newUuid() as string;
  const now = new Date(clock.now());
  const until = new Date(now.getTime() + LEASE_MS);
  if (!(await claimReader(database.query, connector.id, { reader, now, until }))) return 0;
  let waitMs = DOWN_EVERY_MS;
  let stored = 0;
  try {
    const read = await readPages(parts, connector, reader);
    stored = read.stored;
    if (read.isComplete) waitMs = (connector.capabilities?.pollSeconds ?? POLL_SECONDS) * 1_000;
  } finally {
    await endReading(database.query, connector.id, reader, new Date(clock.now() + waitMs));
  }
  return stored;
}

/** At most so many pages at a time: others wait for this process too, and what is stored has to be applied. */
const PAGES_MAX = 20;

async function readPages(parts: IntakeParts, connector: ConnectorRow, reader: string) {
  const { database, clock, client } = parts;
  let { cursor } = connector;
  let stored = 0;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { after: cursor ?? undefined, limit: String(EVENTS_MAX) };
    const answer = await client.call(connector, 'listEvents', { query });
    const now = new Date(clock.now());
    if (answer.kind === 'refusal' && answer.status === 410)
      await pause(database.query, connector.id, 'CURSOR', now);
    if (answer.kind !== 'answer') return { stored, isComplete: false };
    const { body } = answer;
    const events = body.events.map((event) => listed(parts, connector, event));
    const until = new Date(now.getTime() + LEASE_MS);
    const kept = await storePage(database, connector.id, { reader, events, next: body.next, now, until });
    if (!kept) return { stored, isComplete: false };
    for (const id of kept.differing) await breakDuplicate(parts, connector, id);
    stored += kept.stored;
    cursor = body.next;
    if (!body.more) return { stored, isComplete: true };
  }
  return { stored, isComplete: false };
}

function breakDuplicate(
  { database, clock }: IntakeParts,
  connector: ConnectorRow,
  eventId: string,
): Promise<void> {
  const what = `The connector lists event ${eventId} again with other content.`;
  const found = { kind: 'DUPLICATE' as const, what, about: eventId, platformId: null };
  return openBreak(
    database.query,
    { ...found, id: newUuid(), connectorId: connector.id },
    new Date(clock.now()),
  );
}

function listed(
  { vault }: IntakeParts,
  { id }: ConnectorRow,
  event: EventPage['events'][number],
): ListedEvent {
  const text = canonicalJson(event);
  const { reference, creditId, accountId } = event as Record<string, unknown>;
  const about = [reference, creditId, accountId].find((name) => typeof name === 'string') ?? event.id;
  return {
    ...{ id: event.id, type: event.type, at: new Date(event.at), about: String(about).toLowerCase() },
    hash: createHash('sha256').update(text).digest(),
    body: vault.seal(text, eventContext(id, event.id)),
  };
}

function eventContext(connectorId: string, eventId: string): string {
  return `connector_events.body:${connectorId}:${eventId}`;
}

/** Opens and translates a stored event. */
export function readStored({ vault }: Pick<IntakeParts, 'vault'>, stored: StoredEvent): ReadEvent {
  const text = vault.open(stored.body, eventContext(stored.connector_id, stored.event_id)).toString();
  const event = JSON.parse(text) as ConnectorEvent | UnknownEvent;
  if (!isKnownEvent(event) || event.type !== 'ORDER') return { kind: 'OTHER' };
  return { kind: 'ORDER', report: reportOf(event) };
}
