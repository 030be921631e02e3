import assert from 'node:assert/strict';
import type { AccountRow } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { readUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { customerNotFound } from '#capabilities/customers/store.ts';
import { checkMoneyGate } from '#capabilities/customers/terms/money-gate.ts';
import {
  type AccountParty,
  areDifferentCustomers,
  customerIdOf,
  loadAccounts,
  loadCustomer,
  loadOwner,
} from '#capabilities/payments/parties/accounts.ts';
import { checkInternal, isPullable } from '#capabilities/payments/parties/rules.ts';
import { overrideProblems, type ParsedQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import { QuoteRequest } from '#capabilities/payments/quotes/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { inDocumentOrder } from '#foundation/http/read/validate.ts';
import { type FieldError, invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** The accounts and customers that a request for a quote names. */
export interface Parties {
  /** Undefined for real-time funding. */
  readonly source: AccountParty | undefined;
  /** Undefined for a UMA address. */
  readonly destination: AccountParty | undefined;
  /** The owner of the transaction; undefined for the platform itself (money.md §2.4). */
  readonly owner: CustomerRow | undefined;
  /**
   * The customer whose internal account is paid; undefined if it is the platform's, or the destination is another kind.
   */
  readonly receiver: CustomerRow | undefined;
}

/**
 * money.md §2.13: refuses unknown accounts, then unknown customers. Other platforms' count as unknown, and for an agent
 * all but its customer's.
 */
export async function loadParties(tx: ReadTx, request: ParsedQuote): Promise<Parties> {
  const { source, destination, agent } = request;
  const accounts = [
    { field: 'source.accountId', ref: source.kind === 'ACCOUNT' ? source.account : undefined },
    { field: 'destination.accountId', ref: destination.kind === 'ACCOUNT' ? destination.account : undefined },
  ] as const;
  const [from, to] = await loadAccounts(tx, accounts, agent?.customerId);
  const named = source.customerId;
  if (agent && named !== undefined && named !== agent.customerId) throw customerNotFound();
  const owner = named === undefined ? await loadOwner(tx, from ?? to) : await loadCustomer(tx, named);
  const isOwn = to?.kind === 'INTERNAL' && owner !== undefined && owner.id === to.account.customer_id;
  const receiver = isOwn ? owner : to?.kind === 'INTERNAL' ? await loadOwner(tx, to) : undefined;
  return { source: from, destination: to, owner, receiver };
}

export function chooseSendingCurrency({ source: requested }: ParsedQuote, { source }: Parties): string {
  if (requested.kind === 'REALTIME') return requested.currency;
  assert(source, 'an account was named and loaded');
  return source.account.currency;
}

/** money.md §4.3: a pull into an internal account of the same currency is an incoming transaction. */
export function isSameCurrencyPull({ source, destination }: Parties): boolean {
  return (
    source?.kind === 'EXTERNAL' &&
    destination?.kind === 'INTERNAL' &&
    source.account.currency === destination.account.currency
  );
}

/**
 * The customer whose own money leaves. Undefined if the platform's money leaves, even if it pays in a customer's name.
 */
export function payingCustomer({ source, owner }: Parties): CustomerRow | undefined {
  return source && customerIdOf(source) === undefined ? undefined : owner;
}

/** Whether the money moves without another request: the quote is executed at once, or by its funds. */
export function movesAtOnce({ source, immediatelyExecute }: ParsedQuote): boolean {
  return source.kind === 'REALTIME' || immediatelyExecute;
}

/** The rows of money.md §2.13 from the fields to the self-payment. */
export function checkParties(tx: ReadTx, request: ParsedQuote, parties: Parties): Refusal | undefined {
  const { source, destination } = parties;
  return (
    checkQuoteFields(request, parties) ??
    (movesAtOnce(request) ? checkMovement(tx, parties) : undefined) ??
    checkProvisioned(source) ??
    checkProvisioned(destination) ??
    checkSelfPayment(request, parties)
  );
}

function checkQuoteFields(request: ParsedQuote, parties: Parties): Refusal | undefined {
  const problems = [
    ...sourceAccountProblems(request, parties),
    ...destinationAccountProblems(request, parties),
    ...accountFeeProblems(request, parties),
  ];
  return problems.length > 0 ? invalidFields(inDocumentOrder(QuoteRequest, problems)) : undefined;
}

/** customers.md §1.7: checked now if the money moves at once, and otherwise when the quote is executed. */
function checkMovement(tx: ReadTx, parties: Parties): Refusal | undefined {
  const payer = payingCustomer(parties);
  return (
    (payer && checkMoneyGate(tx, payer)) ??
    checkInternal(parties.source) ??
    checkInternal(parties.destination)
  );
}

/** An embedded wallet must be provisioned, even if the money moves later. */
function checkProvisioned(party: AccountParty | undefined): Refusal | undefined {
  const refusal = walletOf(party) ? checkInternal(party) : undefined;
  return refusal?.code === 'WALLET_NOT_PROVISIONED' ? refusal : undefined;
}

/** An embedded wallet, whose owner signs each payment from it. */
export function walletOf(party: AccountParty | undefined): AccountRow | undefined {
  const account = party?.kind === 'INTERNAL' ? party.account : undefined;
  return account?.type === 'EMBEDDED_WALLET' ? account : undefined;
}

function checkSelfPayment(
  { destination: requested }: ParsedQuote,
  { source, destination, owner }: Parties,
): Refusal | undefined {
  const isSame = source !== undefined && source.account.id === destination?.account.id;
  const isOwnAddress = requested.kind === 'UMA' && readUmaAddress(requested.address) === owner?.uma_address;
  if (!isSame && !isOwnAddress) return undefined;
  return new Refusal('SELF_PAYMENT', 'The sender and the receiver are the same.');
}

function sourceAccountProblems(request: ParsedQuote, { source }: Parties): FieldError[] {
  const problems: FieldError[] = [];
  if (source === undefined) return problems;
  if (!isPullable(source)) {
    problems.push({
      field: 'source.accountId',
      message: 'is a wallet; money can be collected from bank accounts only',
    });
  }
  if (areDifferentCustomers(request.source.customerId, customerIdOf(source))) {
    problems.push({ field: 'source.customerId', message: 'is not the owner of the source account' });
  }
  if (request.immediatelyExecute && walletOf(source)) {
    problems.push({
      field: 'immediatelyExecute',
      message: 'cannot be true for an embedded wallet, whose payments must be signed',
    });
  }
  return problems;
}

function destinationAccountProblems(request: ParsedQuote, { source, destination }: Parties): FieldError[] {
  if (destination === undefined || request.destination.kind !== 'ACCOUNT') return [];
  const { currency, rail } = request.destination;
  const problems: FieldError[] = [];
  if (crossesCustomers(request, source, destination)) {
    problems.push({
      field: 'destination.accountId',
      message: 'belongs to a customer other than the one who pays',
    });
  }
  const own = destination.account.currency;
  if (currency !== undefined && currency !== own) {
    problems.push({ field: 'destination.currency', constraint: { enum: [own] }, message: `must be ${own}` });
  }
  const rails = destination.kind === 'EXTERNAL' ? destination.account.rails : [];
  if (rail !== undefined && !rails.includes(rail)) {
    problems.push({
      field: 'destination.paymentRail',
      constraint: { enum: rails },
      message: 'is not a payment rail of this account',
    });
  }
  return problems;
}

/** money.md §2.4: a payment between two customers must not pull from an external account, or pay one. */
function crossesCustomers(
  { source: requested }: ParsedQuote,
  source: AccountParty | undefined,
  destination: AccountParty,
): boolean {
  if (source?.kind !== 'EXTERNAL' && destination.kind !== 'EXTERNAL') return false;
  const payer = source ? customerIdOf(source) : requested.customerId;
  return areDifferentCustomers(payer, customerIdOf(destination));
}

function accountFeeProblems({ feeOverride }: ParsedQuote, { source }: Parties): FieldError[] {
  return feeOverride && source ? overrideProblems(source.account.currency, feeOverride.fixedCurrency) : [];
}
