import { createHash } from 'node:crypto';
import { ORDER_KINDS, type OrderKind } from '#foundation/connector-protocol/capabilities.ts';

/**
 * The name of a payment's order at a connector (connectors.md §4.2). A payout has the transaction's UUID; a collection and a
 * refund have UUIDs that are derived from it, so that one reference is one order across kinds.
 */
export function orderReference(kind: OrderKind, transactionId: TransactionId): string {
  if (kind === 'PAYOUT') return transactionId;
  const hash = createHash('sha256').update(`${kind} ${transactionId}`).digest().subarray(0, 16);
  // A UUID of version 8 (RFC 9562), whose content is the application's own.
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The references of all orders that a payment can have. */
export function orderReferences(transactionId: TransactionId): string[] {
  return ORDER_KINDS.map((kind) => orderReference(kind, transactionId));
}
