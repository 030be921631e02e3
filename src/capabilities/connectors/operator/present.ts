import type { BreakRow } from '#capabilities/connectors/break-store.ts';
import { type ConnectorRow, type RouteRow, withoutCredentials } from '#capabilities/connectors/row.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** A connector, for commands and for operators over HTTP. */
export function presentConnector(row: ConnectorRow) {
  return {
    name: row.name,
    url: withoutCredentials(row.url),
    state: stateOf(row),
    pausedBecause: row.paused_because,
    pausedSince: row.paused_at,
    downSince: row.down_since,
    isTest: row.capabilities?.test ?? null,
    ...{ store: row.store, answeredAt: row.answered_at },
    ...{ silences: row.silences, silentAt: row.silent_at, silenceWhy: row.silence_why },
    ...{ cursor: row.cursor, eventsReadAt: row.events_read_at },
    ...{ capabilitiesReadAt: row.capabilities_read_at, capabilitiesTrouble: row.capabilities_trouble },
    createdAt: row.created_at,
  };
}

function stateOf({ paused_because, down_since }: ConnectorRow): 'UP' | 'DOWN' | 'PAUSED' {
  if (paused_because !== null) return 'PAUSED';
  return down_since === null ? 'UP' : 'DOWN';
}

export function presentRoute(row: RouteRow, connector: string) {
  const { number, platform_id, least, most, rail, currency, kind, country } = row;
  return {
    ...{ number, connector, rail, currency, kind, country },
    platform: platform_id && publicId('Platform', platform_id),
    ...{ least: least?.toString() ?? null, most: most?.toString() ?? null },
  };
}

export function presentBreak(row: BreakRow) {
  return {
    id: publicId('Break', row.id),
    ...{ connector: row.connector, kind: row.kind, what: row.what, about: row.about },
    platform: row.platform_id && publicId('Platform', row.platform_id),
    transaction: row.transaction_id && publicId('Transaction', row.transaction_id),
    ...{ amount: row.amount?.toString() ?? null, currency: row.currency },
    ...{ openedAt: row.opened_at, resolvedAt: row.resolved_at },
  };
}
