import Type from 'typebox';
import { type SearchPlace, search } from '#foundation/database/search.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { component, text } from '#foundation/http/schema.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

const SearchResult = component('SearchResult', 'A resource that was found.', {
  resourceId: Type.String({
    description: 'Its id.',
    examples: ['Customer:019542f5-b3e7-7d02-8000-000000000013'],
  }),
  kind: Type.String({
    description: 'Its kind: the part of its id before the colon.',
    examples: ['Customer'],
  }),
  field: Type.String({ description: 'The field that matches.', examples: ['email'] }),
});

const SearchResponse = component('SearchResponse', 'What was found.', {
  data: Type.Array(SearchResult, { description: 'At most five resources of each kind and field.' }),
});

/** Finds resources by a whole value (platform.md §13). */
export function searchOperations(places: readonly SearchPlace[]) {
  return [
    operation('search', {
      route: 'GET /search',
      area: 'Search',
      summary: 'Find a resource',
      description:
        'Finds resources of the platform by an id (in full, or as the bare UUID), by the e-mail address, UMA address or ' +
        '`platformCustomerId` of a customer, by the `platformCardId` of a card, or by the reference of a payment, refund or ' +
        'account. Only whole values match, and letter case matters except in e-mail addresses.',
      access: 'view',
      isBeyondContract: true,
      query: Type.Object({ q: text(1, 255, { description: 'The value to look for.' }) }),
      reply: SearchResponse,
      codes: [],
      examples: {
        'By an id': {
          query: { q: EXAMPLE_IDS.ada },
          reply: { data: [{ resourceId: EXAMPLE_IDS.ada, kind: 'Customer', field: 'id' }] },
        },
      },
      read: async (tx, { query }) => ({ data: [...(await search(tx, places, query.q.trim()))] }),
    }),
  ];
}
