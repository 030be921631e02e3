import { clientCertificateContext, secretContext } from '#capabilities/connectors/registry.ts';
import type { Secrets } from '#capabilities/connectors/registry-store.ts';
import type { ConnectorKey } from '#foundation/connector-protocol/signing.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { ClientCertificate } from '#foundation/outbound/client-certificate.ts';
import type { ProviderClient } from '#foundation/outbound/outbound.ts';

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

/** Opens connections that show this certificate to servers that demand one. */
export type Connect = (clientCertificate: ClientCertificate | undefined) => ProviderClient;

interface Opened {
  readonly sealed: Buffer | null;
  readonly http: ProviderClient;
}

/**
 * Connections of each connector by itself: its certificate is shown to nobody else, and its open calls take no place that
 * another one behind the same host needs.
 */
export class Connections {
  readonly #connect: Connect;
  readonly #opened = new Map<string, Opened>();

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /** Opens new ones when the certificate has changed. Calls under way end on the earlier ones. */
  of(vault: Pick<Vault, 'openText'>, id: string, { client_certificate: sealed }: Secrets): ProviderClient {
    const known = this.#opened.get(id);
    if (known && isSame(known.sealed, sealed)) return known.http;
    const certificate = sealed && vault.openText(sealed, clientCertificateContext(id));
    const http = this.#connect(certificate === null ? undefined : JSON.parse(certificate));
    this.#opened.set(id, { sealed, http });
    return http;
  }
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
