import type { EndUserTermsConsent } from '#capabilities/customers/schemas.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** The contexts to which the sealed addresses are bound. */
export function termsIpContext(customerId: CustomerId): string {
  return `customers.terms_ip:${customerId}`;
}

export function consentContext(id: string): string {
  return `end_user_terms_consents.ip:${id}`;
}

export async function insertConsent(
  tx: Tx,
  customerId: CustomerId,
  consent: EndUserTermsConsent,
): Promise<void> {
  const id = tx.newId();
  await tx.sql`
    insert into end_user_terms_consents
      (platform_id, customer_id, id, terms_version, accepted_at, ip, acceptance_method, recorded_at)
    values (${tx.platformId}, ${customerId}, ${id}, ${consent.termsVersion}, ${new Date(consent.acceptedAt)},
            ${tx.vault.sealFor([customerId], consent.ipAddress, consentContext(id))}, ${consent.acceptanceMethod}, ${tx.now})`;
}
