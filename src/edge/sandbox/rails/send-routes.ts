import Type, { type Static } from 'typebox';
import { USDC_PAYMENT, WRONG_PAYMENT_REFUNDING } from '#capabilities/payments/examples.ts';
import { checkExecutable, quoteExpired } from '#capabilities/payments/execution/check-execution.ts';
import { planExecution, refuseExecution } from '#capabilities/payments/execution/execute-quote.ts';
import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { EXECUTION_CODES } from '#capabilities/payments/quotes/routes.ts';
import { isPastExpiry, quoteIdOf, type TransactionRow } from '#capabilities/payments/row.ts';
import { TransactionOneOf } from '#capabilities/payments/schemas.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findQuote, lockTransactions } from '#capabilities/payments/store.ts';
import { sandboxHash } from '#edge/sandbox/rails/rails.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import type { Plan, SharedPlan } from '#foundation/http/declare/plan.ts';
import { component, idSchema, movedAmount } from '#foundation/http/schema.ts';
import { readStamp } from '#foundation/http/signed/signed-retry.ts';
import { isOwnCurrency } from '#foundation/lib/currencies.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuse } from '#foundation/lib/refusals.ts';

const SandboxSendRequest = component('SandboxSendRequest', 'Money paid in for a quote.', {
  quoteId: idSchema('Quote', {
    description: 'The quote to pay: with a real-time source, or out of an external account.',
  }),
  currencyCode: Type.String({ description: 'The currency that is paid in.', examples: ['USD'] }),
  currencyAmount: Type.Optional(
    movedAmount({ description: 'The amount; default: exactly the amount of the quote.' }),
  ),
});

type SandboxSendRequest = Static<typeof SandboxSendRequest>;
type TransactionReply = ReturnType<typeof presentTransaction>;

/** money.md §9.4. */
const send = (payments: PaymentParts) =>
  operation('sandboxSend', {
    route: 'POST /sandbox/send',
    area: 'Sandbox',
    summary: 'Pay a quote',
    description:
      'Plays the payer of a quote with a real-time source. The exact amount starts the payment; with any other amount it ' +
      'fails, and the money is refunded. A quote out of an external account is executed if currency and amount match ' +
      'it. Quotes in a stablecoin of the platform cannot be paid this way.',
    access: 'transact',
    sandboxOnly: true,
    body: SandboxSendRequest,
    reply: TransactionOneOf,
    codes: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'QUOTE_NOT_FOUND', ...EXECUTION_CODES],
    examples: {
      'Exactly the amount of the quote': {
        body: { quoteId: EXAMPLE_IDS.usdcQuote, currencyCode: 'USDC' },
        reply: USDC_PAYMENT,
      },
      'Too little': {
        body: { quoteId: EXAMPLE_IDS.wrongQuote, currencyCode: 'USD', currencyAmount: 10_000 },
        reply: WRONG_PAYMENT_REFUNDING,
      },
    },
    async prepare(tx, { body }): Promise<Plan<TransactionReply> | Refusal> {
      const row = await findQuote(tx, parseId('Quote', body.quoteId) ?? NIL_ID);
      if (!row) return notFound('QUOTE_NOT_FOUND', 'Quote');
      if (row.source.kind === 'EXTERNAL') return collect(payments, tx, row, body);
      return { commit: (writing) => payIn(writing, row.id, body) };
    },
  });

/** Exactly the quote's amount is pulled from the external account, so no other amount can be paid in. */
async function collect(
  payments: PaymentParts,
  tx: ReadTx,
  row: TransactionRow,
  { currencyCode, currencyAmount }: SandboxSendRequest,
): Promise<SharedPlan<TransactionReply> | Refusal> {
  requireCurrency(row, currencyCode);
  if (currencyAmount !== undefined && BigInt(currencyAmount) !== row.sending_amount) {
    const asked = Number(row.sending_amount);
    return new Refusal('INVALID_AMOUNT', `This quote takes exactly ${asked} from its external account.`, {
      asked,
    });
  }
  const { platformId, now } = tx;
  const { execution } = await payments.loadExecution({ platformId, quoteId: quoteIdOf(row), now });
  if (!execution) return notFound('QUOTE_NOT_FOUND', 'Quote');
  const refused = await checkExecutable(tx, execution, readStamp(tx, undefined));
  if (refused) return refuseExecution(tx, execution, refused);
  return planExecution(tx, execution, {}, (after) => presentTransaction(tx, after, now));
}

async function payIn(
  tx: Tx,
  id: TransactionId,
  { currencyCode, currencyAmount }: SandboxSendRequest,
): Promise<TransactionReply | Refusal> {
  const [row] = await lockTransactions(tx, [id]);
  if (!row) throw notFound('QUOTE_NOT_FOUND', 'Quote');
  requireSendable(tx, row, currencyCode);
  if (isPastExpiry(row, tx.now)) return expire(tx, row);
  const amount = currencyAmount === undefined ? row.sending_amount : BigInt(currencyAmount);
  return presentTransaction(tx, await fund(tx, row, amount), tx.now);
}

function requireSendable({ platform }: ReadTx, row: TransactionRow, currencyCode: string): void {
  if (row.source.kind !== 'REALTIME') {
    refuse(
      'INVALID_INPUT',
      'This quote pays out of an internal account, so no money is paid in. Execute it instead.',
    );
  }
  if (isOwnCurrency(row.sending_currency, platform.ownCurrencies)) {
    const { sending_currency: coin } = row;
    refuse(
      'INVALID_INPUT',
      `This quote is in the coin ${coin}, which only mints create. Mint coins instead.`,
    );
  }
  if (row.status === 'PENDING_AUTHORIZATION') {
    refuse('INVALID_INPUT', 'This quote must be authorized before it can be funded.');
  }
  if (row.status === 'EXPIRED') throw quoteExpired(row);
  if (row.status !== 'PENDING' || row.executed_at !== null) {
    refuse('INVALID_INPUT', 'This quote has already been funded, or has failed.', { status: row.status });
  }
  requireCurrency(row, currencyCode);
}

function requireCurrency(
  { sending_currency: currency }: Pick<TransactionRow, 'sending_currency'>,
  sent: string,
): void {
  if (sent !== currency) refuse('INVALID_CURRENCY', `This quote is funded in ${currency}.`, { currency });
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

export function sandboxSendOperations(payments: PaymentParts) {
  return [send(payments)];
}
