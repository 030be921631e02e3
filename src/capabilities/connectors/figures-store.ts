import { type Sql, sql } from '#foundation/database/sql.ts';

/** Figures about connectors for the metrics; each reads open rows only. */

export interface ConnectorFigures {
  readonly connector: string;
  readonly up: number;
  readonly paused: number;
  readonly unknown: number;
  readonly oldest_unknown_seconds: number;
  readonly event_lag_seconds: number;
}

/** An order is unknown while its connector has not said whether it has it. */
export function connectorFigures(now: Date): Sql {
  return sql`
    select c.name as connector, (c.down_since is null)::integer as up, (c.paused_because is not null)::integer as paused,
           u.count::integer as unknown, u.oldest::float8 as oldest_unknown_seconds,
           greatest(0, extract(epoch from ${now}::timestamptz - coalesce(c.events_read_at, c.created_at)))::float8
             as event_lag_seconds
      from connectors c
     cross join lateral (
       select count(*) as count, coalesce(extract(epoch from ${now}::timestamptz - min(o.asked_at)), 0) as oldest
         from connector_orders o
        where o.connector_id = c.id and o.call is not null and o.status = 'ASKED') u
     where c.removed_at is null
     order by c.name`;
}

export interface OpenOrders {
  readonly connector: string;
  readonly state: string;
  readonly count: number;
}

export function openOrders(): Sql {
  return sql`
    select c.name as connector, coalesce(lower(o.state), lower(o.status)) as state, count(*)::integer as count
      from connector_orders o join connectors c on c.id = o.connector_id
     where o.ended_at is null and o.status in ('ROUTED', 'ASKED', 'TAKEN', 'CONFLICT')
     group by 1, 2 order by 1, 2`;
}
