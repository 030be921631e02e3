import { type AccountInfo, has } from '#external-accounts/account-info.ts';
import { strictlyMissing, wayProblems } from '#external-accounts/account-rules.ts';
import { ACCOUNT_TABLE, isAccountType } from '#external-accounts/account-table.ts';
import { beneficiaryProblems } from '#external-accounts/beneficiary-rules.ts';
import { hiddenProblems } from '#external-accounts/hidden-characters.ts';
import { knownInfo } from '#external-accounts/read-account-info.ts';
import { ExternalAccountCreateRequest, type OwnershipType } from '#external-accounts/schemas.ts';
import { inDocumentOrder } from '#http/validate.ts';
import { isWalletType } from '#lib/identifiers/wallet-formats.ts';
import type { FieldError } from '#lib/refusals.ts';
import { findVasp } from '#platform/vasps.ts';

/** Rules on a request to create an account (accounts.md §3.6): pure, every bad field at once. */

export interface CreateFacts {
  readonly hasCustomer: boolean;
  readonly isStrict: boolean;
  readonly now: Date;
}

/** Second row of accounts.md §3.6: what breaks the schema, and what the schema cannot say. */
export function fieldProblems(
  body: Readonly<Record<string, unknown>>,
  broken: readonly FieldError[],
  facts: CreateFacts,
): FieldError[] {
  const info = isObject(body.accountInfo) ? knownInfo(body.accountInfo) : undefined;
  const found = [...broken, ...(info ? infoProblems(info, facts) : []), ...defaultProblem(body, info, facts)];
  // A field that breaks the schema says so once.
  const byField = new Map(found.toReversed().map((problem) => [problem.field, problem]));
  return inDocumentOrder(ExternalAccountCreateRequest, [...byField.values()], body);
}

function infoProblems(info: AccountInfo, facts: CreateFacts): FieldError[] {
  if (!isAccountType(info.accountType)) return [];
  const row = ACCOUNT_TABLE[info.accountType];
  const { beneficiary } = info;
  return [
    ...wayProblems(row, info),
    ...hiddenProblems(info),
    ...(facts.isStrict ? strictlyMissing(row, info) : []),
    ...(isObject(beneficiary) ? beneficiaryProblems(info.accountType, beneficiary, facts) : []),
  ];
}

/** EA-22: only a customer has a default, and an invoice is spent after one payment. */
function defaultProblem(
  body: Readonly<Record<string, unknown>>,
  info: AccountInfo | undefined,
  { hasCustomer }: CreateFacts,
): FieldError[] {
  if (body.defaultUmaDepositAccount !== true) return [];
  const field = 'defaultUmaDepositAccount';
  if (!hasCustomer) return [{ field, message: 'cannot be true for an account of the platform' }];
  const isSpentOnce = info !== undefined && ACCOUNT_TABLE.LIGHTNING === rowFor(info) && has(info, 'invoice');
  return isSpentOnce
    ? [{ field, message: 'cannot be true for an invoice, which can be paid only once' }]
    : [];
}

function rowFor({ accountType }: AccountInfo) {
  return isAccountType(accountType) ? ACCOUNT_TABLE[accountType] : undefined;
}

/** Who keeps a wallet and whose it is (accounts.md §5.1). */
export function ownershipProblems(
  info: AccountInfo,
  ownershipType: OwnershipType | undefined,
  counterpartyRequirements: boolean,
): FieldError[] {
  const { vaspName, beneficiary } = info;
  if (!isWalletType(info.accountType)) return [];
  if (vaspName !== undefined) {
    const field = 'accountInfo.vaspName';
    return findVasp(vaspName) ? [] : [{ field, message: 'is not one of the names that `GET /vasps` lists' }];
  }
  if (!counterpartyRequirements) return [];
  if (ownershipType === undefined) {
    const message = 'is required for a self-hosted wallet';
    return [{ field: 'ownershipType', constraint: { enum: ['FIRST_PARTY', 'THIRD_PARTY'] }, message }];
  }
  if (ownershipType === 'THIRD_PARTY' && beneficiary === undefined) {
    return [
      { field: 'accountInfo.beneficiary', message: 'is required for a wallet that belongs to somebody else' },
    ];
  }
  return [];
}

/** OW-3: the owner's own wallet, kept by the owner, waits for its proof. */
export function awaitsProof(
  info: AccountInfo,
  ownershipType: OwnershipType | null,
  counterpartyRequirements: boolean,
): boolean {
  return counterpartyRequirements && isProvable(info, ownershipType);
}

/** OW-11: which wallets can be proven at all. */
export function isProvable(info: AccountInfo, ownershipType: OwnershipType | null): boolean {
  return isWalletType(info.accountType) && info.vaspName === undefined && ownershipType === 'FIRST_PARTY';
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
