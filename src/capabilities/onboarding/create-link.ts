import { customerNotFound, findLiveCustomer } from '#capabilities/customers/store.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { scheduleSweep } from '#capabilities/onboarding/jobs.ts';
import type { KycLinkCreateRequest, KycLinkResponse } from '#capabilities/onboarding/schemas.ts';
import { insertLink } from '#capabilities/onboarding/store.ts';
import { newToken } from '#capabilities/onboarding/token.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { isPlainHost } from '#foundation/http/html-page.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

const LIFE_MS = 24 * 3_600_000;

/** POST /customers/{id}/kyc-link (customers.md §6.1–6.3): creates a new link each time and leaves the customer unchanged. */
export async function createLink(
  tx: Tx,
  customerId: CustomerId,
  { redirectUri }: KycLinkCreateRequest,
  { publicUrl }: CustomerPolicy,
): Promise<KycLinkResponse> {
  if (redirectUri !== undefined) requireValidRedirect(tx, redirectUri);
  const customer = await findLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  if (customer.email_verification === 'PENDING' || customer.phone_verification === 'PENDING') {
    throw new Refusal('CONFLICT', 'The customer’s e-mail address and phone number must be verified first.');
  }
  const token = newToken(tx.platformId);
  const expiresAt = new Date(tx.now.getTime() + LIFE_MS);
  await insertLink(tx, { customerId, secretHash: token.secretHash, redirectUri, expiresAt });
  scheduleSweep(tx);
  const query = redirectUri === undefined ? '' : `?${new URLSearchParams({ redirectUri })}`;
  return {
    kycUrl: `${publicUrl()}/onboard/${token.text}${query}`,
    expiresAt: expiresAt.toISOString(),
    provider: 'SUMSUB',
    token: `${tx.ports.hostedLinks.tokenPrefix}${token.text}`,
  };
}

/** Checks the host strictly, because it is written into the page's content security policy. */
function requireValidRedirect(tx: ReadTx, redirectUri: string): void {
  const { protocol, hostname } = new URL(redirectUri);
  if (!isPlainHost(hostname)) {
    throw invalidFields([{ field: 'redirectUri', message: 'must name a host or an IP address' }]);
  }
  if (protocol === 'https:' || tx.ports.hostedLinks.allowsPlainHttp(hostname)) return;
  throw invalidFields([{ field: 'redirectUri', message: 'must start with https://' }]);
}
