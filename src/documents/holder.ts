import { findOwner } from '#customers/owners/store.ts';
import { findLiveCustomer } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import type { HolderKind } from '#documents/rules.ts';
import type { DocumentHolderId } from '#documents/schemas.ts';
import { parseId } from '#lib/ids.ts';
import { notFound } from '#lib/refusals.ts';

/** Whose document it is, and into whose packet it goes. */
export interface Holder {
  readonly kind: HolderKind;
  readonly customerId: string;
  readonly ownerId: string | undefined;
}

/** A customer or an owner, unless deleted; anything else is 404 `DOCUMENT_HOLDER_NOT_FOUND`. */
export async function findHolder(tx: ReadTx, id: DocumentHolderId): Promise<Holder> {
  const customerId = parseId('Customer', id, 'full');
  const holder =
    customerId === undefined ? await findOwnerHolder(tx, id) : await findCustomerHolder(tx, customerId);
  if (!holder) throw notFound('DOCUMENT_HOLDER_NOT_FOUND', 'document holder');
  return holder;
}

async function findCustomerHolder(tx: ReadTx, customerId: string): Promise<Holder | undefined> {
  const customer = await findLiveCustomer(tx, customerId);
  const kind = customer?.customer_type === 'BUSINESS' ? 'BUSINESS' : 'PERSON';
  return customer && { kind, customerId, ownerId: undefined };
}

async function findOwnerHolder(tx: ReadTx, id: DocumentHolderId): Promise<Holder | undefined> {
  const ownerId = parseId('BeneficialOwner', id, 'full');
  const owner = ownerId === undefined ? undefined : await findOwner(tx, ownerId);
  return owner && { kind: 'PERSON', customerId: owner.customer_id, ownerId: owner.id };
}
