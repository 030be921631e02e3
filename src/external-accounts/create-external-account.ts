import { customerNotFound, lockLiveCustomer } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { announce } from '#events/reactions.ts';
import type { AccountInfo } from '#external-accounts/account-info.ts';
import { isCurrencyTaken, strictFaults } from '#external-accounts/account-rules.ts';
import { rowOf } from '#external-accounts/account-table.ts';
import { issuedTokenAsked } from '#external-accounts/announcements.ts';
import { awaitsProof, fieldProblems, ownershipProblems } from '#external-accounts/check-create.ts';
import {
  CHECK_NAME,
  checkWithProviders,
  type ProviderChecks,
  SCREEN,
  SETTLE_US,
  VALIDATE_US,
} from '#external-accounts/provider-checks.ts';
import { readAccountInfo } from '#external-accounts/read-account-info.ts';
import type { ExternalAccountCreateRequest } from '#external-accounts/schemas.ts';
import {
  type ExternalAccountRow,
  findSame,
  insertAccount,
  type NewAccount,
  unsetDefault,
} from '#external-accounts/store.ts';
import { schedule } from '#jobs/schedule.ts';
import { publicId } from '#lib/ids.ts';
import { type FieldError, invalidFields, refuse } from '#lib/refusals.ts';

/** As the body says it; the owner is decided by the route. */
export type AccountRequest = Omit<ExternalAccountCreateRequest, 'customerId'>;

/**
 * Adds an account for a customer (bare UUID), or for the platform. Checks go in the order of accounts.md §3.6;
 * `broken` is what the body's schema found.
 */
export async function createExternalAccount(
  tx: Tx,
  customerId: string | undefined,
  request: AccountRequest,
  broken: readonly FieldError[],
): Promise<ExternalAccountRow> {
  await checkRequest(tx, customerId, request, broken);
  // Held to the end: defaults of one customer take turns, and none is added while the customer is deleted.
  if (customerId !== undefined && !(await lockLiveCustomer(tx, customerId))) throw customerNotFound();
  const info = readAccountInfo(request.accountInfo);
  checkStrictly(tx, info);
  await refuseDuplicate(tx, customerId, request.currency, info);
  const id = tx.newId();
  const outside = checkWithProviders(tx, { id, currency: request.currency, info });
  if (outside === 'REFUSED')
    refuse('INVALID_BANK_ACCOUNT', 'The bank reports that this account does not exist.');
  // The platform's own path does not know the field, so nothing has looked at its type.
  const isDefault = request.defaultUmaDepositAccount === true;
  if (isDefault && customerId !== undefined) await unsetDefault(tx, customerId);
  const row = await store(tx, {
    id,
    customerId,
    currency: request.currency,
    status: statusOf(tx, request, info, outside),
    ownershipType: request.ownershipType,
    platformAccountId: request.platformAccountId,
    isDefault,
    nameCheck: outside.nameCheck?.status,
    usValidation: outside.usValidation?.state,
    details: { info, verifiedName: outside.nameCheck?.fullName },
  });
  scheduleQuestions(tx, row.id, outside);
  return row;
}

/** Of two that add the same account at once, one finds the other's here. */
async function store(tx: Tx, account: NewAccount): Promise<ExternalAccountRow> {
  for (;;) {
    const row = await insertAccount(tx, account);
    if (row) return row;
    // If that other one was deleted in between, the way is free again.
    await refuseDuplicate(tx, account.customerId, account.currency, account.details.info);
  }
}

async function checkRequest(
  tx: Tx,
  customerId: string | undefined,
  request: AccountRequest,
  broken: readonly FieldError[],
): Promise<void> {
  const { strictAccountValidation: isStrict, counterpartyRequirements } = tx.platform.settings;
  const facts = { hasCustomer: customerId !== undefined, isStrict, now: tx.now };
  refuseFields(fieldProblems(request, broken, facts));
  const { accountInfo: info, currency, ownershipType } = request;
  const taken = isCurrencyTaken(rowOf(info.accountType), currency, isStrict);
  if (taken === false || (taken === 'ISSUED?' && !(await isIssued(tx, currency)))) {
    const reason = `An account of type ${info.accountType} cannot be in ${currency}.`;
    refuse('INVALID_CURRENCY', reason, {
      errors: [{ field: 'currency', message: 'does not match accountType' }],
    });
  }
  refuseFields(ownershipProblems(info, ownershipType, counterpartyRequirements));
}

function refuseFields(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidFields(problems);
}

async function isIssued(tx: Tx, code: string): Promise<boolean> {
  let isOurs = false;
  await announce(tx, issuedTokenAsked, {
    code,
    accept: () => {
      isOurs = true;
    },
  });
  return isOurs;
}

/** A number that cannot be weighs more than a name that is not listed. */
function checkStrictly(tx: ReadTx, info: AccountInfo): void {
  if (!tx.platform.settings.strictAccountValidation) return;
  const { isTestRoutingNumber } = tx.ports.usAccounts;
  const faults = strictFaults(rowOf(info.accountType), info, { now: tx.now, isTestRoutingNumber });
  for (const code of ['INVALID_BANK_ACCOUNT', 'INVALID_INPUT'] as const) {
    const errors = faults.filter((fault) => fault.code === code).map((fault) => fault.error);
    if (errors.length > 0) throw invalidFields(errors, code);
  }
}

async function refuseDuplicate(
  tx: ReadTx,
  customerId: string | undefined,
  currency: string,
  info: AccountInfo,
): Promise<void> {
  const existing = await findSame(tx, customerId, currency, info);
  if (existing === undefined) return;
  refuse('DUPLICATE_EXTERNAL_ACCOUNT', 'The owner already has an external account with these details.', {
    externalAccountId: publicId('ExternalAccount', existing),
  });
}

function statusOf(
  tx: ReadTx,
  { ownershipType }: AccountRequest,
  info: AccountInfo,
  { screening }: ProviderChecks,
) {
  const { counterpartyRequirements } = tx.platform.settings;
  if (awaitsProof(info, ownershipType ?? null, counterpartyRequirements))
    return 'PENDING_OWNERSHIP_VERIFICATION';
  return screening === 'ASK' ? 'PENDING' : 'ACTIVE';
}

/** What has to be asked outside is asked after the commit (decision 0004). */
function scheduleQuestions(
  tx: Tx,
  accountId: string,
  { screening, nameCheck, usValidation }: ProviderChecks,
): void {
  const ask = (kind: string) => schedule(tx, { kind, afterMs: 0, payload: { accountId } });
  if (screening === 'ASK') ask(SCREEN);
  if (nameCheck?.isAsked) ask(CHECK_NAME);
  const next = usValidation?.next;
  if (next === 'ASK') ask(VALIDATE_US);
  else if (next) {
    schedule(tx, { kind: SETTLE_US, afterMs: next.afterMs, payload: { accountId, state: next.state } });
  }
}
