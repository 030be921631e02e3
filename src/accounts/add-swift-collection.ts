import { emitAccounts } from '#accounts/events.ts';
import { fundingInstruction } from '#accounts/funding-instructions.ts';
import { SWIFT_ENTRY } from '#accounts/funding-table.ts';
import { auditAction, lockAccount, type OperatorAction, refuseState } from '#accounts/operator-actions.ts';
import { checkInstructions } from '#accounts/provision-account.ts';
import { type AccountRow, openFunding, setFunding } from '#accounts/store.ts';
import type { Tx } from '#database/tx.ts';
import { invalidFields, refuse } from '#lib/refusals.ts';

export interface SwiftCollection extends OperatorAction {
  /** `country`, `swiftCode`, `bankName`, and `accountNumber` or `iban`; `bankAddress` may be there. */
  readonly coordinates: Readonly<Record<string, string>>;
}

/** A provider or the operator added a SWIFT collection account: one more way to pay in (accounts.md §2.4). */
export async function addSwiftCollection(tx: Tx, action: SwiftCollection): Promise<AccountRow> {
  const account = await lockAccount(tx, action.accountId);
  if (account.type !== 'INTERNAL_FIAT') refuse('CONFLICT', 'Only a fiat account can receive money by SWIFT.');
  if (account.status !== 'ACTIVE' && account.status !== 'FROZEN') refuseState(account.status, 'add SWIFT');
  const { holderName, instructions } = openFunding(tx, account);
  if (instructions.some(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType === 'SWIFT_ACCOUNT')) {
    // Coordinates are stable for the account's life.
    refuse('CONFLICT', 'The account already has SWIFT coordinates.');
  }
  if (action.coordinates.accountNumber === undefined && action.coordinates.iban === undefined) {
    throw invalidFields([{ field: 'accountNumber', message: 'is required unless there is an iban' }]);
  }
  const { type, currency } = account;
  const facts = { type, currency, holderName, reference: undefined };
  const added = fundingInstruction(SWIFT_ENTRY, facts, action.coordinates);
  checkInstructions([added]);
  await setFunding(
    tx,
    account.id,
    { holderName, instructions: [...instructions, added] },
    instructions.length + 1,
  );
  auditAction(tx, 'swift', action);
  const [row] = await emitAccounts(tx, 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', [account.id]);
  return row as AccountRow;
}
