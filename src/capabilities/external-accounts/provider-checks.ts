import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import { identifierOf } from '#capabilities/external-accounts/types/account-rules.ts';
import { accountTypeRow } from '#capabilities/external-accounts/types/account-table.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { ScreenedAccount, UsValidationResult } from '#foundation/ports/account-screening.ts';
import type { NameCheckRequest, NameCheckResult } from '#foundation/ports/name-check.ts';

/**
 * The providers' immediate answers about a new bank account, and the calls that are still due (accounts.md §3.5, §4.6,
 * §4.7).
 */
export interface ProviderChecks {
  readonly screening?: 'CLEAR' | 'ASK';
  readonly nameCheck?: NameCheckResult & { readonly isPending: boolean };
  readonly usValidation?: UsValidationResult;
}

/** Kinds of jobs; the payload is the account's id. */
export const SCREEN = 'external-accounts.screen';
export const CHECK_NAME = 'external-accounts.check-name';
export const VALIDATE_US = 'external-accounts.validate-us';
export const SETTLE_US = 'external-accounts.settle-us';

export interface CheckedAccount {
  readonly id: ExternalAccountId;
  readonly currency: string;
  readonly info: AccountInfo;
}

/** Wallets and Lightning are checked by no provider. `REFUSED`: the bank has no such account. */
export async function checkWithProviders(
  tx: ReadTx,
  account: CheckedAccount,
): Promise<ProviderChecks | 'REFUSED'> {
  if (accountTypeRow(account.info.accountType).kind !== 'BANK') return {};
  const nameCheck = await tx.ports.nameCheck.atCreate(nameCheckRequest(tx, account));
  if (nameCheck === 'REFUSED') return 'REFUSED';
  const screened = screenedAccount(account);
  return {
    screening: tx.ports.accountScreening.atCreate(screened),
    nameCheck:
      nameCheck === 'ASK' ? { status: 'PENDING', isPending: true } : { ...nameCheck, isPending: false },
    ...(account.info.accountType === 'USD_ACCOUNT' && {
      usValidation: tx.ports.usAccounts.atCreate(screened),
    }),
  };
}

export function nameCheckRequest(
  { platformId }: Pick<ReadTx, 'platformId'>,
  { id, currency, info }: CheckedAccount,
): NameCheckRequest {
  const { fullName, legalName } = info.beneficiary ?? {};
  return {
    reference: publicId('ExternalAccount', id),
    platformId,
    accountType: info.accountType,
    currency,
    identifier: identifierOf(info),
    fields: info,
    name: fullName ?? legalName ?? '',
  };
}

export function screenedAccount({ id, currency, info }: CheckedAccount): ScreenedAccount {
  return {
    reference: publicId('ExternalAccount', id),
    accountType: info.accountType,
    currency,
    fields: info,
  };
}
