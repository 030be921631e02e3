import { deleteAttempts } from '#foundation/codes/limit-store.ts';
import type { Tx } from '#foundation/database/tx.ts';

/** Called when a customer is deleted: removes all factors and sessions. */
export async function endAuthentication(tx: Tx, customerId: CustomerId): Promise<void> {
  const { platformId } = tx;
  await tx.sql`
    with factors as (
      delete from sca_factors where platform_id = ${platformId} and customer_id = ${customerId}),
    codes as (
      delete from sca_recovery_codes where platform_id = ${platformId} and customer_id = ${customerId}),
    enrollments as (
      delete from sca_enrollments where platform_id = ${platformId} and customer_id = ${customerId}),
    resets as (
      delete from sca_resets where platform_id = ${platformId} and customer_id = ${customerId})
    delete from sca_sessions where platform_id = ${platformId} and customer_id = ${customerId}`;
}

/** Called when a deleted customer is erased: removes its failures and challenges (customers.md §2.4.26a). */
export async function deleteStanding(tx: Tx, customerId: CustomerId): Promise<void> {
  const { platformId } = tx;
  await tx.sql`
    with challenges as (
      delete from sca_challenges where platform_id = ${platformId} and customer_id = ${customerId})
    delete from sca_standings where platform_id = ${platformId} and customer_id = ${customerId}`;
  await deleteAttempts(tx, ['SCA_SEND'], [customerId]);
}
