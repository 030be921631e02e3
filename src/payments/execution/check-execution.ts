import { checkCanMoveMoney } from '#accounts/rules.ts';
import { checkMoneyGate } from '#customers/money-gate.ts';
import { isScaRegion } from '#customers/regions.ts';
import type { ReadTx } from '#database/tx.ts';
import { checkForPayment, loadForPayment } from '#external-accounts/check-for-payment.ts';
import { publicId } from '#lib/ids.ts';
import { invalidFields, Refusal } from '#lib/refusals.ts';
import type { Execution, Standing } from '#payments/execution/store.ts';
import { isOpenQuote, isPastExpiry, type TransactionRow } from '#payments/row.ts';
import { readRates } from '#pricing/rates.ts';

/** Why a quote cannot be executed. `mark` is what its transaction becomes with the refusal, if anything. */
export interface ExecutionRefusal {
  readonly refusal: Refusal;
  readonly mark?: 'expired' | 'rateUnavailable';
}

/** The checks of money.md §3.3 and §3.3a, in that order, up to those that only the commit can make. */
export async function checkExecution(
  tx: ReadTx,
  execution: Execution,
): Promise<ExecutionRefusal | undefined> {
  const { row } = execution;
  const early = signatureRefusal(execution) ?? sourceRefusal(row) ?? stateRefusal(row);
  if (early) return { refusal: early };
  if (isPastExpiry(row, tx.now)) return { refusal: quoteExpired(row), mark: 'expired' };
  if (!(await isQuotable(tx, execution))) {
    const reason = 'This corridor is no longer available. Create a new quote later.';
    return { refusal: new Refusal('QUOTE_RATE_UNAVAILABLE', reason), mark: 'rateUnavailable' };
  }
  const destination = execution.destination ?? (await depositStanding(tx, row));
  const late = partyRefusal(tx, { ...execution, destination });
  return late && { refusal: late };
}

/**
 * money.md §3.3 from the terms on, and money.md §3.3a; for `immediatelyExecute` too. A customer is judged where its own
 * money leaves.
 */
export function partyRefusal(tx: ReadTx, execution: Omit<Execution, 'isEnabled'>): Refusal | undefined {
  const { source, destination, row } = execution;
  const customer = row.details.isPlatformMoney === true ? null : execution.customer;
  return (
    gateRefusal(tx, customer) ??
    internalRefusal(source) ??
    internalRefusal(destination) ??
    externalRefusal(source, 'source', row) ??
    externalRefusal(destination, 'destination', row) ??
    strongRefusal(customer)
  );
}

/** Of the account outside behind the UMA address of a customer of ours; few quotes have one, so it is looked up apart. */
async function depositStanding(tx: ReadTx, { details }: TransactionRow): Promise<Standing | null> {
  const { depositAccount: id } = details;
  if (id === undefined) return null;
  const account = (await loadForPayment(tx, [id])).get(id);
  return account
    ? { kind: 'EXTERNAL', status: account.status, usValidation: account.usValidation }
    : { kind: 'GONE' };
}

/** Signatures of wallets are a part to come; until then such a quote is not executed. */
function signatureRefusal({ source }: Execution): Refusal | undefined {
  if (source?.kind !== 'INTERNAL' || source.type !== 'EMBEDDED_WALLET') return undefined;
  return new Refusal('NOT_IMPLEMENTED', 'Payments out of an embedded wallet are not available yet.');
}

/** money.md §3.2: a real-time quote is executed by funding it. */
function sourceRefusal({ source_type: type }: TransactionRow): Refusal | undefined {
  if (type !== 'REALTIME') return undefined;
  return invalidFields([
    { field: 'quoteId', message: 'is a real-time quote, which executes when its funds arrive' },
  ]);
}

function stateRefusal(row: TransactionRow): Refusal | undefined {
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
 * Both currencies are still offered, and the platform still sends the one it sends. The rate itself is the quote's own
 * (money.md §1.2), so a source that fell silent withdraws nothing.
 */
async function isQuotable(tx: ReadTx, { row, isEnabled }: Execution): Promise<boolean> {
  if (!isEnabled) return false;
  if (row.sending_currency === row.receiving_currency) return true;
  const reading = await readRates(tx);
  return !reading || [row.sending_currency, row.receiving_currency].every(reading.isOffered);
}

function gateRefusal(tx: ReadTx, customer: Execution['customer']): Refusal | undefined {
  if (customer === null) return undefined;
  try {
    checkMoneyGate(tx, customer);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
    throw refusal;
  }
}

function internalRefusal(standing: Standing | null): Refusal | undefined {
  return standing?.kind === 'INTERNAL' ? checkCanMoveMoney(standing) : undefined;
}

function externalRefusal(
  standing: Standing | null,
  role: 'source' | 'destination',
  row: TransactionRow,
): Refusal | undefined {
  if (standing?.kind === 'GONE')
    return new Refusal('ACCOUNT_NOT_FOUND', `The quote’s ${role} account no longer exists.`);
  if (standing?.kind !== 'EXTERNAL') return undefined;
  const rail = role === 'destination' ? (row.details.paymentRail ?? row.details.depositRail) : undefined;
  return checkForPayment(standing, { role, rail, isLarge: row.details.isLarge === true });
}

/** money.md §3.5: strong customer authentication is a part to come; until then it stands in the way. */
function strongRefusal(customer: Execution['customer']): Refusal | undefined {
  if (customer === null || !isScaRegion(customer.region)) return undefined;
  const details = { customerId: publicId('Customer', customer.id) };
  const reason = 'Payments of this customer need strong customer authentication, which is not available yet.';
  return new Refusal('NOT_IMPLEMENTED', reason, details);
}
