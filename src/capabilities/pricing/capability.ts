import type { Capability } from '#capabilities/capability.ts';
import type { SendingTerms } from '#capabilities/pricing/list-exchange-rates.ts';
import { staleRates } from '#capabilities/pricing/rate-source/attention.ts';
import { rateChanges } from '#capabilities/pricing/rate-source/operator-changes.ts';
import { rateReads } from '#capabilities/pricing/rate-source/operator-reads.ts';
import { pricingOperations } from '#capabilities/pricing/routes.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

interface Parts {
  /** A platform's terms are in its row, which a folder after this one reads. */
  loadSendingTerms(tx: ReadTx): Promise<SendingTerms>;
}

export const pricing = {
  name: 'pricing',
  operations: ({ loadSendingTerms }: Parts) => pricingOperations(loadSendingTerms),
  operatorOperations: [...rateReads, ...rateChanges],
  attention: [staleRates],
} satisfies Capability;
