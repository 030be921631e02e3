import type { AccountStatus } from '#capabilities/external-accounts/schemas.ts';
import { loadDetails, openDetails } from '#capabilities/external-accounts/sealed-account.ts';
import { type ExternalAccountRow, findExternalAccounts } from '#capabilities/external-accounts/store.ts';
import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import { identifierOf, railsOfAccount } from '#capabilities/external-accounts/types/account-rules.ts';
import { accountTypeRow } from '#capabilities/external-accounts/types/account-table.ts';
import { reachesThreshold, valueIn } from '#capabilities/pricing/limits.ts';
import type { RateTable } from '#capabilities/pricing/rates.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { type PaymentRail, RAILS } from '#foundation/lib/rails-by-currency.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { UsValidation } from '#foundation/ports/account-screening.ts';

/** The facts about an external account that a payment needs. */
export interface PaymentAccount {
  readonly id: ExternalAccountId;
  /** Undefined for the platform's own account. */
  readonly customerId: CustomerId | undefined;
  readonly accountType: string;
  readonly kind: 'BANK' | 'WALLET' | 'LIGHTNING';
  readonly currency: string;
  readonly status: AccountStatus;
  readonly usValidation: UsValidation | undefined;
  /** Whether its owner pays it without a challenge each time (customers.md §7). */
  readonly isTrusted: boolean;
  /** In order of preference; none for wallets and Lightning. */
  readonly rails: readonly PaymentRail[];
  /** The primary identifier, which a payer needs. */
  readonly identifier: string;
  readonly info: AccountInfo;
}

/** Loads accounts by id, in one statement; deleted and unknown ones are left out. */
export async function loadForPayment(
  tx: ReadTx,
  ids: readonly ExternalAccountId[],
): Promise<Map<string, PaymentAccount>> {
  const rows = await findExternalAccounts(tx, ids);
  await loadDetails(tx, rows);
  return new Map(rows.map((row) => [row.id, openPaymentAccount(tx, row)]));
}

/** For rows that another capability's statement selected (`accountColumns`). */
export function openPaymentAccount(holder: Pick<Tx, 'vault'>, row: ExternalAccountRow): PaymentAccount {
  const { info } = openDetails(holder, row);
  return {
    id: row.id,
    customerId: row.customer_id ?? undefined,
    accountType: row.account_type,
    kind: accountTypeRow(row.account_type).kind,
    currency: row.currency,
    status: row.status,
    usValidation: row.us_validation ?? undefined,
    isTrusted: row.trusted,
    rails: railsOfAccount(info),
    identifier: identifierOf(info),
    info,
  };
}

export interface PaymentUse {
  readonly role: 'source' | 'destination';
  /** Undefined if the service chooses (`automaticRail`). */
  readonly rail?: PaymentRail | undefined;
  /** Whether the value of the sending amount reaches the ownership threshold (`reachesOwnershipThreshold`). */
  readonly isLarge: boolean;
}

/**
 * Returns why the account cannot be used like this: the tables of accounts.md §3.5 and §4.7, in the order of money.md.
 */
export function checkForPayment(
  account: Pick<PaymentAccount, 'status' | 'usValidation'>,
  use: PaymentUse,
): Refusal | undefined {
  return (
    ownershipRefusal(account.status, use) ?? statusRefusal(account.status, use) ?? usRefusal(account, use)
  );
}

/** The first rail that can be used now; some can be used only after the account is validated. */
export function automaticRail(
  account: Pick<PaymentAccount, 'rails' | 'usValidation'>,
): PaymentRail | undefined {
  return account.rails.find((rail) => !RAILS[rail].awaitsValidation || account.usValidation !== 'PENDING');
}

/** accounts.md §3.5: an amount equal to the threshold reaches it. */
export function reachesOwnershipThreshold(
  sending: { readonly amount: bigint; readonly currency: string },
  rates: RateTable,
  { settings, ownCurrencies }: Pick<Platform, 'settings' | 'ownCurrencies'>,
): boolean {
  const value = valueIn('EUR', sending.amount, sending.currency, rates, ownCurrencies);
  return reachesThreshold(value, BigInt(settings.limits.ownershipThresholdEurCents));
}

function ownershipRefusal(status: AccountStatus, { isLarge }: PaymentUse): Refusal | undefined {
  if (status === 'UNVERIFIED') {
    const reason = 'The latest proof of ownership of this wallet failed. Request a new challenge.';
    return new Refusal('EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED', reason, { status });
  }
  if (status !== 'PENDING_OWNERSHIP_VERIFICATION' || !isLarge) return undefined;
  const reason = 'Ownership of this wallet must be proven before a payment of this size.';
  return new Refusal('EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED', reason, { status });
}

function statusRefusal(status: AccountStatus, { role }: PaymentUse): Refusal | undefined {
  if (status !== 'PENDING' && status !== 'UNDER_REVIEW' && status !== 'INACTIVE') return undefined;
  const code = role === 'destination' ? 'INVALID_RECEIVER' : 'INVALID_BANK_ACCOUNT';
  return new Refusal(code, `The external account is ${status}.`, { status });
}

function usRefusal(
  { usValidation }: Pick<PaymentAccount, 'usValidation'>,
  { role, rail }: PaymentUse,
): Refusal | undefined {
  if (usValidation === 'FAILED') {
    return new Refusal('INVALID_BANK_ACCOUNT', 'The bank reports that this account does not exist.');
  }
  const mustWait = role === 'source' || (rail && RAILS[rail].awaitsValidation);
  if (usValidation !== 'PENDING' || !mustWait) return undefined;
  const reason =
    'This bank account is still being validated with micro-deposits. Retry in a few banking days.';
  return new Refusal('BANK_ACCOUNT_VALIDATION_PENDING', reason);
}
