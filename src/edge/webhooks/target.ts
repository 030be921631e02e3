import { endpointContext } from '#capabilities/platform/webhook-endpoint.ts';
import type { SealedKey } from '#capabilities/platform/webhook-key-store.ts';
import { findTargets, type SealedTarget } from '#edge/webhooks/target-store.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';

/** The same with the endpoint unsealed. */
export interface Target extends SealedKey {
  readonly endpoint: string | null;
}

/** Unseals targets, and caches the last one of each platform: all events of a claim bring the same one. */
export function createOpenTarget(vault: Vault): (platformId: PlatformId, sealed: SealedTarget) => Target {
  const opened = new Map<string, { sealed: Buffer; endpoint: string | null }>();
  return (platformId, sealed) => {
    const { endpoint, key_id, private_key } = sealed;
    const known = opened.get(platformId);
    if (endpoint !== null && known?.sealed.equals(endpoint))
      return { endpoint: known.endpoint, key_id, private_key };
    const target = openTarget(vault, platformId, sealed);
    if (opened.size >= OPENED_MAX) opened.clear();
    if (endpoint !== null) opened.set(platformId, { sealed: endpoint, endpoint: target.endpoint });
    return target;
  };
}

const OPENED_MAX = 10_000;

/** An endpoint that cannot be unsealed counts as unreachable: the attempt is logged and retried. */
export function openTarget(
  vault: Vault,
  platformId: PlatformId,
  { endpoint: sealed, key_id, private_key }: SealedTarget,
): Target {
  try {
    const endpoint = sealed && vault.openText(sealed, endpointContext(platformId));
    return { endpoint, key_id, private_key };
  } catch {
    return { endpoint: '', key_id, private_key };
  }
}

/** The current target; events that are sent at the same time share one look-up. */
export function createFindTarget({
  database,
  clock,
}: Pick<Runtime, 'database' | 'clock'>): (platformId: PlatformId) => Promise<SealedTarget> {
  return batchCalls(async (platformIds: PlatformId[]) => {
    const byId = await findTargets(database, [...new Set(platformIds)], new Date(clock.now()));
    return platformIds.map((id) => byId.get(id) as SealedTarget);
  });
}
