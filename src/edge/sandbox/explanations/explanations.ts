import { CARD_MERCHANTS_TABLE } from '#edge/sandbox/cards/cards-table.ts';
import { ONLY_CODE } from '#edge/sandbox/messages/messages.ts';
import { PULLS, QUOTE_PAYOUTS, TRANSFER_PAYOUTS } from '#edge/sandbox/rails/rails-table.ts';
import { UMA_RECEIVERS } from '#edge/sandbox/rails/uma-table.ts';
import {
  STABLECOIN_DEBITS_TABLE,
  STABLECOIN_OPERATIONS_TABLE,
} from '#edge/sandbox/stablecoins/operations-table.ts';
import { lastThree, rowFor, type SandboxTable, sandboxSuffix } from '#edge/sandbox/table.ts';
import type { Awaited, Cause, ExplanationsPort, Way } from '#foundation/ports/explanations.ts';

/** Names the rows of the sandbox's tables that decided, and the calls that play the outside world (operator.md §8.2). */
export const sandboxExplanations: ExplanationsPort = {
  waysToCause,
  causeOfPayout({ to, isCrossCurrency }) {
    if (to.kind === 'INTERNAL') return undefined;
    if (to.kind === 'UMA')
      return rowOf(UMA_RECEIVERS, to.address.slice(0, to.address.indexOf('@')), 'the receiver’s UMA address');
    const table = isCrossCurrency ? QUOTE_PAYOUTS : TRANSFER_PAYOUTS;
    return rowOf(table, sandboxSuffix(to.account.identifier), 'the end of the receiver’s account number');
  },
  causeOfCollection: ({ from }) =>
    rowOf(PULLS, sandboxSuffix(from.identifier), 'the end of the payer’s account number'),
  causeOfPurchase({ descriptor }, outcome) {
    const value = lastThree(descriptor);
    const { declined, declinedIncrement, pull } = rowFor(CARD_MERCHANTS_TABLE, value).does;
    const isCause =
      outcome === 'EXCEPTION'
        ? pull?.outcome === 'FAILED'
        : declined === outcome || declinedIncrement === outcome;
    return isCause ? rowOf(CARD_MERCHANTS_TABLE, value, 'the end of the merchant’s name') : undefined;
  },
  causeOfOperation: ({ description = '', source }) =>
    rowOf(STABLECOIN_OPERATIONS_TABLE, lastThree(description), 'the end of the description') ??
    (source &&
      rowOf(
        STABLECOIN_DEBITS_TABLE,
        sandboxSuffix(source.account.identifier),
        'the end of the payer’s account number',
      )),
};

/** Undefined for a value that no row lists: it has no special effect. */
function rowOf({ id, title, rows }: SandboxTable, value: string | undefined, of: string): Cause | undefined {
  const row = rows.find((one) => one.value === value);
  return row && { value: row.value, of, table: title, link: `/docs/sandbox#${id}`, effect: row.effect };
}

function waysToCause(awaited: Awaited, now: Date): readonly Way[] {
  switch (awaited.kind) {
    case 'TIME':
      return [advance(awaited, now)];
    case 'FUNDS':
      return [
        {
          how: 'Simulate the payer: the exact amount arrives.',
          call: {
            method: 'POST',
            path: '/sandbox/send',
            body: { quoteId: awaited.quoteId, currencyCode: awaited.currency },
          },
        },
      ];
    case 'AUTHORIZATION':
      return awaited.factor === 'PASSKEY' ? [] : [answer(awaited.quoteId)];
    case 'BALANCE':
      return [
        {
          how: `Add the missing ${awaited.shown} to the account; the call has it in the smallest unit of the currency.`,
          call: {
            method: 'POST',
            path: `/sandbox/internal-accounts/${awaited.accountId}/fund`,
            body: { amount: Number(awaited.missing) },
          },
        },
      ];
    case 'CLEARING':
      return [
        {
          how: 'Simulate the merchant: clear the rest of the purchase.',
          call: {
            method: 'POST',
            path: `/sandbox/cards/${awaited.cardId}/simulate/clearing`,
            body: { cardTransactionId: awaited.transactionId, amount: Number(awaited.amount) },
          },
        },
      ];
  }
}

/** Moves the clock to a moment, at least by a second. */
function advance({ at, when }: { readonly at: Date; readonly when: string }, now: Date): Way {
  const seconds = Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000));
  return {
    how: `Move the sandbox’s clock to ${at.toISOString()}, ${when}.`,
    call: { method: 'POST', path: '/sandbox/clock/advance', body: { seconds } },
    command: `corridor clock advance ${seconds}s`,
  };
}

/** Every code of the sandbox is the same. */
function answer(quoteId: string): Way {
  return {
    how: 'Answer the challenge for the customer. In the sandbox the code is always the same.',
    call: {
      method: 'POST',
      path: `/quotes/${quoteId}/authorize`,
      body: { code: ONLY_CODE.code, endUserIpAddress: '203.0.113.7' },
    },
  };
}
