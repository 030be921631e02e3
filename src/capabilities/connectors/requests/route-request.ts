import { listServing, takesOrders, type WantedService } from '#capabilities/connectors/choose-route.ts';
import { listConnectors, listRoutes } from '#capabilities/connectors/registry-store.ts';
import { giveUpName, isOverdueName } from '#capabilities/connectors/requests/record-request.ts';
import type { RequestKind, RequestRow } from '#capabilities/connectors/requests/request-row.ts';
import { changeRequest, lockRequest, routeRequest } from '#capabilities/connectors/requests/request-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Work } from '#foundation/database/work.ts';
import { doublingDelayMs } from '#foundation/jobs/handlers.ts';

/** When a request looks for a route again, while all that fit are paused or down. The delay doubles, up to a minute. */
const WAIT_MS = 10_000;
const WAIT_MAX_MS = 60_000;

export type Wanted = Pick<RequestRow, 'kind' | 'platform_id' | 'currency' | 'account_types'>;

function serviceOf({ kind, platform_id: platformId, currency, account_types: types }: Wanted): WantedService {
  return {
    ...{ kind, platformId, currency },
    isIn: ({ accounts = [], nameChecks = [] }) =>
      kind === 'NAME_CHECK'
        ? types.every((type) => nameChecks.includes(type))
        : accounts.some(
            (own) => own.currency === currency && types.every((type) => own.accountTypes.includes(type)),
          ),
  };
}

/** Connectors that can do it, in the order of their routes. It waits for no network. */
export async function servingConnectors(run: Run, wanted: WantedService): Promise<ConnectorRow[]> {
  const routes = await listRoutes(run);
  if (routes.length === 0) return [];
  const byId = new Map((await listConnectors(run)).map((connector) => [connector.id, connector]));
  return listServing(wanted, routes, byId);
}

/** Whether a connector can do it, now or once it is up. */
export async function isServed(run: Run, wanted: Wanted): Promise<boolean> {
  return (await servingConnectors(run, serviceOf(wanted))).length > 0;
}

/** Chooses a connector for a request that has none (connectors.md §8.2, §8.3). Nothing is sent here. */
export async function routeWaitingRequest(work: Work, kind: RequestKind, subject: string): Promise<void> {
  await work.write(async (tx) => {
    const row = await lockRequest(tx, kind, subject);
    if (row?.status !== 'WAITING') return;
    const now = realNow(tx);
    const fitting = await servingConnectors(tx.query.bind(tx), serviceOf(row));
    const open = fitting.find((one) => one.capabilities !== null && takesOrders(one));
    if (open) return routeRequest(tx, row, open.id, now);
    if (kind === 'NAME_CHECK' && (fitting.length === 0 || isOverdueName(row, now)))
      return giveUpName(tx, row);
    if (fitting.length === 0) {
      return changeRequest(tx, row, row, { status: 'BY_HAND', call_at: null, ended_at: now });
    }
    const wait = doublingDelayMs(WAIT_MS, WAIT_MAX_MS, row.silences + 1);
    const call_at = new Date(now.getTime() + wait);
    return changeRequest(tx, row, row, { call_at, silences: row.silences + 1 });
  });
}
