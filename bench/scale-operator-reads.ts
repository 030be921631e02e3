import type { OperatorCaller } from '#foundation/http/caller.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import type { Call } from '#foundation/http/perform/perform.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import type { FilledTransactions } from './scale-transactions-fill.ts';
import type { World } from './world.ts';

type Read = [name: string, read: () => Promise<unknown>];

/** What operators read of a platform with these payments; a page of payments compares with the page of the platforms' API. */
export function operatorReads({ app, work }: World, filled: FilledTransactions): Read[] {
  const session = { id: newUuid<'OperatorSession'>(), steppedUpAt: new Date() };
  const id = publicId('Operator', newUuid<'Operator'>());
  const caller: OperatorCaller = {
    kind: 'operator',
    id,
    platform: work.platform,
    roles: EVERY_ROLE,
    session,
  };
  const declared = new Map(app.operatorOperations.map((operation) => [operation.id, operation]));
  const perform = (operation: string, query: Record<string, unknown>, rest: Partial<Call> = {}) => {
    const found = declared.get(operation);
    if (!found) throw new Error(`there is no operation ${operation}`);
    return app.perform(found, { caller, params: {}, query, ...rest });
  };
  const platform = work.platform.id;
  const [first = ''] = filled.transactionIds;
  const resource = publicId('Transaction', first as TransactionId);
  return [
    ['operator: work', () => perform('listWork', { platform })],
    ['operator: page of transactions', () => perform('listAllPayments', { platform })],
    ['operator: page by status', () => perform('listAllPayments', { platform, status: 'COMPLETED' })],
    ['operator: page of quotes', () => perform('listAllQuotes', { platform })],
    ['operator: page of customers', () => perform('listAllCustomers', { platform })],
    ['operator: page of events', () => perform('listAllWebhooks', { platform })],
    ['operator: page of the audit log', () => perform('listAllAudit', { platform })],
    ['operator: one transaction', () => perform('showPayments', {}, { params: { id: first } })],
    ['operator: search by id', () => perform('findRecords', { platform }, { body: { value: resource } })],
    ['operator: state of the service', () => perform('readSystem', {})],
  ];
}
