import { currencyConfigured } from '#capabilities/platform/announcements.ts';
import type { ExplicitSettings } from '#capabilities/platform/check-settings.ts';
import { insertPlatform } from '#capabilities/platform/platform-store.ts';
import { insertConfig, type StoredCurrency } from '#capabilities/platform/store.ts';
import { addWebhookKey } from '#capabilities/platform/webhook-keys.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Initial currencies (platform.md §3.1). */
const CURRENCIES: readonly StoredCurrency[] = ['USD', 'USDC', 'USDB'].map((currencyCode) => ({
  currencyCode,
  minAmount: 1,
  maxAmount: 1_000_000_000_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
}));

/**
 * Stores the new platform that this transaction was opened for: its row, its webhook key and its configuration.
 * Reactions to the announced currencies open its accounts in the same commit.
 */
export async function addPlatform(
  tx: Tx,
  explicitSettings: ExplicitSettings,
  reason?: string,
): Promise<{ webhookPublicKey: string }> {
  const webhookKeyId = tx.newId<'WebhookKey'>();
  await insertPlatform(tx, { explicitSettings, webhookKeyId });
  const webhookPublicKey = await addWebhookKey(tx, { id: webhookKeyId, signsFrom: tx.now });
  await insertConfig(tx, CURRENCIES);
  for (const { currencyCode: code } of CURRENCIES) await announce(tx, currencyConfigured, { code });
  audit(tx, {
    action: 'platform create',
    resource: publicId('Platform', tx.platformId),
    details: {
      ...{ name: tx.platform.name, environment: tx.platform.environment, settings: explicitSettings },
      ...(reason !== undefined && { reason }),
    },
  });
  return { webhookPublicKey };
}
