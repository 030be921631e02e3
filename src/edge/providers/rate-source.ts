import type { ProviderClient } from '#foundation/outbound/outbound.ts';
import type { RateSource } from '#foundation/ports/rates.ts';

export interface RateSourceSettings {
  readonly url: string;
  /** Older rates are not used. */
  readonly ageMaxMs: number;
}

const TIMEOUT_MS = 20_000;
/** The rates of all currencies take a few kilobytes. */
const DOCUMENT_MAX_BYTES = 256 * 1024;

/** RATES_URL: one GET that returns the document described in docs/providers.md. */
export function httpRateSource({ url }: RateSourceSettings, client: ProviderClient): RateSource {
  return {
    async read() {
      const answer = await client.call({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        answerMaxBytes: DOCUMENT_MAX_BYTES + 1,
      });
      if ('error' in answer) throw new Error(`RATES_URL cannot be reached: ${answer.error}`);
      if (answer.status !== 200) throw new Error(`RATES_URL answers with status ${answer.status}`);
      if (answer.body.length > DOCUMENT_MAX_BYTES) {
        throw new Error(`RATES_URL answers with more than ${DOCUMENT_MAX_BYTES} bytes`);
      }
      return answer.body.toString('utf8');
    },
  };
}
