import type { CardRow, StoredCard } from '#capabilities/cards/card-row.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** The values of a card that are sealed with the cardholder's own key, as JSON. */
interface SealedCard {
  readonly platformCardId: string;
  readonly last4: string | null;
}

/** Returns the keyed hash that finds a card by the platform's own id. */
export function hashPlatformCardId(vault: Pick<Vault, 'hash'>, platformCardId: string): KeyedHash {
  return vault.hash(platformCardId, 'cards.reference');
}

/** Returns the card as it is stored. A card of an erased holder has nothing left to seal. */
export function sealCard(vault: PersonVault, { is_erased: isErased, ...row }: CardRow): StoredCard {
  const { id, customer_id, platform_card_id: platformCardId, last4 } = row;
  const cleared = { ...row, platform_card_id: null, last4: null };
  if (isErased) return { ...cleared, details: null, reference_hash: null };
  const sealed: SealedCard = { platformCardId, last4 };
  return {
    ...cleared,
    details: vault.sealFor([customer_id], JSON.stringify(sealed), contextOf(id)),
    reference_hash: hashPlatformCardId(vault, platformCardId).toStore,
  };
}

/** Opens the cards of one read. The keys of several people are fetched in one trip. */
export async function openCards(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly StoredCard[],
): Promise<CardRow[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ details }) => details));
  return rows.map((row) => openCard(vault, row));
}

function openCard(vault: PersonVault, stored: StoredCard): CardRow {
  const { details, reference_hash: _, platform_card_id: clear, ...row } = stored;
  const { id } = row;
  if (details !== null) {
    const text = vault.openKept(details, contextOf(id));
    if (text === undefined) return { ...row, platform_card_id: id, last4: null, is_erased: true };
    const { platformCardId, last4 } = JSON.parse(text) as SealedCard;
    return { ...row, platform_card_id: platformCardId, last4, is_erased: false };
  }
  return { ...row, platform_card_id: clear ?? id, is_erased: isErasedCard(stored) };
}

/**
 * Whether the holder was erased. Then the card has neither form of its values. If an earlier version erased the holder,
 * it has its own id in place of the platform's.
 */
export function isErasedCard(card: Pick<StoredCard, 'id' | 'details' | 'platform_card_id'>): boolean {
  return card.details === null && (card.platform_card_id ?? card.id) === card.id;
}

function contextOf(id: CardId): string {
  return `cards.details:${id}`;
}
