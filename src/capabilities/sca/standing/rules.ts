import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { isScaRegion } from '#capabilities/customers/profile/regions.ts';
import {
  customerNotFound,
  findLiveCustomer,
  lockCustomersAgainstDeletion,
} from '#capabilities/customers/store.ts';
import { type Authentication, factorsOf } from '#capabilities/sca/factor-store.ts';
import type { ScaFactor } from '#capabilities/sca/schemas.ts';
import { checkLocked } from '#capabilities/sca/standing/lockout.ts';
import { findSessionFactor, lockStanding, type Standing } from '#capabilities/sca/standing/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, Refusal, refuseIf } from '#foundation/lib/refusals.ts';

/** Loads the customer of a call: 404 if unknown, 409 outside the regions of SCA (customers.md §7.1). */
export async function loadScaCustomer(tx: ReadTx, customerId: CustomerId): Promise<CustomerRow> {
  const customer = await findLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  refuseIf(checkScaRegion(customer));
  return customer;
}

export function checkScaRegion({ region }: Pick<CustomerRow, 'region'>): Refusal | undefined {
  if (isScaRegion(region)) return undefined;
  return new Refusal('CONFLICT', `Strong customer authentication does not apply in ${region}.`, { region });
}

/** The 409 for an action of a customer who must be logged in and is not. */
export function sessionRequired(customerId: CustomerId): Refusal {
  return new Refusal('SCA_SESSION_REQUIRED', 'The customer must log in first: POST /sca/login/start.', {
    customerId: publicId('Customer', customerId),
  });
}

/** Refuses an SCA customer who is not logged in; for calls that show or move the customer's own data or money. */
export async function requireScaSession(
  tx: ReadTx,
  customer: Pick<CustomerRow, 'id' | 'region'>,
): Promise<void> {
  if (!isScaRegion(customer.region)) return;
  if ((await findSessionFactor(tx, customer.id)) === undefined) throw sessionRequired(customer.id);
}

/** The first checks of every `/sca/*` call, in the order of customers.md §7.1: 404, 409, then the body's 400. */
export async function admit(
  tx: ReadTx,
  {
    query,
    problems,
  }: { readonly query: { customerId: CustomerId }; readonly problems: readonly FieldError[] },
): Promise<CustomerRow> {
  const customer = await loadScaCustomer(tx, query.customerId);
  if (problems.length > 0) throw invalidFields(problems);
  return customer;
}

/** Locks the standing, and the customer against deletion until the commit. */
export async function lockLiveStanding(tx: Tx, customerId: CustomerId): Promise<Standing> {
  const standing = await lockStanding(tx, customerId);
  if ((await lockCustomersAgainstDeletion(tx, [customerId])).length > 0) throw customerNotFound();
  return standing;
}

/**
 * A customer who has logged in before, or whose number was replaced, can change factors only while logged in and not
 * locked (customers.md §7.6a).
 */
export async function requireFactorChange(tx: Tx, standing: Standing): Promise<void> {
  if (standing.firstLoginAt === null && !standing.numberNeedsProof) return;
  refuseIf(checkLocked(standing, tx.now));
  const { customerId } = standing;
  if ((await findSessionFactor(tx, customerId)) === undefined) throw sessionRequired(customerId);
}

/** A factor that is not enrolled is an invalid field (customers.md §7.7). */
export function checkEnrolled(authentication: Authentication, factor: ScaFactor): Refusal | undefined {
  const enrolled = factorsOf(authentication);
  if (enrolled.includes(factor)) return undefined;
  if (factor === 'SMS_OTP' && authentication.numberNeedsProof) return checkNumberProved(authentication);
  const message = 'is not enrolled for this customer';
  return invalidFields([{ field: 'factor', message, constraint: { enum: enrolled } }]);
}

/** What a customer must do if the phone number is not a factor yet; completes `A text message …`. */
export const NUMBER_NEEDS_PROOF =
  'proves nothing until the customer has verified the phone number and proved it with another factor in a live session ' +
  '(POST /sca/factors with the type SMS_OTP), or has reset SMS_OTP with a liveness check (POST /sca/factors/reset)';

/** Refuses text messages if the number was replaced (customers.md §7.3a). This is not counted as a wrong proof. */
export function checkNumberProved(authentication: Authentication): Refusal | undefined {
  if (!authentication.numberNeedsProof) return undefined;
  const message = `a text message ${NUMBER_NEEDS_PROOF}`;
  return invalidFields([{ field: 'factor', message, constraint: { enum: factorsOf(authentication) } }]);
}
