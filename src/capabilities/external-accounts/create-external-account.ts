import { customerNotFound, lockLiveCustomer } from '#capabilities/customers/store.ts';
import { FIRST_EXTERNAL_STATUSES } from '#capabilities/external-accounts/change-status.ts';
import {
  awaitsOwnershipProof,
  checkAccountFields,
  checkOwnership,
} from '#capabilities/external-accounts/check-create.ts';
import {
  CHECK_NAME,
  checkWithProviders,
  type ProviderChecks,
  SCREEN,
  SETTLE_US,
  VALIDATE_US,
} from '#capabilities/external-accounts/provider-checks.ts';
import { readAccountInfo } from '#capabilities/external-accounts/read-account-info.ts';
import type { ExternalAccountCreateRequest } from '#capabilities/external-accounts/schemas.ts';
import {
  type ExternalAccountRow,
  findDuplicate,
  insertAccount,
  type NewExternalAccount,
  unsetDefault,
} from '#capabilities/external-accounts/store.ts';
import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import { acceptsCurrency, checkStrictly } from '#capabilities/external-accounts/types/account-rules.ts';
import { accountTypeRow } from '#capabilities/external-accounts/types/account-table.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, refuse } from '#foundation/lib/refusals.ts';

/** The body without the owner, which the route sets. */
export type AccountRequest = Omit<ExternalAccountCreateRequest, 'customerId'>;

/**
 * Adds an account for a customer (bare UUID), or for the platform. Checks run in the order of accounts.md §3.6, so
 * violations of the body's schema are passed in and reported together with the others.
 */
export async function createExternalAccount(
  tx: Tx,
  customerId: CustomerId | undefined,
  request: AccountRequest,
  schemaProblems: readonly FieldError[],
): Promise<ExternalAccountRow> {
  requireValidRequest(tx, customerId, request, schemaProblems);
  // Locked until the commit: only one account at a time becomes the default, and none is added to a customer that is
  // being deleted.
  if (customerId !== undefined && !(await lockLiveCustomer(tx, customerId))) throw customerNotFound();
  const info = readAccountInfo(request.accountInfo);
  refuseStrictProblems(tx, info);
  await refuseDuplicate(tx, customerId, request.currency, info);
  const id = tx.newId('ExternalAccount');
  const checks = await checkWithProviders(tx, { id, currency: request.currency, info });
  if (checks === 'REFUSED')
    refuse('INVALID_BANK_ACCOUNT', 'The bank reports that this account does not exist.');
  // The schema of the platform's own endpoint lacks this field, so its value may have any type here.
  const isDefault = request.defaultUmaDepositAccount === true;
  if (isDefault && customerId !== undefined) await unsetDefault(tx, customerId);
  const row = await insertUnlessDuplicate(tx, {
    id,
    customerId,
    currency: request.currency,
    status: initialStatus(tx, request, info, checks),
    ownershipType: request.ownershipType,
    platformAccountId: request.platformAccountId,
    isDefault,
    nameCheck: checks.nameCheck?.status,
    usValidation: checks.usValidation?.state,
    details: { info, verifiedName: checks.nameCheck?.fullName },
  });
  scheduleProviderChecks(tx, row.id, checks);
  return row;
}

/** If two requests add the same account at once, the second is refused here. */
async function insertUnlessDuplicate(tx: Tx, account: NewExternalAccount): Promise<ExternalAccountRow> {
  for (;;) {
    const row = await insertAccount(tx, account);
    if (row) return row;
    // Not a duplicate any more: the other account was deleted meanwhile, so this tries again.
    await refuseDuplicate(tx, account.customerId, account.currency, account.details.info);
  }
}

function requireValidRequest(
  tx: ReadTx,
  customerId: CustomerId | undefined,
  request: AccountRequest,
  schemaProblems: readonly FieldError[],
): void {
  const { strictAccountValidation: isStrict, counterpartyRequirements } = tx.platform.settings;
  const context = { hasCustomer: customerId !== undefined, isStrict, now: tx.now };
  refuseFields(checkAccountFields(request, schemaProblems, context));
  const { accountInfo: info, currency, ownershipType } = request;
  const own = tx.platform.ownCurrencies;
  if (!acceptsCurrency(accountTypeRow(info.accountType), currency, { isStrict, own })) {
    const reason = `An account of type ${info.accountType} cannot be in ${currency}.`;
    refuse('INVALID_CURRENCY', reason, {
      errors: [{ field: 'currency', message: 'does not match accountType' }],
    });
  }
  refuseFields(checkOwnership(info, ownershipType, counterpartyRequirements));
}

function refuseFields(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidFields(problems);
}

/** An impossible account number is reported before an unlisted name. */
function refuseStrictProblems(tx: ReadTx, info: AccountInfo): void {
  if (!tx.platform.settings.strictAccountValidation) return;
  const { isTestRoutingNumber } = tx.ports.usAccounts;
  const problems = checkStrictly(accountTypeRow(info.accountType), info, {
    now: tx.now,
    isTestRoutingNumber,
  });
  for (const code of ['INVALID_BANK_ACCOUNT', 'INVALID_INPUT'] as const) {
    const errors = problems.filter((problem) => problem.code === code).map((problem) => problem.error);
    if (errors.length > 0) throw invalidFields(errors, code);
  }
}

async function refuseDuplicate(
  tx: ReadTx,
  customerId: CustomerId | undefined,
  currency: string,
  info: AccountInfo,
): Promise<void> {
  const existing = await findDuplicate(tx, customerId, currency, info);
  if (existing === undefined) return;
  refuse('DUPLICATE_EXTERNAL_ACCOUNT', 'The owner already has an external account with these details.', {
    externalAccountId: publicId('ExternalAccount', existing),
  });
}

function initialStatus(
  tx: ReadTx,
  { ownershipType }: AccountRequest,
  info: AccountInfo,
  { screening }: ProviderChecks,
) {
  const { counterpartyRequirements } = tx.platform.settings;
  if (awaitsOwnershipProof(info, ownershipType ?? null, counterpartyRequirements))
    return FIRST_EXTERNAL_STATUSES['awaits proof'];
  return FIRST_EXTERNAL_STATUSES[screening === 'ASK' ? 'awaits screening' : 'awaits nothing'];
}

/** Providers that could not answer at once are called after the commit (decision 0004). */
function scheduleProviderChecks(
  tx: Tx,
  accountId: ExternalAccountId,
  { screening, nameCheck, usValidation }: ProviderChecks,
): void {
  const scheduleNow = (kind: string) => schedule(tx, { kind, afterMs: 0, payload: { accountId } });
  if (screening === 'ASK') scheduleNow(SCREEN);
  if (nameCheck?.isPending) scheduleNow(CHECK_NAME);
  const next = usValidation?.next;
  if (next === 'ASK') scheduleNow(VALIDATE_US);
  else if (next) {
    schedule(tx, { kind: SETTLE_US, afterMs: next.afterMs, payload: { accountId, state: next.state } });
  }
}
