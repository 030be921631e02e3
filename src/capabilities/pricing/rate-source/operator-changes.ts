import Type from 'typebox';
import { clearRates, setRates, stopRates } from '#capabilities/pricing/rate-source/set-rates.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component } from '#foundation/http/schema.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import { masked } from '#foundation/records/mask.ts';

const HOUR_MS = 60 * 60 * 1000;
const HOURS_MAX = 7 * 24;

const ChangedRates = component('ChangedRates', 'Rates that an operator set or removed.', {
  currencies: Type.Array(Type.String(), { description: 'The currencies whose rates changed.' }),
});

const WORDS = {
  area: 'Rates',
  roles: ['treasury'],
  on: 'installation',
  reply: ChangedRates,
} as const;

/** The subject of a proposal. Rates of other currencies can be proposed meanwhile. */
const named = (codes: readonly unknown[]) => [...new Set(codes.map(String))].sort().join(' ');

const currencies = (description: string) =>
  masked('none', Type.Array(Type.String({ maxLength: 40 }), { description, minItems: 1, maxItems: 200 }));

/** How operators set production's exchange rates by hand (operator.md §6). The commands call the same functions. */
export const rateChanges = [
  operatorChange('setRates', {
    ...WORDS,
    route: 'POST /rates/set',
    summary: 'Set rates by hand',
    description:
      'Production prices with these rates until they expire, instead of the source’s. Quotes keep the rate that they were ' +
      'made with.',
    two: 'always',
    subject: ({ body }) =>
      isObject(body) && isObject(body.perUsd) ? named(Object.keys(body.perUsd)) : undefined,
    asksFirst: true,
    fields: {
      perUsd: masked(
        'none',
        Type.Record(Type.String(), Type.String({ maxLength: 40 }), {
          description: 'Units of each currency per US dollar, as decimal text: `{ "EUR": "0.92" }`.',
          minProperties: 1,
        }),
      ),
      hours: Type.Optional(
        masked(
          'none',
          Type.Integer({ minimum: 1, maximum: HOURS_MAX, default: 24, description: 'How long they apply.' }),
        ),
      ),
    },
    codes: ['INVALID_INPUT'],
    async change(tx, { body: { reason, perUsd, hours = 24 } }) {
      await setRates(tx, { perUsd: new Map(Object.entries(perUsd)), forMs: hours * HOUR_MS, reason });
      return { currencies: Object.keys(perUsd).sort() };
    },
  }),
  operatorChange('clearRates', {
    ...WORDS,
    route: 'POST /rates/clear',
    summary: 'Remove rates set by hand',
    description:
      'Removes rates that were set by hand and ends stops, so that the source’s rates apply again.',
    two: 'always',
    subject: ({ body }) =>
      isObject(body) && Array.isArray(body.currencies) ? named(body.currencies) : undefined,
    fields: { currencies: currencies('The currencies to remove rates of.') },
    codes: ['CONFLICT'],
    async change(tx, { body: { reason, currencies } }) {
      const removed = await clearRates(tx, { currencies, reason });
      if (removed.length === 0)
        refuse('CONFLICT', 'None of these currencies has a rate that was set by hand, and none is stopped.');
      return { currencies: removed };
    },
  }),
  operatorChange('stopRates', {
    ...WORDS,
    route: 'POST /rates/stop',
    summary: 'Stop pricing currencies',
    description:
      'Refuses new quotes in these currencies in production, whatever rate they have, until a rate is set or cleared by ' +
      'hand. Quotes that exist keep their rate.',
    asksFirst: true,
    fields: { currencies: currencies('Which currencies to stop.') },
    codes: ['CONFLICT', 'INVALID_INPUT'],
    async change(tx, { body: { reason, currencies: wanted } }) {
      const stopped = await stopRates(tx, { currencies: wanted, reason });
      if (stopped.length === 0) refuse('CONFLICT', 'These currencies are stopped already.');
      return { currencies: stopped };
    },
  }),
];
