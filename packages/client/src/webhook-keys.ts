import type { Corridor } from './client.ts';
import type { WebhookKey } from './generated/schemas.ts';

/** The fields of a key of `GET /webhooks/keys` that verification needs. */
export type PublicKey = Pick<WebhookKey, 'id' | 'publicKey'>;

/** The published keys, as they were last read. */
export interface WebhookKeys {
  /** Returns the key with this id, or all keys if the webhook names none. */
  find(keyId: string | undefined): Promise<readonly PublicKey[]>;
}

export interface WebhookKeysOptions {
  /** The keys are read again after this time in any case; 300 by default. */
  readonly maxAgeSeconds?: number;
  /** The shortest time between two reads caused by unknown keys or by a failed first read; 5 by default. */
  readonly unknownPauseSeconds?: number;
  /** Returns the current time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Reads `GET /webhooks/keys` when the first webhook arrives and caches the keys. Reads them again when a webhook names an
 * unknown key, so a rotation needs no action by the receiver. Webhooks that arrive together share one read, and made-up
 * key ids cause at most one read every few seconds. A key that was replaced immediately is dropped when the first webhook
 * of the new key arrives, at the latest after `maxAgeSeconds`. If a later read fails, the cached keys stay valid. If the
 * first read fails, the webhook fails with the same error, and the next webhook after a few seconds reads again.
 */
export function webhookKeys(
  corridor: Pick<Corridor, 'listWebhookKeys'>,
  options: WebhookKeysOptions = {},
): WebhookKeys {
  const { maxAgeSeconds = 300, unknownPauseSeconds = 5, now = Date.now } = options;
  let known: readonly PublicKey[] | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let failure: unknown;

  const read = () => {
    reading ??= load().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const load = async () => {
    // A failed read counts too: otherwise an outage would cause more reads.
    readAt = now();
    try {
      known = (await corridor.listWebhookKeys()).data;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const matching = (keyId: string | undefined) =>
    (known ?? []).filter(({ id }) => keyId === undefined || id === keyId);
  const isOlderThan = (seconds: number) => now() - readAt >= seconds * 1_000;

  return {
    async find(keyId) {
      if (!known) {
        if (!reading && !isOlderThan(unknownPauseSeconds)) throw failure;
        await read();
      } else if (isOlderThan(maxAgeSeconds)) {
        await read().catch((error) => {
          if (matching(keyId).length === 0) throw error;
        });
      } else if (matching(keyId).length === 0 && (reading || isOlderThan(unknownPauseSeconds))) {
        await read();
      }
      return matching(keyId);
    },
  };
}
