import type { Tx } from '#database/tx.ts';
import { openPrivate, sealPrivate } from '#payments/private.ts';
import type { TransactionRow } from '#payments/row.ts';

/** What a platform tells the sender's provider of the receiver, by field name. */
export type ReceiverInfo = Readonly<Record<string, unknown>>;

interface RequestedField {
  readonly name: string;
  readonly mandatory: boolean;
}

/** Names of mandatory fields that were asked for and not given. */
export function missingFields(row: TransactionRow, info: ReceiverInfo): string[] {
  return requestedFields(row)
    .filter(({ name, mandatory }) => mandatory && !isGiven(info, name))
    .map(({ name }) => name);
}

/** Keeps what was asked for until the sender's provider is told; anything else is not kept. */
export async function keepReceiverInfo(tx: Tx, row: TransactionRow, info: ReceiverInfo): Promise<void> {
  const asked = requestedFields(row).filter(({ name }) => isGiven(info, name));
  if (asked.length === 0) return;
  const receiverCustomerInfo = Object.fromEntries(asked.map(({ name }) => [name, info[name]]));
  const sealed = sealPrivate(tx.vault, row.id, { ...openPrivate(tx.vault, row), receiverCustomerInfo });
  await tx.sql`
    update transactions set private = ${sealed}
     where platform_id = ${tx.platformId} and id = ${row.id}`;
}

function requestedFields(row: TransactionRow): readonly RequestedField[] {
  return (row.details.requestedFields as readonly RequestedField[] | undefined) ?? [];
}

function isGiven(info: ReceiverInfo, name: string): boolean {
  const value = Object.hasOwn(info, name) ? info[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}
