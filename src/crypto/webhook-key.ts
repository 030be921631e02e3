import { generateKeyPairSync } from 'node:crypto';
import type { Vault } from '#crypto/vault.ts';

export interface WebhookKey {
  /** SPKI PEM, handed to the platform's developer. */
  readonly publicKeyPem: string;
  /** PKCS #8 DER, sealed for the platform's row. */
  readonly sealedPrivateKey: Buffer;
}

/** A P-256 pair that signs what one platform is sent (platform.md §4.1.3). */
export function newWebhookKey(vault: Vault, platformId: string): WebhookKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealedPrivateKey: vault.seal(
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      webhookKeyContext(platformId),
    ),
  };
}

/** What the sealed private key is bound to. */
export function webhookKeyContext(platformId: string): string {
  return `platforms.webhook_private_key:${platformId}`;
}
