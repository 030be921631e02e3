import { EXPLANATION } from '#foundation/explanation/examples.ts';
import { type ExplanationParts, explainTransaction } from '#foundation/explanation/explain.ts';
import { TransactionExplanation } from '#foundation/explanation/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';

/** The request log, whose waiting rows are written first, so that a developer sees the latest request. */
export interface FlushedLog {
  flush(): Promise<void>;
}

export function explanationOperations(parts: ExplanationParts, log: FlushedLog) {
  return [
    operation('explainTransaction', {
      route: 'GET /transactions/:transactionId/explanation',
      area: 'Transactions',
      summary: 'Explain a transaction',
      description:
        'Explains where the money of a transaction is, and why. The reply is one timeline of requests, decisions, changes of ' +
        'status, ledger entries, orders to rails, jobs, messages, events and delivery attempts. For an unfinished transaction ' +
        'it says what the transaction waits for and who can move it; for a failed one it says why it failed. The id can be ' +
        'that of a payment, a card transaction, a quote, a mint or burn, or an agent’s action. Requests are listed while the ' +
        'request log has them.',
      access: 'view',
      isBeyondContract: true,
      params: {
        transactionId: {
          text: 'Id of a transaction, a quote, a mint or burn (`StablecoinOperation:…`) or an agent’s action; or its bare UUID.',
        },
      },
      reply: TransactionExplanation,
      codes: ['TRANSACTION_NOT_FOUND'],
      examples: {
        'A quote that waits to be executed': {
          params: { transactionId: EXPLANATION.id },
          reply: EXPLANATION,
        },
      },
      async handle(work, { params }) {
        await log.flush();
        return work.read((tx) => explainTransaction(tx, parts, params.transactionId, 'PLATFORM'));
      },
    }),
  ];
}
