import Type from 'typebox';
import { eraseCustomer, retentionFor } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component, idSchema } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { masked } from '#foundation/records/mask.ts';

/** What operators do with deleted customers (operator.md §6). The command calls the same function. */
export function erasureChanges({ retentionYears }: { readonly retentionYears: number }) {
  return [
    operatorChange('eraseCustomer', {
      area: 'Customers',
      route: 'POST /customers/:customerId/erase',
      summary: 'Erase a customer',
      description:
        'Destroys all personal data of a deleted customer, documents included. Records that the books need stay, without ' +
        'it. A job then destroys the key, so that no backup opens it either.',
      roles: ['compliance'],
      two: 'always',
      asksFirst: true,
      params: { customerId: { id: 'Customer', missing: 'CUSTOMER_NOT_FOUND' } },
      fields: {
        despiteRetention: Type.Optional(
          masked(
            'none',
            Type.Boolean({
              description: 'Erases although its data has to be kept for longer. The audit log records it.',
            }),
          ),
        ),
      },
      reply: component('ErasedCustomer', 'A customer whose personal data is gone.', {
        id: idSchema('Customer'),
        wasErased: Type.Boolean({ description: 'Whether it had been erased before.' }),
      }),
      codes: ['CONFLICT'],
      async change(tx, { params: { customerId }, body: { reason, despiteRetention = false } }) {
        const retention = retentionFor(tx.platform, retentionYears, despiteRetention);
        const { erased } = await eraseCustomer(tx, customerId, reason, retention);
        return { id: publicId('Customer', customerId), wasErased: !erased };
      },
    }),
  ];
}
