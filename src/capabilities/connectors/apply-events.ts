import {
  claimEvents,
  listAside,
  listFresh,
  markApplied,
  markKept,
  moveMark,
  postponeEvent,
  setFollowersAside,
} from '#capabilities/connectors/apply-store.ts';
import { aboutEvent, openBreak } from '#capabilities/connectors/break-store.ts';
import { askAbout } from '#capabilities/connectors/call-store.ts';
import type { StoredEvent } from '#capabilities/connectors/event-store.ts';
import { findOrderPlatforms } from '#capabilities/connectors/order-store.ts';
import { recordReport } from '#capabilities/connectors/record-answer.ts';
import type {
  ConnectorRow,
  OrderReport,
  ReportedCredit,
  ReportedReversal,
} from '#capabilities/connectors/row.ts';
import type { AccountReport, NameCheckReport } from '#foundation/connector-protocol/bank-records.ts';
import type { Run } from '#foundation/database/database.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Actor, Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { delayAfterFailure } from '#foundation/jobs/handlers.ts';
import { isUuid, newUuid } from '#foundation/lib/ids.ts';

/** What the content of a stored event means; the protocol's side reads it. */
export type ReadEvent =
  | { readonly kind: 'ORDER'; readonly report: OrderReport }
  | { readonly kind: 'CREDIT'; readonly credit: ReportedCredit }
  | { readonly kind: 'CREDIT_REVERSED'; readonly reversal: ReportedReversal }
  | { readonly kind: 'ACCOUNT'; readonly account: AccountReport }
  | { readonly kind: 'NAME_CHECK'; readonly name: NameCheckReport }
  /** A statement can be fetched. */
  | { readonly kind: 'STATEMENT'; readonly asked: AskedStatement }
  /** It breaks its schema; `what` says how. */
  | { readonly kind: 'MALFORMED'; readonly what: string }
  /** An event of another type is kept. */
  | { readonly kind: 'OTHER' };

export interface AskedStatement {
  readonly settlementAccount: string;
  readonly date: string;
}

/** Money that came into a settlement account, or that the bank took back. */
export type MoneyEvent = Extract<ReadEvent, { kind: 'CREDIT' | 'CREDIT_REVERSED' }> & {
  readonly event: StoredEvent;
};

/** An answer to what a connector was asked besides orders. */
export type RequestEvent = Extract<ReadEvent, { kind: 'ACCOUNT' | 'NAME_CHECK' }> & {
  readonly event: StoredEvent;
};

export interface ApplyParts {
  readonly runtime: Runtime;
  readonly actor: Actor;
  /** Opens and parses the content. */
  read(event: StoredEvent): ReadEvent;
  /** Both apply these events, each in a commit that marks it so. */
  applyMoney(parts: ApplyParts, connector: ConnectorRow, events: readonly MoneyEvent[]): Promise<void>;
  applyRequests(parts: ApplyParts, connector: ConnectorRow, events: readonly RequestEvent[]): Promise<void>;
  /** Fetches and keeps a statement, in a commit that marks the event; throws if it is not there yet. */
  applyStatement(connector: ConnectorRow, event: StoredEvent, asked: AskedStatement): Promise<void>;
  onFailure(error: unknown, event: StoredEvent): void;
}

const BATCH = 100;

/** Applies the next stored events of a connector, each in a commit that marks it so. Returns how many were handled. */
export async function applyEvents(parts: ApplyParts, connector: ConnectorRow): Promise<number> {
  const { database, clock } = parts.runtime;
  const now = new Date(clock.now());
  const fresh = await listFresh(database.query, connector.id, BATCH);
  const aside = await listAside(database.query, connector.id, now, BATCH);
  const followers = await setFollowersAside(database.query, connector.id, fresh);
  const events = [...aside, ...firstAboutEach(fresh.filter(({ seq }) => !followers.has(seq)))];
  await applyAll(parts, connector, events, now);
  const last = fresh.at(-1);
  if (last) await moveMark(database.query, connector.id, last.seq);
  return events.length + followers.size;
}

/** A later event about the same thing is applied once this one is, or set aside with it. */
function firstAboutEach(events: readonly StoredEvent[]): StoredEvent[] {
  const seen = new Set<string>();
  return events.filter(({ about }) => !seen.has(about) && seen.add(about));
}

async function applyAll(
  parts: ApplyParts,
  connector: ConnectorRow,
  events: readonly StoredEvent[],
  now: Date,
): Promise<void> {
  const { database, personKeys } = parts.runtime;
  await personKeys.loadFor(events.map(({ body }) => body));
  const { reports, money, requests, statements, malformed, others } = await readAll(parts, events);
  const platforms = await findOrderPlatforms(
    database.query,
    connector.id,
    reports.map(({ report }) => report.reference),
  );
  if (others.length > 0) await keepOthers(database.transaction, connector, others, now);
  if (malformed.length > 0) await breakMalformed(database.transaction, connector, malformed, now);
  const byPlatform = Map.groupBy(reports, ({ report }) => platforms.get(report.reference));
  for (const [platformId, batch] of byPlatform) {
    if (platformId === undefined) await reportUnknown(parts, connector, batch);
    else await applyForPlatform(parts, { connector, platformId, batch });
  }
  await parts.applyMoney(parts, connector, money);
  await parts.applyRequests(parts, connector, requests);
  for (const { event, asked } of statements) {
    await parts.applyStatement(connector, event, asked).catch((error) => postpone(parts, event, error));
  }
}

