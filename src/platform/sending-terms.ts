import type { ReadTx } from '#database/tx.ts';
import { platformFee } from '#platform/config.ts';
import { loadConfig } from '#platform/store.ts';
import type { SendingTerms } from '#pricing/list-exchange-rates.ts';

/** The platform's configuration as pricing reads it. */
export async function loadSendingTerms(tx: ReadTx): Promise<SendingTerms> {
  const config = await loadConfig(tx);
  return {
    sources: config.supportedCurrencies
      .filter((rule) => rule.enabledTransactionTypes.includes('OUTGOING'))
      .map(({ currencyCode: code, minAmount, maxAmount }) => ({ code, minAmount, maxAmount })),
    feeOn: (code) => platformFee(config, code),
  };
}
