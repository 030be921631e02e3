import type { FastifyRequest } from 'fastify';
import { prepareUpdate } from '#capabilities/customers/lifecycle/update-customer.ts';
import type { EndUserTermsConsent } from '#capabilities/customers/schemas.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { termsToAccept } from '#capabilities/customers/terms/terms.ts';
import { fieldErrors } from '#capabilities/onboarding/form/body.ts';
import { firstValue, type Values } from '#capabilities/onboarding/form/values.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { isIpAddress } from '#foundation/lib/ip-address.ts';

/** The field that accepts the terms; its value is the version that the visitor saw. */
export const CONSENT_FIELD = 'endUserTermsConsent.termsVersion';

/** An acceptance in a form: which terms, how, and from which address. */
export type PostedConsent = Omit<EndUserTermsConsent, 'acceptedAt'>;

/** Undefined if the form accepts no terms. */
export function readPostedConsent(
  values: Values,
  acceptanceMethod: PostedConsent['acceptanceMethod'],
  request: Pick<FastifyRequest, 'ip' | 'socket'>,
): PostedConsent | undefined {
  const termsVersion = firstValue(values, CONSENT_FIELD);
  if (termsVersion === '') return undefined;
  return { termsVersion, acceptanceMethod, ipAddress: visitorAddress(request) };
}

/** If the proxy forwards an invalid address, the address of the connection is recorded. */
function visitorAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const plain = withoutZone(ip);
  return isIpAddress(plain) ? plain : withoutZone(socket.remoteAddress ?? '');
}

/** The zone of a link-local address has a meaning on this machine only. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

/**
 * Records an acceptance like PATCH /customers/{id} (customers.md §2.1.17, §6.6a), with the time of this commit. Locks
 * the customer first, so that only one of several tabs or clicks records it. False: other terms are in force by now,
 * and nothing was recorded.
 */
export async function recordConsent(
  tx: Tx,
  customerId: CustomerId,
  posted: PostedConsent,
  policy: CustomerPolicy,
): Promise<boolean> {
  const customer = await lockLiveCustomer(tx, customerId);
  const wanted = customer && termsToAccept(tx.platform, customer, policy.terms);
  if (!wanted) return true;
  if (wanted.version !== posted.termsVersion) return false;
  const endUserTermsConsent = { ...posted, acceptedAt: tx.now.toISOString() };
  const body = { customerType: customer.customer_type, endUserTermsConsent };
  const { commit } = await prepareUpdate(tx, customerId, { body, problems: [] }, policy);
  await commit(tx);
  return true;
}

/** Does the same in its own commit. Returns a message for the visitor if it could not be recorded. */
export async function saveConsent(
  work: Work,
  customerId: CustomerId,
  posted: PostedConsent,
  policy: CustomerPolicy,
): Promise<string | undefined> {
  try {
    const isCurrent = await work.write((tx) => recordConsent(tx, customerId, posted, policy));
    return isCurrent ? undefined : TERMS_CHANGED;
  } catch (error) {
    // The update is refused because of stored data that the page has no field for.
    fieldErrors(error);
    return TERMS_NOT_RECORDED;
  }
}

export const TERMS_CHANGED = 'The terms have changed: read the new version and accept it';
const TERMS_NOT_RECORDED =
  'Your acceptance of the terms could not be recorded: please ask where you got this link';
