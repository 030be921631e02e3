import type { ReadTx } from '#database/tx.ts';
import type { AccountInfo } from '#external-accounts/account-info.ts';
import { identifierOf } from '#external-accounts/account-rules.ts';
import { rowOf } from '#external-accounts/account-table.ts';
import { publicId } from '#lib/ids.ts';
import type { ScreenedAccount, UsValidationResult } from '#rails/account-screening.ts';
import type { NameCheckRequest, NameCheckResult } from '#rails/name-check.ts';

/** What those outside say of a new bank account without being asked for long (accounts.md §3.5, §4.6, §4.7). */
export interface ProviderChecks {
  readonly screening?: 'CLEAR' | 'ASK';
  readonly nameCheck?: NameCheckResult & { readonly isAsked: boolean };
  readonly usValidation?: UsValidationResult;
}

/** Kinds of scheduled work, with the account's id as payload. */
export const SCREEN = 'external-accounts.screen';
export const CHECK_NAME = 'external-accounts.check-name';
export const VALIDATE_US = 'external-accounts.validate-us';
export const SETTLE_US = 'external-accounts.settle-us';

export interface AccountFacts {
  readonly id: string;
  readonly currency: string;
  readonly info: AccountInfo;
}

/** Wallets and Lightning are asked about nowhere. `REFUSED`: nobody knows this account. */
export function checkWithProviders(tx: ReadTx, account: AccountFacts): ProviderChecks | 'REFUSED' {
  if (rowOf(account.info.accountType).kind !== 'BANK') return {};
  const nameCheck = tx.ports.nameCheck.atCreate(nameCheckRequest(account));
  if (nameCheck === 'REFUSED') return 'REFUSED';
  const screened = screenedAccount(account);
  return {
    screening: tx.ports.accountScreening.atCreate(screened),
    nameCheck: nameCheck === 'ASK' ? { status: 'PENDING', isAsked: true } : { ...nameCheck, isAsked: false },
    ...(account.info.accountType === 'USD_ACCOUNT' && {
      usValidation: tx.ports.usAccounts.atCreate(screened),
    }),
  };
}

export function nameCheckRequest({ id, currency, info }: AccountFacts): NameCheckRequest {
  const { fullName, legalName } = info.beneficiary ?? {};
  return {
    reference: publicId('ExternalAccount', id),
    accountType: info.accountType,
    currency,
    identifier: identifierOf(info),
    fields: info,
    name: fullName ?? legalName ?? '',
  };
}

export function screenedAccount({ id, currency, info }: AccountFacts): ScreenedAccount {
  return {
    reference: publicId('ExternalAccount', id),
    accountType: info.accountType,
    currency,
    fields: info,
  };
}
