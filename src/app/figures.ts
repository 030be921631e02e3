import Type from 'typebox';
import { statusesOf } from '#capabilities/payments/statuses.ts';
import { readingFigures } from '#foundation/database/figures.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { component, dateTime } from '#foundation/http/schema.ts';
import { presentCurrency } from '#foundation/lib/currencies.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import type { Manifest } from '#foundation/manifest.ts';
import { openPlatforms, PLATFORMS_QUERY } from '#foundation/records/open-platforms.ts';
import {
  countRecentPayments,
  countRequests,
  countWebhooks,
  type PaymentsRow,
  type RequestsRow,
  sumVolumes,
  type VolumeRow,
  type WebhooksRow,
} from './figures-store.ts';

const count = (description: string) => Type.Integer({ description });
const completeSince = Type.Optional(
  dateTime({
    description: 'The figures are complete from this time on. Absent: all rows of the period were counted.',
  }),
);

const Figures = component('Figures', 'Recent activity on one platform or on several.', {
  at: dateTime({ description: 'The real time at which the figures were read.' }),
  requests: component('RequestFigures', 'Requests of the last hour.', {
    minutes: Type.Array(
      component('RequestMinute', 'One minute in which there were requests.', {
        at: dateTime({ description: 'When it began.' }),
        answered: count('Requests that succeeded.'),
        refused: count('Requests that were refused (4xx).'),
        failed: count('Requests that failed (5xx).'),
      }),
      { description: 'The oldest first.' },
    ),
    completeSince,
  }),
  webhooks: component('WebhookFigures', 'Webhooks of the last 24 hours.', {
    hours: Type.Array(
      component('WebhookHour', 'One hour in which webhooks were delivered or given up.', {
        at: dateTime({ description: 'When it began.' }),
        delivered: count('Webhooks that were delivered.'),
        exhausted: count('Webhooks whose last attempt failed.'),
        lagMs: Type.Optional(count('From the event to the first attempt, in milliseconds, on average.')),
      }),
      { description: 'The oldest first.' },
    ),
    completeSince,
  }),
  payments: Type.Array(
    component('PaymentFigures', 'Payments of the last 24 hours by their present status.', {
      status: Type.String({ description: 'The status.' }),
      count: count('How many payments; at most 10,000 of each platform are counted.'),
      isCapped: Type.Boolean({ description: 'Whether a platform has more.' }),
    }),
    { description: 'By status.' },
  ),
  volumes: component('VolumeFigures', 'The amounts that completed payments of the last 14 days sent.', {
    days: Type.Array(
      component('VolumeDay', 'The payments that were created on one day (UTC) and sent one currency.', {
        day: Type.String({ format: 'date', description: 'The day, by the time of the platform.' }),
        currency: Type.String({ description: 'The currency that was sent.' }),
        decimals: count('The decimals of its smallest unit.'),
        count: count('How many payments.'),
        amount: Type.String({ description: 'The amount that they sent, in the smallest unit.' }),
      }),
      { description: 'The oldest first. A day without payments is left out.' },
    ),
    lastDay: Type.String({
      format: 'date',
      description: 'The last day of the period: today, by the clock of the platform that is furthest ahead.',
    }),
    completeSince,
  }),
});

const STATUSES = [...new Set([...statusesOf('OUTGOING'), ...statusesOf('INCOMING')])];

/** The figures of the operators' charts: no row says anything about a person. */
const readFigures = operation('readFigures', {
  route: 'GET /figures',
  area: 'System',
  summary: 'Read figures of the last hour and days',
  description:
    'Shows requests by minute, webhooks by hour, payments by status, and the amounts that payments sent by day and currency, ' +
    'over all platforms of an environment or on one platform. At most the newest 10,000 rows of each platform are counted.',
  access: 'operator',
  operator: { roles: EVERY_ROLE, on: 'platforms' },
  query: Type.Object(PLATFORMS_QUERY),
  reply: Figures,
  codes: ['INVALID_INPUT'],
  async handle(work, { query }) {
    const { readers } = await openPlatforms(work, query);
    const platforms = readers.map(({ platform }) => platform);
    const { clock, database } = work.runtime;
    const scope = { now: new Date(clock.now()), platformIds: platforms.map(({ id }) => id) };
    return readingFigures(database, async (run) => ({
      at: scope.now.toISOString(),
      requests: presentRequests(await run<RequestsRow>(countRequests(scope))),
      webhooks: presentWebhooks(await run<WebhooksRow>(countWebhooks(scope))),
      payments: (await run<PaymentsRow>(countRecentPayments(scope, STATUSES))).map(
        ({ is_capped: isCapped, ...row }) => ({ ...row, isCapped }),
      ),
      volumes: presentVolumes(await run<VolumeRow>(sumVolumes(scope)), platforms, scope.now),
    }));
  },
});

function sayComplete([row]: readonly { readonly complete_since: Date | null }[]) {
  return row?.complete_since ? { completeSince: row.complete_since.toISOString() } : {};
}

function presentRequests(rows: readonly RequestsRow[]) {
  const minutes = rows.map(({ at, complete_since: _, ...counts }) => ({ at: at.toISOString(), ...counts }));
  return { minutes, ...sayComplete(rows) };
}

function presentWebhooks(rows: readonly WebhooksRow[]) {
  const hours = rows.map(({ at, delivered, exhausted, lag_ms: lag }) => ({
    ...{ at: at.toISOString(), delivered, exhausted },
    ...(lag !== null && { lagMs: Math.round(lag) }),
  }));
  return { hours, ...sayComplete(rows) };
}

/** Two platforms may give their own currencies the same name, but other decimals: such amounts are not added up. */
function presentVolumes(rows: readonly VolumeRow[], platforms: readonly Platform[], now: Date) {
  const ahead = Math.max(0, ...platforms.map(({ clockOffsetMs }) => clockOffsetMs));
  const own = new Map(platforms.map(({ id, ownCurrencies }) => [id, ownCurrencies]));
  const days = new Map<
    string,
    { day: string; currency: string; decimals: number; count: number; sum: bigint }
  >();
  for (const { platform_id: id, day, currency, count: payments, amount, is_mirror: isMirror } of rows) {
    if (isMirror) continue;
    const { decimals } = presentCurrency(currency, own.get(id) ?? {});
    const key = `${day} ${currency} ${decimals}`;
    const before = days.get(key) ?? { day, currency, decimals, count: 0, sum: 0n };
    days.set(key, { ...before, count: before.count + payments, sum: before.sum + BigInt(amount) });
  }
  return {
    lastDay: new Date(now.getTime() + ahead).toISOString().slice(0, 10),
    days: [...days.values()].map(({ sum, ...one }) => ({ ...one, amount: sum.toString() })),
    ...sayComplete(rows),
  };
}

/** The figures that operators see of the last hour and days. */
export const figures = {
  name: 'figures',
  operatorOperations: () => [readFigures],
} satisfies Manifest;
