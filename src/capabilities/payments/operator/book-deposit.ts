import { type AccountRow, findAccounts } from '#capabilities/accounts/store.ts';
import { receiveArrival } from '#capabilities/payments/incoming/receive-deposit.ts';
import { coinRailProblems } from '#capabilities/payments/parties/rules.ts';
import { internalDestination, type TransactionRow } from '#capabilities/payments/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';
import { type FieldError, invalidFields, notFound, Refusal, refuse } from '#foundation/lib/refusals.ts';

/** Money that the operator found on a bank statement. */
export interface DepositToBook {
  /** Bare UUID of the internal account that the money was meant for. */
  readonly accountId: AccountId;
  readonly amount: bigint;
  /** Must be the account's currency. It is required, so that nothing is booked in the wrong currency. */
  readonly currency: string;
  /** The payer's name, as the bank states it. */
  readonly sender: string;
  /** The bank's reference for this receipt: one reference is one deposit. */
  readonly bankReference: string;
  /** The rail in the ledger account RAIL:<rail>:<currency>. */
  readonly rail: string;
  /** For the audit log. */
  readonly reason: string;
}

export interface BookedDeposit {
  readonly row: TransactionRow;
  /** False if it was booked before, so that nothing changed. */
  readonly isNew: boolean;
}

/**
 * Books a deposit in place of the bank, with the same transaction, entry and events (money.md §7.1). If the account
 * cannot be credited, the money is booked to SUSPENSE (L20), and the returned refusal says so.
 */
export async function bookDeposit(tx: Tx, wanted: DepositToBook): Promise<BookedDeposit | Refusal> {
  requireValidDeposit(tx, wanted);
  const account = await findAccount(tx, wanted);
  const { accountId, amount, currency, rail, bankReference } = wanted;
  const { isNew, transaction } = await receiveArrival(tx, {
    providerReference: bankReference,
    accountId,
    amount,
    currency,
    rail,
    originator: originatorOf(wanted),
  });
  if (transaction && internalDestination(transaction) !== accountId) {
    refuse('CONFLICT', 'This reference was already booked to another account.', { bankReference });
  }
  if (isNew) auditDeposit(tx, wanted, transaction, account);
  return transaction ? { row: transaction, isNew } : suspended(account, isNew);
}

async function findAccount(tx: ReadTx, { accountId, currency }: DepositToBook): Promise<AccountRow> {
  const [account] = await findAccounts(tx, [accountId]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  if (account.currency !== currency) {
    refuse('INVALID_CURRENCY', `The account is in ${account.currency}, not in ${currency}.`);
  }
  return account;
}

function originatorOf({ sender, rail }: DepositToBook) {
  const paymentRail = PAYMENT_RAILS.find((known) => known === rail);
  return { accountHolderName: sender, ...(paymentRail !== undefined && { paymentRail }) };
}

function auditDeposit(
  tx: Tx,
  wanted: DepositToBook,
  row: TransactionRow | undefined,
  { customer_id: customerId }: AccountRow,
): void {
  const { accountId, amount, currency, bankReference, reason } = wanted;
  const account = publicId('InternalAccount', accountId);
  audit(tx, {
    action: 'deposit book',
    resource: row ? publicId('Transaction', row.id) : account,
    customerId,
    details: { reason, bankReference, account, amount: amount.toString(), currency },
  });
}

function suspended({ status }: AccountRow, isNew: boolean): Refusal {
  if (!isNew) return new Refusal('CONFLICT', 'This reference was already booked to suspense.');
  const cause = status === 'ACTIVE' || status === 'FROZEN' ? 'cannot hold that much' : `is ${status}`;
  return new Refusal('CONFLICT', `The account ${cause}: the money was booked to suspense.`);
}

const TEXT_MAX = 255;
const LINE = `must be one line of up to ${TEXT_MAX} visible characters`;

function requireValidDeposit({ platform }: ReadTx, wanted: DepositToBook): void {
  const { amount, currency, sender, bankReference, rail, reason } = wanted;
  const errors: (FieldError | false)[] = [
    (amount < 1n || amount > AMOUNT_MAX) && { field: 'amount', message: `must be from 1 to ${AMOUNT_MAX}` },
    !/^[A-Z][A-Z0-9_]{1,39}$/.test(rail) && { field: 'rail', message: 'must be a word such as ACH or SEPA' },
    ...coinRailProblems(currency, rail, platform.ownCurrencies),
    !isBankReference(bankReference) && {
      field: 'bankReference',
      message: `${LINE}, with no space around it`,
    },
    !isLine(sender) && { field: 'sender', message: LINE },
    !isLine(reason) && { field: 'reason', message: LINE },
  ];
  const found = errors.filter((error) => error !== false);
  if (found.length > 0) throw invalidFields(found);
}

function isLine(text: string): boolean {
  return text.trim() !== '' && text.length <= TEXT_MAX && !/\p{Cc}/u.test(text);
}

/** An invisible character would make it a different reference, and so a second deposit. */
export function isBankReference(text: string): boolean {
  return isLine(text) && text.trim() === text && !/\p{C}/u.test(text);
}
