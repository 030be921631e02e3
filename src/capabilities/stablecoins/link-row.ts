import { versionedRows } from '#foundation/database/rows.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { ProviderLogin } from '#foundation/ports/stablecoins.ts';

export const PROVIDERS = ['BRALE'] as const;
export const LINK_STATUSES = ['ACTIVE', 'INVALID', 'REVOKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** A link: the platform's account at the provider (stablecoins.md §1). */
export interface LinkRow {
  platform_id: PlatformId;
  id: LinkId;
  version: bigint;
  provider: (typeof PROVIDERS)[number];
  provider_account_id: string;
  api_client_id: string;
  created_at: Date;
  /** Sealed; destroyed when the link is revoked. */
  api_client_secret: Buffer | null;
  status: LinkStatus;
  last_verified_at: Date | null;
  updated_at: Date;
}

export const LINKS = versionedRows<LinkRow>({
  table: 'stablecoin_provider_accounts',
  // Another request linked the same provider account at the same moment: a retry sees it.
  constraints: { stablecoin_provider_accounts_active: 'stale' },
  fixed: {
    provider: 'text',
    provider_account_id: 'text',
    api_client_id: 'text',
    created_at: 'timestamptz',
  },
  state: {
    api_client_secret: 'bytea',
    status: 'text',
    last_verified_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
});

/** The context of the sealed secret, which can be opened for this link only. */
export function secretContext(linkId: LinkId): string {
  return `stablecoin_provider_accounts.api_client_secret:${linkId}`;
}

/** The credentials of this link for the provider; undefined if it was revoked. */
export function openLogin({ vault }: Pick<ReadTx, 'vault'>, link: LinkRow): ProviderLogin | undefined {
  if (link.api_client_secret === null) return undefined;
  return {
    apiClientId: link.api_client_id,
    apiClientSecret: vault.openText(link.api_client_secret, secretContext(link.id)),
    providerAccountId: link.provider_account_id,
  };
}
