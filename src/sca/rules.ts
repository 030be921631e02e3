import { isScaRegion } from '#customers/regions.ts';
import { type CustomerRow, customerNotFound, findLiveCustomer } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import { publicId } from '#lib/ids.ts';
import { Refusal, refuseIf } from '#lib/refusals.ts';
import { findSessionFactor } from '#sca/standing-store.ts';

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
