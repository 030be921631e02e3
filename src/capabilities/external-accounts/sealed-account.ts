import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** The sealed part of a row. */
export interface ExternalAccountDetails {
  readonly info: AccountInfo;
  /** The holder's name as the name check returned it. */
  readonly verifiedName?: string | undefined;
}

export function openDetails(
  { vault }: Pick<Tx, 'vault'>,
  row: { readonly id: ExternalAccountId; readonly details: Buffer },
): ExternalAccountDetails {
  return JSON.parse(vault.openText(row.details, detailsContext(row.id))) as ExternalAccountDetails;
}

/** Opens the reference that the platform gave the account. */
export function openAccountReference(
  { vault }: Pick<Tx, 'vault'>,
  { id, account_reference: sealed, platform_account_id: clear }: WithReference,
): string | null {
  return sealed === null ? clear : vault.openText(sealed, referenceContext(id));
}

/** Fetches the keys of all these accounts in one trip, before the accounts are opened one by one. */
export function loadDetails(
  { runtime }: Pick<ReadTx, 'runtime'>,
  rows: readonly { readonly details: Buffer }[],
): Promise<void> {
  return runtime.personKeys.loadFor(rows.map(({ details }) => details));
}

interface Owned {
  readonly id: ExternalAccountId;
  readonly customer_id: CustomerId | null;
}

interface WithReference {
  readonly id: ExternalAccountId;
  readonly account_reference: Buffer | null;
  /** Set in rows of earlier versions only. */
  readonly platform_account_id: string | null;
}

/** Seals a text with the customer's key, or with a data key for the platform's own accounts. */
function sealFor({ vault }: ReadTx, { customer_id: person }: Owned, text: string, context: string): Buffer {
  return vault.sealFor(person === null ? [] : [person], text, context);
}

export function sealDetails(tx: ReadTx, owned: Owned, details: ExternalAccountDetails): Buffer {
  return sealFor(tx, owned, JSON.stringify(details), detailsContext(owned.id));
}

export function sealReference(tx: ReadTx, owned: Owned, reference: string | undefined): Buffer | null {
  return reference === undefined ? null : sealFor(tx, owned, reference, referenceContext(owned.id));
}

function detailsContext(id: ExternalAccountId): string {
  return `external_accounts.details:${id}`;
}

function referenceContext(id: ExternalAccountId): string {
  return `external_accounts.account_reference:${id}`;
}
