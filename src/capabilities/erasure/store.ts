import { hashCustomer } from '#capabilities/customers/sealed-customer.ts';
import { allVersionsOf } from '#foundation/database/known-hashes.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { ResourceType } from '#foundation/lib/ids.ts';

export interface OwnedRow {
  readonly type: ResourceType;
  readonly id: string;
}

/**
 * Lists everything that belongs to a customer, deleted or not, by id. It is one statement, and each part uses an
 * index. It runs before anything is erased, because the erasure deletes owners and documents.
 */
export function listOwned(tx: ReadTx, customerId: CustomerId): Promise<OwnedRow[]> {
  const { platformId } = tx;
  return tx.sql<OwnedRow>`
    select 'Customer' as type, ${customerId}::uuid as id
    union all
    select 'BeneficialOwner', id from beneficial_owners
     where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'Document', id from documents where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'Verification', id from verifications where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'InternalAccount', id from internal_accounts
     where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'ExternalAccount', id from external_accounts
     where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'Transaction', id from transactions where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'Quote', quote_id from transactions
     where platform_id = ${platformId} and customer_id = ${customerId} and quote_id is not null
    union all
    select 'Card', id from cards where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'Transaction', id from card_transactions where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'Agent', id from agents where platform_id = ${platformId} and customer_id = ${customerId}
    union all
    select 'AgentAction', t.id from agents a
      join agent_actions t on t.platform_id = a.platform_id and t.agent_id = a.id
     where a.platform_id = ${platformId} and a.customer_id = ${customerId}`;
}

/**
 * Lists other customers' payments that name the customer: those to an account or address of the customer, and the
 * receiver's side of the customer's own payments. No index covers all of them, which is acceptable for an operator's
 * command.
 */
export function listPaidByOthers(tx: ReadTx, customerId: CustomerId): Promise<OwnedRow[]> {
  return tx.sql<OwnedRow>`
    with others as materialized (
      select id, quote_id from transactions
       where platform_id = ${tx.platformId} and customer_id is distinct from ${customerId}
         and (details -> 'receiver' ->> 'customerId' = ${customerId}
              or destination_type = 'EXTERNAL' and destination_account in (
                select a.id from external_accounts a
                 where a.platform_id = ${tx.platformId} and a.customer_id = ${customerId})
              or (details ->> 'mirrorOf')::uuid in (
                select t.id from transactions t
                 where t.platform_id = ${tx.platformId} and t.customer_id = ${customerId})))
    select 'Transaction' as type, id from others
    union all
    select 'Quote', quote_id from others where quote_id is not null`;
}

/** Lists mints and burns with accounts of the customer. */
export function listCoinOperations(tx: ReadTx, accountIds: readonly string[]): Promise<OwnedRow[]> {
  return tx.sql<OwnedRow>`
    select 'StablecoinOperation' as type, id from stablecoin_operations
     where platform_id = ${tx.platformId}
       and array[source_internal, source_external, destination_internal, destination_external] && ${accountIds}::uuid[]`;
}

/** Lists imports with an error in the row with the customer's reference. */
export function listImports(tx: ReadTx, reference: string): Promise<OwnedRow[]> {
  return tx.sql<OwnedRow>`
    select distinct 'Job' as type, import_id as id from customer_import_errors
     where platform_id = ${tx.platformId}
       and (reference_hash = any(${allVersionsOf(hashCustomer(tx.vault, 'reference', reference))})
            or correlation_id = ${reference})`;
}

/** Lists invitations that the customer created or accepted; the latter may be another platform's. */
export function listCustomerInvitations(
  tx: ReadTx,
  customerId: CustomerId,
): Promise<{ readonly platform_id: PlatformId; readonly code: string }[]> {
  return tx.sql`
    select platform_id, code from invitations
     where platform_id = ${tx.platformId} and customer_id = ${customerId}
    union
    select platform_id, code from invitations
     where claimant_platform_id = ${tx.platformId} and claimant_customer_id = ${customerId}`;
}

export async function listErased(tx: ReadTx): Promise<CustomerId[]> {
  const rows = await tx.sql<{ id: CustomerId }>`
    select id from customers where platform_id = ${tx.platformId} and erased_at is not null`;
  return rows.map(({ id }) => id);
}

/** Returns the people among these who are customers of the platform and have not been erased here. */
export async function findUnerased(tx: ReadTx, people: readonly string[]): Promise<CustomerId[]> {
  const rows = await tx.sql<{ id: CustomerId }>`
    select id from customers
     where platform_id = ${tx.platformId} and id = any(${people}::uuid[]) and erased_at is null`;
  return rows.map(({ id }) => id);
}
