import { lockCard, touchCard } from '#capabilities/cards/card-store.ts';
import {
  type DelegatedKeyRow,
  eraseKeys,
  findDelegatedKey,
  listDelegatedKeys,
  revokeKey,
} from '#capabilities/cards/delegated-key-store.ts';
import type { DelegatedKey, DelegatedKeysQuery } from '#capabilities/cards/delegated-keys/schemas.ts';
import { customerErased } from '#capabilities/customers/announcements.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import type { BareQuery } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, Refusal } from '#foundation/lib/refusals.ts';

export async function loadKey(tx: ReadTx, id: Id<'DelegatedKey'>): Promise<DelegatedKeyRow> {
  const key = await findDelegatedKey(tx, id);
  if (!key) throw notFound('NOT_FOUND', 'DelegatedKey');
  return key;
}

export function presentKey(row: DelegatedKeyRow): DelegatedKey {
  return {
    id: publicId('DelegatedKey', row.id),
    cardId: publicId('Card', row.card_id),
    fundingSourceId: publicId('CardFundingSource', row.binding_id),
    accountId: publicId('InternalAccount', row.account_id),
    publicKey: row.public_key,
    nickname: row.nickname,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** wallets.md §6.8.44: lists the keys of a wallet, of a card and wallet together, or of both; never all keys. */
export async function listKeys(
  tx: ReadTx,
  { accountId, fundingSourceId }: BareQuery<DelegatedKeysQuery>,
): Promise<DelegatedKey[]> {
  if (accountId === undefined && fundingSourceId === undefined) {
    const message = 'is missing: send it, or fundingSourceId';
    throw invalidFields([{ field: 'accountId', message }]);
  }
  return (await listDelegatedKeys(tx, { accountId, bindingId: fundingSourceId })).map(presentKey);
}

/** wallets.md §6.8.44. An authorization that is being decided meanwhile is decided again (wallets.md §6.8.45). */
export async function revokeDelegatedKey(tx: Tx, id: Id<'DelegatedKey'>): Promise<void> {
  const { card_id } = await loadKey(tx, id);
  const card = await lockCard(tx, card_id);
  const { status } = await loadKey(tx, id);
  if (!card || status !== 'ACTIVE') {
    throw new Refusal('INVALID_INPUT', `Only an ACTIVE key can be revoked; this one is ${status}.`, {
      status,
    });
  }
  touchCard(tx, card);
  revokeKey(tx, id);
}

/** Cards are closed, and their keys revoked, before their customer is deleted; only the nicknames are left to erase. */
export const delegatedKeyReactions: Subscription[] = [
  on(customerErased, (tx, { customer }) => eraseKeys(tx, customer.id)),
];
