import type { Corridor } from './client.ts';
import type { WebhookKey } from './generated/schemas.ts';

/** A key of `GET /webhooks/keys`, as far as it takes to verify with it. */
export type PublicKey = Pick<WebhookKey, 'id' | 'publicKey'>;

/** The keys on show, as they were last read. */
export interface WebhookKeys {
  /** The key of this id, or all keys where a webhook names none. */
  find(keyId: string | undefined): Promise<readonly PublicKey[]>;
}

export interface WebhookKeysOptions {
  /** After so long the keys are read again, whatever webhooks name; 300 unless given. */
  readonly maxAgeSeconds?: number;
  /** At most so often a key that is not known, or a first reading that failed, has them read again; 5 unless given. */
  readonly unknownPauseSeconds?: number;
  /** What time it is, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Reads `GET /webhooks/keys` when the first webhook comes, keeps what it says, and reads it again once when a webhook names
 * a key that is not there: so a rotation needs nothing of a receiver. Webhooks that arrive together share one reading, and
 * names that somebody makes up cost one in a few seconds. A key that was replaced at once is forgotten with the first webhook
 * of the new one, at the latest after `maxAgeSeconds`. Where keys cannot be read again, those that are known stay good; where
 * they could never be read, a webhook fails as the reading did, and the next one in a few seconds tries again.
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
    // A reading that fails counts too, so that an outage is not made worse.
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
