import type { ApplyParts, RequestEvent } from '#capabilities/connectors/apply-events.ts';
import { postpone } from '#capabilities/connectors/apply-events.ts';
import { claimEvents, markApplied } from '#capabilities/connectors/apply-store.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { applyAccount, applyName } from '#capabilities/connectors/requests/record-request.ts';
import { findRequestPlatforms, lockRequest } from '#capabilities/connectors/requests/request-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid, parseId } from '#foundation/lib/ids.ts';

/** The bare id of the account that an event is about; undefined: it names none. */
function subjectOf(event: RequestEvent): string | undefined {
  return event.kind === 'ACCOUNT'
    ? parseId('InternalAccount', event.account.accountId)
    : parseId('ExternalAccount', event.name.reference);
}

/** Applies events about accounts and names, each in a commit that marks it so (connectors.md §6.2). */
export async function applyRequests(
  parts: ApplyParts,
  connector: ConnectorRow,
  events: readonly RequestEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { database } = parts.runtime;
  const subjects = events.flatMap((event) => subjectOf(event) ?? []);
  const platforms = await findRequestPlatforms(database.query, connector.id, subjects);
  for (const event of events) {
    const subject = subjectOf(event) ?? '';
    try {
      const platformId = platforms.get(subject);
      if (platformId === undefined) await breakStranger(parts, connector, event);
      else await applyOne(parts, { connector, event, platformId, subject });
    } catch (error) {
      await postpone(parts, event.event, error);
    }
  }
}

interface One {
  readonly connector: ConnectorRow;
  readonly event: RequestEvent;
  readonly platformId: PlatformId;
  readonly subject: string;
}

async function applyOne({ runtime, actor }: ApplyParts, { connector, event, platformId, subject }: One) {
  const platform = await findPlatform(runtime.database.query, platformId);
  if (!platform) throw new Error(`no platform ${platformId}`);
  await new Work(runtime, platform, actor).write(async (tx) => {
    const run: Run = (piece) => tx.query(piece);
    if ((await claimEvents(run, connector.id, [event.event])).size === 0) return;
    await applyTo(tx, connector, event, subject);
    await markApplied(run, event.event, 'applied', realNow(tx));
  });
}

async function applyTo(tx: Tx, connector: ConnectorRow, event: RequestEvent, subject: string): Promise<void> {
  const row = await lockRequest(tx, event.kind, subject);
  if (!row) return;
  if (event.kind === 'ACCOUNT') await applyAccount(tx, connector, row, event.account);
  else await applyName(tx, row, event.name);
}

/** The connector was never asked about this account. */
async function breakStranger(
  { runtime }: ApplyParts,
  connector: ConnectorRow,
  event: RequestEvent,
): Promise<void> {
  const now = new Date(runtime.clock.now());
  await runtime.database.transaction(async (run) => {
    if ((await claimEvents(run, connector.id, [event.event])).size === 0) return;
    const what = 'The connector reports an account that it was never asked about.';
    const about = { about: event.event.about, platformId: null, connectorId: connector.id };
    await openBreak(run, { kind: 'CONTRADICTION', what, ...about, id: newUuid() }, now);
    await markApplied(run, event.event, 'unknown account', now);
  });
}
