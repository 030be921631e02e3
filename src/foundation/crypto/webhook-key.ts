import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Vault } from '#foundation/crypto/vault.ts';

export interface WebhookKey {
  /** SPKI PEM, handed to the platform's developer. */
  readonly publicKeyPem: string;
  /** PKCS #8 DER, sealed for the key's row. */
  readonly sealedPrivateKey: Buffer;
}

/** A P-256 key pair that signs the webhooks of one platform (platform.md §4.1.3). */
export function newWebhookKey(vault: Vault, keyId: Id<'WebhookKey'>): WebhookKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealedPrivateKey: vault.seal(
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      webhookKeyContext(keyId),
    ),
  };
}

/** The context that the sealed private key is bound to (migrations/0037_webhook_keys.sql explains the name). */
export function webhookKeyContext(keyId: Id<'WebhookKey'>): string {
  return `platforms.webhook_private_key:${keyId}`;
}

/** platform.md §4.1.3: `{"v":"1","s":"<base64 of the DER signature over the body>"}`. */
export function signatureHeader(key: KeyObject, body: Buffer): string {
  return JSON.stringify({ v: '1', s: sign('sha256', body, key).toString('base64') });
}

/**
 * A cache of opened signing keys: only the last one of each platform, so that a key is dropped when its successor is
 * used.
 */
export class SigningKeys {
  readonly #vault: Vault;
  readonly #opened = new Map<string, { sealed: Buffer; key: KeyObject }>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  keyOf(platformId: PlatformId, keyId: Id<'WebhookKey'>, sealed: Buffer): KeyObject {
    const known = this.#opened.get(platformId);
    if (known?.sealed.equals(sealed)) return known.key;
    const der = this.#vault.open(sealed, webhookKeyContext(keyId));
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    if (this.#opened.size >= OPENED_MAX) this.#opened.clear();
    this.#opened.set(platformId, { sealed, key });
    return key;
  }
}

const OPENED_MAX = 10_000;
