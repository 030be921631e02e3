import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Vault } from '#crypto/vault.ts';
import { webhookKeyContext } from '#crypto/webhook-key.ts';

/** platform.md §4.1.3: `{"v":"1","s":"<base64 of the DER signature over the body>"}`. */
export function signatureHeader(key: KeyObject, body: Buffer): string {
  return JSON.stringify({ v: '1', s: sign('sha256', body, key).toString('base64') });
}

/** Opened signing keys, by platform; one that was rotated is opened anew at its next use. */
export class SigningKeys {
  readonly #vault: Vault;
  readonly #opened = new Map<string, { sealed: Buffer; key: KeyObject }>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  keyOf(platformId: string, sealed: Buffer): KeyObject {
    const known = this.#opened.get(platformId);
    if (known?.sealed.equals(sealed)) return known.key;
    const der = this.#vault.open(sealed, webhookKeyContext(platformId));
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    if (this.#opened.size >= OPENED_MAX) this.#opened.clear();
    this.#opened.set(platformId, { sealed, key });
    return key;
  }
}

const OPENED_MAX = 10_000;
