import { base32crockford } from '@scure/base';
import { type FundingEntry, fundingEntries } from '#capabilities/accounts/funding-table.ts';
import {
  coordinateNames,
  type PaymentInstruction,
  railsOfAccountType,
  takesReference,
} from '#capabilities/accounts/payment-instruction-schemas.ts';
import type { AccountType } from '#capabilities/accounts/schemas.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { seeded } from '#foundation/lib/identifiers/seeded.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';
import type { Coordinates } from '#foundation/ports/accounts.ts';

/** The content of an instruction apart from its coordinates. */
export interface FundedAccount {
  readonly type: AccountType;
  readonly currency: string;
  readonly holderName: string;
  /** `FUND-…`; undefined if no entry has one. */
  readonly reference: string | undefined;
}

/** The stored form; `isPlatformAccount` follows from the account's row. */
export type StoredInstruction = Omit<PaymentInstruction, 'isPlatformAccount'>;

/** Returns an account's entries in order (accounts.md §2.4); an embedded wallet has none: it is funded on chain. */
export function fundingEntriesOf({
  type,
  currency,
}: Pick<FundedAccount, 'type' | 'currency'>): readonly FundingEntry[] {
  return type === 'EMBEDDED_WALLET' ? [] : fundingEntries(currency, type === 'INTERNAL_CRYPTO');
}

export function needsReference(account: Pick<FundedAccount, 'type' | 'currency'>): boolean {
  return fundingEntriesOf(account).some(({ accountType }) => takesReference(accountType));
}

/** accounts.md §2.4: `FUND-` and eight Crockford characters, derived from the account's own seed. */
export function fundingReference(seed: Uint8Array): string {
  return `FUND-${base32crockford.encode(seeded(seed).bytes('reference').subarray(0, 5))}`;
}

/** Builds all instructions of an account. Refuses missing coordinates and names them. */
export function fundingInstructions(account: FundedAccount, coordinates: Coordinates): StoredInstruction[] {
  const entries = fundingEntriesOf(account);
  const missing = entries.filter(({ accountType }) => !Object.hasOwn(coordinates, accountType));
  if (missing.length > 0) throw invalidFields(missing.map(missingCoordinates));
  return entries.map((entry) => fundingInstruction(entry, account, coordinates[entry.accountType] ?? {}));
}

export function fundingInstruction(
  entry: FundingEntry,
  account: FundedAccount,
  coordinates: Readonly<Record<string, string>>,
): StoredInstruction {
  const { accountType, fixed, holderName, notes } = entry;
  const rails = entry.rails ?? railsOfAccountType(accountType);
  const known = coordinateNames(accountType).filter((name) => coordinates[name] !== undefined);
  return {
    ...(notes !== undefined && { instructionsNotes: notes }),
    accountOrWalletInfo: {
      accountType,
      ...Object.fromEntries(known.map((name) => [name, coordinates[name]])),
      ...fixed,
      ...(holderName && { accountHolderName: account.holderName }),
      ...(rails.length > 0 && { paymentRails: [...rails] }),
      ...(takesReference(accountType) && { reference: account.reference }),
    },
  };
}

/** The customer's name, or the platform's for its own accounts and for a customer without a name. */
export function accountOwnerName(tx: ReadTx, customer: Pick<CustomerRow, 'profile'> | undefined): string {
  const { fullName, legalName } = (customer?.profile ?? {}) as { fullName?: string; legalName?: string };
  return fullName ?? legalName ?? tx.platform.name;
}

const HOLDER_NAME_MAX = 255;

/** accounts.md §2.4: `Svc FBO <customer or platform name>`, where `Svc` is the service's own name. */
export function buildHolderName(serviceName: string, ownerName: string): string {
  return Array.from(`${serviceName} FBO ${ownerName}`).slice(0, HOLDER_NAME_MAX).join('');
}

function missingCoordinates({ accountType }: FundingEntry): FieldError {
  return { field: `coordinates.${accountType}`, message: 'is required' };
}

/** The sealed part of an account: how to pay into it. */
export interface Funding {
  readonly holderName: string;
  readonly instructions: readonly StoredInstruction[];
}

/** The instructions of an account whose customer was erased. */
const NO_FUNDING: Funding = { holderName: '', instructions: [] };

export function openFunding(tx: ReadTx, row: { id: AccountId; funding: Buffer }): Funding {
  const opened = tx.vault.openKept(row.funding, fundingContext(row.id));
  return opened === undefined ? NO_FUNDING : (JSON.parse(opened) as Funding);
}

/**
 * Seals an account's instructions, which name the customer, with the customer's key. Those of the platform's own
 * accounts are sealed with a data key.
 */
export function sealFunding(
  { vault }: ReadTx,
  { id, customer_id: person }: { readonly id: AccountId; readonly customer_id: CustomerId | null },
  funding: Funding,
): Buffer {
  return vault.sealFor(person === null ? [] : [person], JSON.stringify(funding), fundingContext(id));
}

/** Seals empty instructions, for an account whose customer is erased. They name no person, so a data key seals them. */
export function sealNoFunding({ vault }: ReadTx, id: AccountId): Buffer {
  return vault.seal(JSON.stringify(NO_FUNDING), fundingContext(id));
}

/** Fetches the keys of all these accounts in one trip, before the accounts are presented one by one. */
export function loadFunding(
  { runtime }: Pick<ReadTx, 'runtime'>,
  rows: readonly { readonly funding: Buffer; readonly funding_count: number }[],
): Promise<void> {
  return runtime.personKeys.loadFor(rows.map((row) => (row.funding_count === 0 ? null : row.funding)));
}

/** The sealed value can be opened for this account only; the migration that sealed it used the same context. */
function fundingContext(id: AccountId): string {
  return `internal_accounts.funding:${id}`;
}
