import { DOLLARS_TO_PESOS } from '#capabilities/pricing/examples.ts';
import {
  listExchangeRates,
  presentExchangeRate,
  type SendingTerms,
} from '#capabilities/pricing/list-exchange-rates.ts';
import { ExchangeRateListResponse, ExchangeRateQuery } from '#capabilities/pricing/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';

/** `loadTerms` reads the platform's configuration, which this folder may not import. */
export function pricingOperations(loadTerms: (tx: ReadTx) => Promise<SendingTerms>) {
  return [
    operation('getExchangeRates', {
      route: 'GET /exchange-rates',
      area: 'Exchange Rates',
      summary: 'List exchange rates',
      description:
        'Rates and fees of every corridor from a currency that the platform may send. Rates are refreshed about every five minutes; fees are the current ones.',
      access: 'view',
      query: ExchangeRateQuery,
      reply: ExchangeRateListResponse,
      codes: ['INVALID_INPUT', 'INVALID_CURRENCY'],
      examples: {
        'Dollars to pesos': {
          query: { sourceCurrency: 'USD', destinationCurrency: ['MXN'], sendingAmount: 25_000 },
          reply: { data: DOLLARS_TO_PESOS },
        },
      },
      async read(tx, { query }) {
        const { sendingAmount = 10_000, ...filter } = query;
        const rows = await listExchangeRates(tx, await loadTerms(tx), {
          ...filter,
          sendingAmount: BigInt(sendingAmount),
        });
        return { data: rows.map(presentExchangeRate) };
      },
    }),
  ];
}
