import { isScaRegion } from '#capabilities/customers/profile/regions.ts';
import {
  type CustomerRow,
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

/** The customer that a call names: 404 where there is none, 409 where it lives outside the regions (customers.md §7.1). */
export async function loadScaCustomer(tx: ReadTx, customerId: string): Promise<CustomerRow> {
  const customer = await findLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  refuseIf(checkScaRegion(customer));
  return customer;
}

export function checkScaRegion({ region }: Pick<CustomerRow, 'region'>): Refusal | undefined {
  if (isScaRegion(region)) return undefined;
  return new Refusal('CONFLICT', `Strong customer authentication does not apply in ${region}.`, { region });
}

/** 409 where a customer acts who has to be logged in and is not. */
export function sessionRequired(customerId: string): Refusal {
  return new Refusal('SCA_SESSION_REQUIRED', 'The customer has to log in first: POST /sca/login/start.', {
    customerId: publicId('Customer', customerId),
  });
}

/** Refuses whoever is under strong customer authentication and is not logged in: for what shows or moves what is theirs. */
export async function requireScaSession(
  tx: ReadTx,
  customer: Pick<CustomerRow, 'id' | 'region'>,
): Promise<void> {
  if (!isScaRegion(customer.region)) return;
  if ((await findSessionFactor(tx, customer.id)) === undefined) throw sessionRequired(customer.id);
}

/** What comes before anything else on `/sca/*`, in the order of customers.md §7.1: 404, 409, and then the body's 400. */
export async function admit(
  tx: ReadTx,
  { query, problems }: { readonly query: { customerId: string }; readonly problems: readonly FieldError[] },
): Promise<CustomerRow> {
  const customer = await loadScaCustomer(tx, query.customerId);
  if (problems.length > 0) throw invalidFields(problems);
  return customer;
}

/** The standing of a customer who is not deleted before the commit. */
export async function lockLiveStanding(tx: Tx, customerId: string): Promise<Standing> {
  const standing = await lockStanding(tx, customerId);
  if ((await lockCustomersAgainstDeletion(tx, [customerId])).length > 0) throw customerNotFound();
  return standing;
}

/**
 * A customer who has logged in once, or whose number was replaced, changes factors while logged in, and not while locked
 * (customers.md §7.6a).
 */
export async function requireFactorChange(tx: Tx, standing: Standing): Promise<void> {
  if (standing.firstLoginAt === null && !standing.numberNeedsProof) return;
  refuseIf(checkLocked(standing, tx.now));
  const { customerId } = standing;
  if ((await findSessionFactor(tx, customerId)) === undefined) throw sessionRequired(customerId);
}

/** A factor that the customer cannot prove itself by is a bad field (customers.md §7.7). */
export function checkEnrolled(authentication: Authentication, factor: ScaFactor): Refusal | undefined {
  const enrolled = factorsOf(authentication);
  if (enrolled.includes(factor)) return undefined;
  if (factor === 'SMS_OTP' && authentication.numberNeedsProof) return checkNumberProved(authentication);
  const message = 'is not enrolled for this customer';
  return invalidFields([{ field: 'factor', message, constraint: { enum: enrolled } }]);
}

/** What a customer with a phone number that is no factor yet has to do; completes `A text message …`. */
export const NUMBER_NEEDS_PROOF =
  'proves nothing until the customer has verified the phone number and proved it by another factor in a live session ' +
  '(POST /sca/factors with the type SMS_OTP), or has reset SMS_OTP by a liveness check (POST /sca/factors/reset)';

/** Refuses text messages as a proof where the number was replaced (customers.md §7.3a). Nothing was guessed by it. */
export function checkNumberProved(authentication: Authentication): Refusal | undefined {
  if (!authentication.numberNeedsProof) return undefined;
  const message = `a text message ${NUMBER_NEEDS_PROOF}`;
  return invalidFields([{ field: 'factor', message, constraint: { enum: factorsOf(authentication) } }]);
}
