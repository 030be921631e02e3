import Type from 'typebox';
import { ratesInForce } from '#capabilities/pricing/rate-source/set-rates.ts';
import {
  findPoll,
  type ListedRate,
  listRates,
  type PollRow,
} from '#capabilities/pricing/rate-source/store.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { component, dateTime, stringEnum } from '#foundation/http/schema.ts';

const StoredRate = component('StoredRate', 'A rate of production.', {
  currency: Type.String({ description: 'The currency.' }),
  perUsd: Type.String({ description: 'Units of the currency per US dollar, as decimal text.' }),
  from: stringEnum(['SOURCE', 'OPERATOR'], {
    description: '`SOURCE`: the service read it. `OPERATOR`: it was set by hand.',
  }),
  isInForce: Type.Boolean({ description: 'Whether new quotes are priced with it.' }),
  asOf: dateTime({ description: 'Its age: when it was made, as its source says.' }),
  until: dateTime({ description: 'When it expires.' }),
  stoppedSince: Type.Optional(dateTime({ description: 'Since when an operator has stopped the currency.' })),
});

const StoredRates = component('StoredRates', 'The rates of production, and how their source does.', {
  data: Type.Array(StoredRate, { description: 'By currency; a currency may have a rate of each origin.' }),
  source: Type.Optional(
    component('RateSourceState', 'The source of rates, if it was ever asked.', {
      takenAt: Type.Optional(
        dateTime({ description: 'When rates of it were accepted last. Absent: never.' }),
      ),
      trouble: Type.Optional(Type.String({ description: 'Why its latest answer was refused.' })),
    }),
  ),
});

/** What operators see of the rates of production (operator.md §6.11). The command shows the same. */
export const rateReads = [
  operation('readRates', {
    route: 'GET /rates',
    area: 'Rates',
    summary: 'Read the rates of production',
    description:
      'All stored rates with their age and expiry, which of them are in force, and the state of their source.',
    access: 'operator',
    operator: { roles: EVERY_ROLE, on: 'installation' },
    reply: StoredRates,
    codes: [],
    async handle({ runtime: { database, clock } }) {
      const rows = await listRates(database.query);
      const poll = await findPoll(database.query);
      return { data: presentRates(rows, new Date(clock.now())), ...(poll && { source: presentPoll(poll) }) };
    },
  }),
];

export function presentRates(rows: readonly ListedRate[], now: Date) {
  const inForce = ratesInForce(rows, now);
  return rows.map((row) => ({
    currency: row.currency,
    perUsd: row.per_usd,
    from: row.origin,
    isInForce: inForce.get(row.currency) === row,
    asOf: row.as_of.toISOString(),
    until: row.expires_at.toISOString(),
    ...(row.stopped_since && { stoppedSince: row.stopped_since.toISOString() }),
  }));
}

function presentPoll({ taken_at, trouble }: PollRow) {
  return { ...(taken_at && { takenAt: taken_at.toISOString() }), ...(trouble !== null && { trouble }) };
}
