import { base32crockford } from '@scure/base';
import { type FundingEntry, fundingEntries } from '#capabilities/accounts/funding-table.ts';
import {
  coordinateNames,
  type PaymentInstruction,
  railsOfAccountType,
  takesReference,
} from '#capabilities/accounts/payment-instruction-schemas.ts';
import type { AccountType } from '#capabilities/accounts/schemas.ts';
import type { CustomerRow } from '#capabilities/customers/store.ts';
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

export function openFunding(tx: ReadTx, row: { id: AccountId; funding: Buffer }): Funding {
  return JSON.parse(tx.vault.openText(row.funding, fundingContext(row.id))) as Funding;
}

export function sealFunding(tx: ReadTx, id: AccountId, funding: Funding): Buffer {
  return tx.vault.seal(JSON.stringify(funding), fundingContext(id));
}

/** The sealed value can be opened for this account only; the migration that sealed it used the same context. */
function fundingContext(id: AccountId): string {
  return `internal_accounts.funding:${id}`;
}
