import Type from 'typebox';
import { resolveException } from '#capabilities/cards/notices/resolve-exception.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { closeByOperator } from '#capabilities/cards/update-card.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';

const ClosedCard = component('ClosedCard', 'A card that an operator closed.', {
  id: idSchema('Card'),
  status: Type.String({ description: 'Its status now.' }),
});

const ResolvedException = component('ResolvedException', 'A purchase whose debt was collected or given up.', {
  id: idSchema('Transaction'),
  status: Type.String({ description: 'Its status now.' }),
});

const EXCEPTION = {
  area: 'Cards',
  roles: ['finance'],
  asksFirst: true,
  params: { transactionId: { id: 'Transaction', missing: 'TRANSACTION_NOT_FOUND' } },
  reply: ResolvedException,
  codes: ['CONFLICT'],
} as const;

function presentResolved({ id, status }: CardTransactionRow) {
  return { id: publicId('Transaction', id), status };
}

/** What operators do with cards and their unpaid purchases (operator.md §6). The commands call the same functions. */
export const cardChanges = [
  operatorChange('closeCard', {
    area: 'Cards',
    route: 'POST /cards/:cardId/close',
    summary: 'Close a card',
    description: 'Closes a card for good. Open purchases are still cleared, released or returned.',
    roles: ['compliance'],
    two: 'always',
    asksFirst: true,
    params: { cardId: { id: 'Card', missing: 'NOT_FOUND' } },
    reply: ClosedCard,
    codes: ['CARD_ALREADY_CLOSED'],
    async change(tx, { params: { cardId }, body: { reason } }) {
      const { id, status } = await closeByOperator(tx, { cardId, reason });
      return { id, status };
    },
  }),
  operatorChange('collectException', {
    ...EXCEPTION,
    route: 'POST /card-exceptions/:transactionId/collect',
    summary: 'Collect a debt of a purchase',
    description: 'Takes the whole debt of a purchase from the customer’s account.',
    two: 'amount',
    change: async (tx, { params: { transactionId: id }, body: { reason } }) =>
      presentResolved(await resolveException(tx, { id, how: 'collect', reason })),
  }),
  operatorChange('writeOffException', {
    ...EXCEPTION,
    route: 'POST /card-exceptions/:transactionId/write-off',
    summary: 'Write off a debt of a purchase',
    description: 'Gives up the debt of a purchase, at the service’s own cost.',
    two: 'always',
    change: async (tx, { params: { transactionId: id }, body: { reason } }) =>
      presentResolved(await resolveException(tx, { id, how: 'write off', reason })),
  }),
];