async function keepOthers(
  transaction: Runtime['database']['transaction'],
  connector: ConnectorRow,
  events: readonly StoredEvent[],
  now: Date,
): Promise<void> {
  await transaction(async (run) => {
    const ours = await claimEvents(run, connector.id, events);
    const kept = events.filter(({ seq }) => ours.has(seq));
    await markKept(run, connector.id, kept, now);
  });
}

interface MalformedEvent {
  readonly event: StoredEvent;
  readonly what: string;
}

/** connectors.md §6.4: a person sees it; if it is about an order, the connector is asked about that order. */
async function breakMalformed(
  transaction: Runtime['database']['transaction'],
  connector: ConnectorRow,
  malformed: readonly MalformedEvent[],
  now: Date,
): Promise<void> {
  await transaction(async (run) => {
    const ours = await claimEvents(run, connector.id, eventsOf(malformed));
    for (const { event, what } of malformed) {
      if (!ours.has(event.seq)) continue;
      const found = { kind: 'MALFORMED' as const, what, about: aboutEvent(event.event_id), platformId: null };
      await openBreak(run, { ...found, id: newUuid(), connectorId: connector.id }, now);
      if (isUuid(event.about)) await askAbout(run, connector.id, event.about, now);
      await markApplied(run, event, 'malformed', now);
    }
  });
}

interface ReadEvents {
  readonly reports: ReportedOrder[];
  readonly money: MoneyEvent[];
  readonly requests: RequestEvent[];
  readonly statements: { readonly event: StoredEvent; readonly asked: AskedStatement }[];
  readonly malformed: MalformedEvent[];
  readonly others: StoredEvent[];
}

/** Opens the events, each by itself: one that cannot be opened is tried again later. */
async function readAll(parts: ApplyParts, events: readonly StoredEvent[]): Promise<ReadEvents> {
  const read: ReadEvents = {
    ...{ reports: [], money: [], requests: [] },
    ...{ statements: [], malformed: [], others: [] },
  };
  for (const event of events) {
    try {
      const content = parts.read(event);
      if (content.kind === 'ORDER') read.reports.push({ event, report: content.report });
      else if (content.kind === 'CREDIT' || content.kind === 'CREDIT_REVERSED')
        read.money.push({ ...content, event });
      else if (content.kind === 'ACCOUNT' || content.kind === 'NAME_CHECK')
        read.requests.push({ ...content, event });
      else if (content.kind === 'STATEMENT') read.statements.push({ event, asked: content.asked });
      else if (content.kind === 'MALFORMED') read.malformed.push({ event, what: content.what });
      else read.others.push(event);
    } catch (error) {
      await postpone(parts, event, error);
    }
  }
  return read;
}

interface ReportedOrder {
  readonly event: StoredEvent;
  readonly report: OrderReport;
}

/** connectors.md §6.5: the connector was never given these orders. */
async function reportUnknown(
  { runtime }: ApplyParts,
  connector: ConnectorRow,
  batch: readonly ReportedOrder[],
): Promise<void> {
  const now = new Date(runtime.clock.now());
  await runtime.database.transaction(async (run) => {
    const ours = await claimEvents(run, connector.id, eventsOf(batch));
    for (const { event, report } of batch) {
      if (!ours.has(event.seq)) continue;
      await breakUnknown(run, connector, report, now);
      await markApplied(run, event, 'unknown order', now);
    }
  });
}

function breakUnknown(run: Run, connector: ConnectorRow, report: OrderReport, now: Date): Promise<void> {
  const { reference, state, total } = report;
  const what = `The connector reports ${state} of an order that it was never given.`;
  const found = { kind: 'CONTRADICTION' as const, what, ...total };
  return openBreak(
    run,
    { ...found, id: newUuid(), connectorId: connector.id, platformId: null, about: reference },
    now,
  );
}

interface PlatformBatch {
  readonly connector: ConnectorRow;
  readonly platformId: PlatformId;
  readonly batch: readonly ReportedOrder[];
}

/** In one commit; if it fails, each event by itself, so that one that fails holds up its own order alone. */
async function applyForPlatform(parts: ApplyParts, given: PlatformBatch): Promise<void> {
  try {
    await applyTogether(parts, given);
  } catch (error) {
    const [only, ...more] = given.batch;
    if (only && more.length === 0) return postpone(parts, only.event, error);
    for (const one of given.batch) await applyForPlatform(parts, { ...given, batch: [one] });
  }
}

async function applyTogether(
  { runtime, actor }: ApplyParts,
  { connector, platformId, batch }: PlatformBatch,
): Promise<void> {
  const platform = await findPlatform(runtime.database.query, platformId);
  if (!platform) throw new Error(`no platform ${platformId}`);
  await new Work(runtime, platform, actor).write(async (tx) => {
    const run: Run = (piece) => tx.query(piece);
    const ours = await claimEvents(run, connector.id, eventsOf(batch));
    for (const { event, report } of batch) {
      if (!ours.has(event.seq)) continue;
      const outcome = await recordReport(tx, connector, report);
      if (outcome === 'unknown order')
        await breakUnknown(run, connector, report, new Date(runtime.clock.now()));
      await markApplied(run, event, outcome, new Date(runtime.clock.now()));
    }
  });
}

/** The event is tried again later, and holds up only what it is about. */
export async function postpone(
  { runtime, onFailure }: ApplyParts,
  event: StoredEvent,
  error: unknown,
): Promise<void> {
  onFailure(error, event);
  const dueAt = new Date(runtime.clock.now() + delayAfterFailure(event.failures + 1));
  await postponeEvent(runtime.database.query, event, dueAt);
}

function eventsOf(items: readonly { readonly event: StoredEvent }[]): StoredEvent[] {
  return items.map(({ event }) => event);
}
