import type { Tx } from '#database/tx.ts';
import { openPrivate, sealPrivate } from '#payments/details.ts';
import { isTold } from '#payments/parties/uma.ts';
import type { TransactionRow } from '#payments/row.ts';

/** What a platform tells the sender's provider of the receiver, by field name. */
export type ReceiverInfo = Readonly<Record<string, unknown>>;

/** Names of mandatory fields that were asked for and not given. */
export function missingFields(row: TransactionRow, info: ReceiverInfo): string[] {
  const { requestedFields = [] } = row.details;
  return requestedFields
    .filter(({ name, mandatory }) => mandatory && !isTold(info, name))
    .map(({ name }) => name);
}

/** Keeps what was asked for until the sender's provider is told; anything else is not kept. */
export async function keepReceiverInfo(tx: Tx, row: TransactionRow, info: ReceiverInfo): Promise<void> {
  const { requestedFields = [] } = row.details;
  const asked = requestedFields.filter(({ name }) => isTold(info, name));
  if (asked.length === 0) return;
  const receiverCustomerInfo = Object.fromEntries(asked.map(({ name }) => [name, info[name]]));
  const sealed = sealPrivate(tx.vault, row.id, { ...openPrivate(tx.vault, row), receiverCustomerInfo });
  await tx.sql`
    update transactions set private = ${sealed}
     where platform_id = ${tx.platformId} and id = ${row.id}`;
}
