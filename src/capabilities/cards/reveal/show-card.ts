import { findCard } from '#capabilities/cards/card-store.ts';
import { panContext } from '#capabilities/cards/issue-card.ts';
import { hashToken } from '#capabilities/cards/reveal/reveal-card.ts';
import { findReveal } from '#capabilities/cards/reveal/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** The page's data, kept in memory only until the reply is sent. */
export interface RevealedCard {
  readonly pan: string;
  /** `MM/YY` */
  readonly expiry: string;
  readonly securityCode: string;
  /** How long it may still be shown, by the platform's clock. */
  readonly leftMs: number;
  /** The origins that may frame it, as in a content security policy. */
  readonly frameSources: readonly string[];
}

export interface Visitor {
  readonly requestId: string;
  readonly remoteAddress: string;
}

/**
 * Commits the audit row before anything is shown (cards.md §5.8). Returns undefined if there is nothing to show
 * (cards.md §5.5).
 */
export async function showCard(
  runtime: Runtime,
  token: string,
  visitor: Visitor,
): Promise<RevealedCard | undefined> {
  const reveal = await findReveal(runtime.database.lookUp, hashToken(token));
  if (!reveal) return undefined;
  const { platform, cardId, actor, expiresAt } = reveal;
  const work = new Work(runtime, platform, { kind: 'page', id: 'reveal' });
  return work.write(async (tx) => {
    const leftMs = expiresAt.getTime() - tx.now.getTime();
    const card = leftMs > 0 ? await findCard(tx, cardId) : undefined;
    // A closed card has no number.
    if (!card?.pan || card.exp_month === null || card.exp_year === null) return undefined;
    const resource = publicId('Card', cardId);
    audit(tx, { action: 'card number shown', resource, ...visitor, details: { askedForBy: actor } });
    const pan = tx.vault.openText(card.pan, panContext(cardId));
    const expiry = formatExpiry(card.exp_month, card.exp_year);
    const securityCode = computeSecurityCode(tx.vault, pan, expiry);
    return { pan, expiry, securityCode, leftMs, frameSources: allowedFrameSources(platform, tx.ports) };
  });
}

/** cards.md §5.6. */
export function allowedFrameSources(
  { settings: { frameOrigins } }: Pick<Platform, 'settings'>,
  { hostedLinks }: Pick<Ports, 'hostedLinks'>,
): string[] {
  return [...(frameOrigins.length > 0 ? frameOrigins : ['https:']), ...hostedLinks.frameSources];
}

function formatExpiry(month: number, year: number): string {
  return `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`;
}

const CODES = 1_000;

/**
 * Derived whenever it is shown, and never stored (cards.md §5.7). It uses the fingerprint key, which a rotation of data
 * keys does not change, so a card keeps its code.
 */
export function computeSecurityCode(vault: Vault, pan: string, expiry: string): string {
  const mac = vault.fingerprint(`${pan} ${expiry}`, 'card security code');
  // Six bytes: the remainder favours no code by more than one in 10^11.
  return String(mac.readUIntBE(0, 6) % CODES).padStart(3, '0');
}
