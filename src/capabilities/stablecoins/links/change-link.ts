import { LINKS, type LinkRow, type LinkStatus } from '#capabilities/stablecoins/link-row.ts';
import { lockLink } from '#capabilities/stablecoins/link-store.ts';
import { presentLink } from '#capabilities/stablecoins/present.ts';
import type { StablecoinProviderAccount } from '#capabilities/stablecoins/schemas.ts';
import { audit } from '#foundation/audit/audit.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { cancelJob } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuse } from '#foundation/lib/refusals.ts';

/** The possible changes of a link's status (stablecoins.md §1.12, §1.13). */
export const LINK_CHANGES: Readonly<Record<LinkStatus, readonly LinkStatus[]>> = {
  ACTIVE: ['INVALID', 'REVOKED'],
  INVALID: ['REVOKED'],
  REVOKED: [],
};

/** The daily job that verifies a link's credentials with the provider. */
export const CHECK_LINK = 'stablecoins.check-link';

/**
 * Ends a link that the caller has locked, and destroys the secret of a revoked one. A link whose status does not allow
 * the change stays unchanged.
 */
export function endLink(
  tx: Tx,
  link: LinkRow,
  status: 'INVALID' | 'REVOKED',
  details?: { readonly reason: string },
): LinkRow {
  if (!LINK_CHANGES[link.status].includes(status)) return link;
  const secret = status === 'REVOKED' ? { api_client_secret: null } : {};
  const change = changedRow(link, { status, ...secret }, tx.now);
  tx.collect(LINKS.writer, change);
  cancelJob(tx, CHECK_LINK, link.id);
  const action = status === 'REVOKED' ? 'stablecoin link revoke' : 'stablecoin link invalidate';
  audit(tx, { action, resource: publicId('StablecoinProviderAccount', link.id), details });
  return change.row;
}

/** stablecoins.md §1.12: the provider refused the credentials when they were used. */
export async function invalidateLink(tx: Tx, linkId: LinkId): Promise<void> {
  const link = await lockLink(tx, linkId);
  if (link) endLink(tx, link, 'INVALID');
}

/** stablecoins.md §3.12, §5.26: for everything that needs the provider. */
export function checkLink({ status }: Pick<LinkRow, 'status'>): Refusal | undefined {
  if (status === 'INVALID') return linkInvalid();
  return status === 'REVOKED' ? linkRevoked() : undefined;
}

export function linkInvalid(): Refusal {
  const reason = 'The provider refuses the credentials of the linked account. Link it again.';
  return new Refusal('STABLECOIN_PROVIDER_ACCOUNT_INVALID', reason);
}

export function linkRevoked(): Refusal {
  const reason = 'The link to the provider account was revoked. Link the account again.';
  return new Refusal('STABLECOIN_PROVIDER_ACCOUNT_REVOKED', reason);
}

export function linkNotFound(): Refusal {
  return notFound('STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', 'StablecoinProviderAccount');
}

export interface OperatorRevocation {
  readonly linkId: LinkId;
  /** The reason, for the audit log. */
  readonly reason: string;
}

/** stablecoins.md §1.13: the operator revokes a link. This is final. */
export async function revokeLink(
  tx: Tx,
  { linkId, reason }: OperatorRevocation,
): Promise<StablecoinProviderAccount> {
  const link = await lockLink(tx, linkId);
  if (!link) throw linkNotFound();
  if (link.status === 'REVOKED') refuse('CONFLICT', 'The link is already REVOKED.', { status: link.status });
  return presentLink(endLink(tx, link, 'REVOKED', { reason }), tx.platform);
}
