import { checkCanMoveMoney } from '#accounts/rules.ts';
import { checkMoneyGate } from '#customers/money-gate.ts';
import type { ReadTx } from '#database/tx.ts';
import { inDocumentOrder } from '#http/validate.ts';
import { type FieldError, invalidFields, refuse } from '#lib/refusals.ts';
import { type AccountParty, customerOf, isForeign } from '#payments/parties/parties.ts';
import { checkInternal, isPullable } from '#payments/parties/rules.ts';
import { type Parties, payingCustomer } from '#payments/quotes/load-parties.ts';
import { overrideErrors, type ParsedQuote } from '#payments/quotes/parse-quote.ts';
import { QuoteRequest } from '#payments/quotes/schemas.ts';

/** The rows of money.md §2's error table from the fields to the wallet, on what was found; refuses by throwing. */
export function checkParties(tx: ReadTx, ask: ParsedQuote, parties: Parties): void {
  const errors = [
    ...sourceErrors(ask, parties),
    ...destinationErrors(ask, parties),
    ...feeErrors(ask, parties),
  ];
  if (errors.length > 0) throw invalidFields(inDocumentOrder(QuoteRequest, errors));
  if (movesAtOnce(ask)) checkMovement(tx, parties);
  checkWallets(parties);
}

/** customers.md §1.7: at creation only where the money then moves without another call of ours. */
function movesAtOnce({ source, immediatelyExecute }: ParsedQuote): boolean {
  return source.kind === 'REALTIME' || immediatelyExecute;
}

function checkMovement(tx: ReadTx, parties: Parties): void {
  const payer = payingCustomer(parties);
  if (payer) checkMoneyGate(tx, payer);
  for (const party of [parties.source, parties.destination]) if (party) checkInternal(party);
}

/** An embedded wallet that is not set up; then, until signatures are taken, one that would have to sign. */
function checkWallets({ source, destination }: Parties): void {
  for (const party of [source, destination]) {
    if (party?.kind === 'INTERNAL' && party.account.type === 'EMBEDDED_WALLET') {
      const refusal = checkCanMoveMoney(party.account);
      if (refusal?.code === 'WALLET_NOT_PROVISIONED') throw refusal;
    }
  }
  if (isEmbedded(source)) {
    refuse('NOT_IMPLEMENTED', 'Payments out of an embedded wallet are not available yet.');
  }
}

function isEmbedded(party: AccountParty | undefined): boolean {
  return party?.kind === 'INTERNAL' && party.account.type === 'EMBEDDED_WALLET';
}

function sourceErrors(ask: ParsedQuote, { source }: Parties): FieldError[] {
  const errors: FieldError[] = [];
  if (source === undefined) return errors;
  if (!isPullable(source)) {
    errors.push({
      field: 'source.accountId',
      message: 'is a wallet; money can be collected from bank accounts only',
    });
  }
  const named = ask.source.customerId;
  const holder = customerOf(source);
  if (named !== undefined && holder !== undefined && holder !== named) {
    errors.push({ field: 'source.customerId', message: 'is not the owner of the source account' });
  }
  if (ask.immediatelyExecute && isEmbedded(source)) {
    errors.push({
      field: 'immediatelyExecute',
      message: 'cannot be true for an embedded wallet, whose payments must be signed',
    });
  }
  return errors;
}

function destinationErrors(ask: ParsedQuote, parties: Parties): FieldError[] {
  const { destination } = parties;
  if (destination === undefined || ask.destination.kind !== 'ACCOUNT') return [];
  const { currency, rail } = ask.destination;
  const errors: FieldError[] = [];
  if (meetsForeignMoney(ask, parties.source, destination)) {
    errors.push({
      field: 'destination.accountId',
      message: 'belongs to a customer other than the one who pays',
    });
  }
  const own = destination.account.currency;
  if (currency !== undefined && currency !== own) {
    errors.push({ field: 'destination.currency', constraint: { enum: [own] }, message: `must be ${own}` });
  }
  const rails = destination.kind === 'EXTERNAL' ? destination.account.rails : [];
  if (rail !== undefined && !rails.includes(rail)) {
    errors.push({
      field: 'destination.paymentRail',
      constraint: { enum: rails },
      message: 'is not a payment rail of this account',
    });
  }
  return errors;
}

function meetsForeignMoney(
  ask: ParsedQuote,
  source: AccountParty | undefined,
  destination: AccountParty,
): boolean {
  if (source?.kind !== 'EXTERNAL' && destination.kind !== 'EXTERNAL') return false;
  return isForeign(source ? customerOf(source) : ask.source.customerId, customerOf(destination));
}

function feeErrors({ feeOverride }: ParsedQuote, { source }: Parties): FieldError[] {
  return feeOverride && source ? overrideErrors(source.account.currency, feeOverride.fixedCurrency) : [];
}
