import { checkCanMoveMoney } from '#capabilities/accounts/rules.ts';
import { checkMoneyGate } from '#capabilities/customers/terms/money-gate.ts';
import { checkForPayment, loadForPayment } from '#capabilities/external-accounts/check-for-payment.ts';
import { loadPrivate, openPrivate } from '#capabilities/payments/details.ts';
import type { AccountStanding, Execution } from '#capabilities/payments/execution/store.ts';
import {
  awaitsApproval,
  isOpenQuote,
  isPastExpiry,
  payerAccount,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import { payloadIn } from '#capabilities/payments/wallet-instructions.ts';
import { readRates } from '#capabilities/pricing/rates.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { checkStamp, type SentStamp } from '#foundation/http/signed/signed-retry.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** Why a quote cannot be executed. `mark` is the notice to apply to its transaction with the refusal, if any. */
export interface ExecutionRefusal {
  readonly refusal: Refusal;
  readonly mark?: 'expired' | 'rateUnavailable';
}

/** The checks of money.md §3.3b up to the expiry: whether this quote can still be executed. */
export async function checkExecutable(
  tx: ReadTx,
  execution: Execution,
  stamp: SentStamp,
): Promise<ExecutionRefusal | undefined> {
  const { row } = execution;
  const refusal =
    (await checkSignature(tx, execution, stamp)) ?? checkSource(row) ?? checkStatus(row, tx.now);
  if (refusal) return { refusal };
  // money.md §3.1: the timer may not have run yet.
  return isPastExpiry(row, tx.now) ? { refusal: quoteExpired(row), mark: 'expired' } : undefined;
}

/** The checks after the expiry, in the order of money.md §3.3 and §3.3a, except those that only the commit can make. */
export async function checkStart(tx: ReadTx, execution: Execution): Promise<ExecutionRefusal | undefined> {
  if (!(await isCorridorOpen(tx, execution))) {
    const reason = 'This corridor is no longer available. Create a new quote later.';
    return { refusal: new Refusal('QUOTE_RATE_UNAVAILABLE', reason), mark: 'rateUnavailable' };
  }
  const late = await checkReadiness(tx, execution);
  return late && { refusal: late };
}

/** The rest of money.md §3.3, and money.md §3.3a. A customer is checked if its own money leaves. */
function checkEachParty(tx: ReadTx, execution: Execution): Refusal | undefined {
  const { row, source, destination } = execution;
  const payer = payerOf(execution);
  return (
    (payer ? checkMoneyGate(tx, payer) : undefined) ??
    checkInternal(source) ??
    checkInternal(destination) ??
    checkExternal(source, 'source', row) ??
    checkExternal(destination, 'destination', row)
  );
}

/** The customer whose own money leaves. Null if the platform's money leaves, even if it pays in a customer's name. */
export function payerOf({ row, customer }: Execution): Execution['customer'] {
  return row.details.isPlatformMoney === true ? null : customer;
}

/** The checks of money.md §3.3 from the 403s on. They are repeated after the last challenge (customers.md §7.10c). */
export async function checkReadiness(tx: ReadTx, execution: Execution): Promise<Refusal | undefined> {
  const destination = execution.destination ?? (await loadDepositAccount(tx, execution.row));
  return checkEachParty(tx, { ...execution, destination });
}

/**
 * The external account behind the UMA address of one of our customers. Few quotes have one, so it is looked up
 * separately.
 */
async function loadDepositAccount(tx: ReadTx, { details }: TransactionRow): Promise<AccountStanding | null> {
  const { depositAccount: id } = details;
  if (id === undefined) return null;
  const account = (await loadForPayment(tx, [id])).get(id);
  return account
    ? { kind: 'EXTERNAL', status: account.status, usValidation: account.usValidation }
    : { kind: 'GONE' };
}

/** wallets.md §6.12.51: the owner of an embedded wallet has signed this quote. No other source needs it. */
async function checkSignature(
  tx: ReadTx,
  { row, source, isSigner }: Execution,
  stamp: SentStamp,
): Promise<Refusal | undefined> {
  if (source?.kind !== 'INTERNAL' || source.type !== 'EMBEDDED_WALLET') return undefined;
  const signer = {
    name: publicId('InternalAccount', payerAccount(row)),
    ...(row.customer_id !== null && { customerId: publicId('Customer', row.customer_id) }),
  };
  await loadPrivate(tx, [row]);
  const payload = payloadIn(openPrivate(tx.vault, row));
  // After a customer was erased, its payload is gone, so no key can sign.
  const expected = payload === undefined ? { isSigner: false, payload: '' } : { isSigner, payload };
  return checkStamp(tx, signer, stamp, expected);
}

/** money.md §3.2: a real-time quote is executed by funding it. */
function checkSource({ source }: TransactionRow): Refusal | undefined {
  if (source.kind !== 'REALTIME') return undefined;
  return invalidFields([
    { field: 'quoteId', message: 'is a real-time quote, which executes when its funds arrive' },
  ]);
}

function checkStatus(row: TransactionRow, now: Date): Refusal | undefined {
  if (awaitsApproval(row, now)) {
    return new Refusal('CONFLICT', 'The quote waits for the approval of an agent’s action.', {
      status: row.status,
    });
  }
  if (isOpenQuote(row)) return undefined;
  if (row.status === 'EXPIRED') return quoteExpired(row);
  return new Refusal('CONFLICT', `The quote has already been executed or has ended; it is ${row.status}.`, {
    status: row.status,
  });
}

export function quoteExpired(row: TransactionRow): Refusal {
  const expiresAt = row.expires_at?.toISOString();
  return new Refusal('QUOTE_EXPIRED', 'The quote has expired. Create a new one.', { expiresAt });
}

/**
 * Both currencies are still offered, and the platform still sends the sending currency. The rate is the quote's own
 * (money.md §1.2), so the corridor stays open while rates cannot be read.
 */
async function isCorridorOpen(tx: ReadTx, { row, isEnabled }: Execution): Promise<boolean> {
  // A quote for a coin has the same currency on both sides (stablecoins.md §8.2).
  if (!isEnabled || tx.platform.disabledCurrencies.includes(row.sending_currency)) return false;
  if (row.sending_currency === row.receiving_currency) return true;
  const rates = await readRates(tx);
  return !rates || [row.sending_currency, row.receiving_currency].every(rates.isOffered);
}

function checkInternal(account: AccountStanding | null): Refusal | undefined {
  return account?.kind === 'INTERNAL' ? checkCanMoveMoney(account) : undefined;
}

function checkExternal(
  account: AccountStanding | null,
  role: 'source' | 'destination',
  row: TransactionRow,
): Refusal | undefined {
  if (account?.kind === 'GONE')
    return new Refusal('ACCOUNT_NOT_FOUND', `The quote’s ${role} account no longer exists.`);
  if (account?.kind !== 'EXTERNAL') return undefined;
  const rail = role === 'destination' ? (row.details.paymentRail ?? row.details.depositRail) : undefined;
  return checkForPayment(account, { role, rail, isLarge: row.details.isLarge === true });
}
