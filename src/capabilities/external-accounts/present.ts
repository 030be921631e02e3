import type { ExternalAccount } from '#capabilities/external-accounts/schemas.ts';
import { openAccountReference, openDetails } from '#capabilities/external-accounts/sealed-account.ts';
import type { ExternalAccountRow } from '#capabilities/external-accounts/store.ts';
import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import { railsOfAccount } from '#capabilities/external-accounts/types/account-rules.ts';
import { accountTypeRow } from '#capabilities/external-accounts/types/account-table.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The account as every reply and event carries it. */
export function presentExternalAccount(tx: ReadTx, row: ExternalAccountRow): ExternalAccount {
  const { info, verifiedName } = openDetails(tx, row);
  const platformAccountId = openAccountReference(tx, row);
  return {
    id: publicId('ExternalAccount', row.id),
    customerId: row.customer_id === null ? null : publicId('Customer', row.customer_id),
    status: row.status,
    ...(platformAccountId !== null && { platformAccountId }),
    ...(row.ownership_type !== null && { ownershipType: row.ownership_type }),
    currency: row.currency,
    defaultUmaDepositAccount: row.is_default,
    ...(row.customer_id !== null && { trusted: row.trusted }),
    ...(row.name_check !== null && { beneficiaryVerificationStatus: row.name_check }),
    ...(verifiedName !== undefined && { beneficiaryVerifiedData: { fullName: verifiedName } }),
    accountInfo: presentInfo(info),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Unknown fields were dropped when the account was stored, so `info` is returned unchanged. */
function presentInfo(info: AccountInfo): AccountInfo {
  if (accountTypeRow(info.accountType).kind !== 'BANK') return info;
  const { beneficiary, ...fields } = info;
  return { ...fields, paymentRails: railsOfAccount(info), ...(beneficiary && { beneficiary }) };
}
