import type { BreakRow } from '#capabilities/connectors/break-store.ts';
import { type ConnectorRow, type RouteRow, withoutCredentials } from '#capabilities/connectors/row.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { isCode, maskValue } from '#foundation/records/mask-value.ts';

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
    ...{ clientCertificateUntil: row.client_certificate_until, createdAt: row.created_at },
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
    owner: row.owner && publicId('Operator', row.owner),
    ...{ openedAt: row.opened_at, resolvedAt: row.resolved_at },
  };
}

/** A break as operators see it over HTTP. A person at the command line sees the whole `about`. */
export function presentShownBreak(row: BreakRow) {
  return { ...presentBreak(row), about: maskAbout(row.about) };
}

/** Connectors and banks choose these ids freely, so only the ends of those that could be texts are shown. */
const THEIR_IDS = /^(credit|event|statement|gap before) (.+)$/s;
/** The texts that the service itself writes. */
const OUR_WORDS = /^(?:proof of|line|entry|file) /;

function maskAbout(about: string): string {
  const [, sort, id = ''] = THEIR_IDS.exec(about) ?? [];
  if (sort !== undefined) return `${sort} ${maskId(id)}`;
  return OUR_WORDS.test(about) ? about : maskId(about);
}

export function maskId(id: string): string {
  return isCode(id) ? id : String(maskValue('number', id));
}
