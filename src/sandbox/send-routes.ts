import Type from 'typebox';
import type { ReadTx, Tx } from '#database/tx.ts';
import { operation } from '#http/operation.ts';
import { component, idOf, movedAmount } from '#http/schema.ts';
import { isOwnCurrency } from '#lib/currencies.ts';
import { EXAMPLE_IDS } from '#lib/examples.ts';
import { parseId } from '#lib/ids.ts';
import { notFound, type Refusal, refuse } from '#lib/refusals.ts';
import { USDC_PAYMENT, WRONG_PAYMENT_REFUNDING } from '#payments/examples.ts';
import { quoteExpired } from '#payments/execution/check-execution.ts';
import { presentTransaction } from '#payments/present-transaction.ts';
import type { TransactionRow } from '#payments/row.ts';
import { isPastExpiry } from '#payments/row.ts';
import { TransactionOneOf } from '#payments/schemas.ts';
import { applyNotices } from '#payments/settlement/notices.ts';
import { findQuote, lockTransactions } from '#payments/store.ts';
import { sandboxHash } from '#sandbox/rails.ts';

const SandboxSendRequest = component(
  'SandboxSendRequest',
  {
    quoteId: idOf('Quote', { description: 'The quote that is paid.' }),
    currencyCode: Type.String({ description: 'What is paid in.', examples: ['USD'] }),
    currencyAmount: Type.Optional(
      movedAmount({ description: 'How much of it; default: exactly what the quote asks for.' }),
    ),
  },
  { description: 'Money paid in for a real-time quote.' },
);

/** money.md §9.4. */
const send = operation('sandboxSend', {
  route: 'POST /sandbox/send',
  area: 'Sandbox',
  summary: 'Pay a real-time quote',
  description:
    'Plays the payer of a quote with a real-time source. The exact amount sets the payment going; any other fails ' +
    'it, and what came is refunded. Quotes in a stablecoin of the platform are not paid like this.',
  access: 'transact',
  sandboxOnly: true,
  body: SandboxSendRequest,
  reply: TransactionOneOf,
  codes: ['INVALID_INPUT', 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'QUOTE_EXPIRED', 'QUOTE_NOT_FOUND'],
  examples: {
    'Exactly what the quote asks for': {
      body: { quoteId: EXAMPLE_IDS.usdcQuote, currencyCode: 'USDC' },
      reply: USDC_PAYMENT,
    },
    'Too little': {
      body: { quoteId: EXAMPLE_IDS.wrongQuote, currencyCode: 'USD', currencyAmount: 10_000 },
      reply: WRONG_PAYMENT_REFUNDING,
    },
  },
  async write(tx, { body }) {
    const { currencyCode, currencyAmount } = body;
    const row = await lockQuote(tx, body.quoteId);
    requireSendable(tx, row, currencyCode);
    if (isPastExpiry(row, tx.now)) return expire(tx, row);
    const amount = currencyAmount === undefined ? row.sending_amount : BigInt(currencyAmount);
    return presentTransaction(tx, await fund(tx, row, amount), tx.now);
  },
});

async function lockQuote(tx: Tx, quoteId: string): Promise<TransactionRow> {
  const found = await findQuote(tx, parseId('Quote', quoteId) ?? '');
  const [row] = found ? await lockTransactions(tx, [found.id]) : [];
  if (!row) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  return row;
}

function requireSendable({ platform }: ReadTx, row: TransactionRow, currencyCode: string): void {
  if (row.source_type !== 'REALTIME') {
    refuse('INVALID_INPUT', 'This quote is not funded in real time. Execute it instead.');
  }
  if (isOwnCurrency(row.sending_currency, platform.ownCurrencies)) {
    const { sending_currency: coin } = row;
    refuse(
      'INVALID_INPUT',
      `This quote is in ${coin}, a coin, which only mints bring into being. Mint coins instead.`,
    );
  }
  if (row.status === 'PENDING_AUTHORIZATION') {
    refuse('INVALID_INPUT', 'This quote must be authorized before it can be funded.');
  }
  if (row.status === 'EXPIRED') throw quoteExpired(row);
  if (row.status !== 'PENDING' || row.executed_at !== null) {
    refuse('INVALID_INPUT', 'This quote has already been funded, or has failed.', { status: row.status });
  }
  if (currencyCode !== row.sending_currency) {
    const reason = `This quote is funded in ${row.sending_currency}.`;
    refuse('INVALID_CURRENCY', reason, { currency: row.sending_currency });
  }
}

/** The refusal is returned, not thrown, so that the expiry is committed (money.md §12.10). */
async function expire(tx: Tx, row: TransactionRow): Promise<Refusal> {
  await applyNotices(tx, [{ reference: row.id, notices: [{ kind: 'expired' }] }]);
  return quoteExpired(row);
}

async function fund(tx: Tx, row: TransactionRow, amount: bigint): Promise<TransactionRow> {
  const { fundingNetwork } = row.details;
  // Lightning has no on-chain transaction (money.md §6.7).
  const isOnChain = fundingNetwork !== undefined && fundingNetwork !== 'LIGHTNING';
  const transactionHash = isOnChain ? sandboxHash(row.id, fundingNetwork) : undefined;
  const notices = [{ kind: 'funded' as const, amount, transactionHash }];
  const { rows } = await applyNotices(tx, [{ reference: row.id, notices }]);
  return rows[0] ?? row;
}

export const sandboxSendOperations = [send];
