import { secretContext } from '#capabilities/connectors/registry.ts';
import type { Secrets } from '#capabilities/connectors/registry-store.ts';
import type { ConnectorKey } from '#foundation/connector-protocol/signing.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { publicId } from '#foundation/lib/ids.ts';

export interface OpenedKeys {
  readonly signs: ConnectorKey;
  readonly verify: readonly ConnectorKey[];
}

/** The secrets that count now: during a rotation either does (connectors.md §2.9). */
export function openKeys(vault: Pick<Vault, 'open'>, secrets: Secrets, now: Date): OpenedKeys {
  const { key_id, secret, next_key_id, next_secret, next_from, next_alone_from } = secrets;
  const open = (keyId: string, sealed: Buffer): ConnectorKey => ({
    id: publicId('ConnectorKey', keyId),
    secret: vault.open(sealed, secretContext(keyId)),
  });
  const current = open(key_id, secret);
  if (next_key_id === null || next_secret === null) return { signs: current, verify: [current] };
  const next = open(next_key_id, next_secret);
  const isPast = (at: Date | null) => at !== null && at <= now;
  return {
    signs: isPast(next_from) ? next : current,
    verify: isPast(next_alone_from) ? [next] : [current, next],
  };
}
