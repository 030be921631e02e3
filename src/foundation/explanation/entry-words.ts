import type { LedgerKind } from '#foundation/ledger/kinds.ts';

/** What the sentence about an entry names besides the amount that it moves. */
export interface EntryFacts {
  /** Whether the amount is put on hold, rather than released. */
  readonly isHeld: boolean;
  /** Whether the amount on hold is dollars, for a mint; a burn holds coins. */
  readonly isDollars: boolean;
  /** Where the money of a purchase came from: `from the hold`. */
  readonly from: string;
  /** The fees of the service; undefined if there are none. */
  readonly fees: string | undefined;
  /** The conversion: `248.75 USD was converted into 228.85 EUR`, without its verb. */
  readonly converted: { readonly sent: string; readonly received: string } | undefined;
}

/** Each kind of entry as a sentence, with the amount that it moves. */
export const ENTRY_WORDS: Readonly<Record<LedgerKind, (amount: string, facts: EntryFacts) => string>> = {
  'deposit.received': (amount) => `Booked: ${amount} arrived and was credited to the account.`,
  'payment.executed': (amount) => `Booked: ${amount} was taken from the payer’s account.`,
  'payment.held': (amount) => `Booked: ${amount} was put on hold in the payer’s account.`,
  'payment.captured': (amount) => `Booked: ${amount} on hold was taken for the payment.`,
  'payment.released': (amount) => `Booked: the hold of ${amount} was released to the payer’s account.`,
  'payment.funded': (amount) => `Booked: ${amount} arrived for the quote.`,
  'payment.collected': (amount) => `Booked: ${amount} was collected from the payer’s external account.`,
  'payment.converted': (amount, { fees, converted }) =>
    `Booked: ${joined(
      [
        fees && `${fees} in fees was taken`,
        converted && `${converted.sent} was converted into ${converted.received}`,
      ],
      amount,
    )}.`,
  'payment.delivered': (amount) => `Booked: ${amount} was delivered.`,
  'payment.returned': (amount) =>
    `Booked: the delivery of ${amount} was reversed, because the bank returned it.`,
  'payment.unwound': (amount, { fees, converted }) =>
    `Booked: ${joined(
      [
        fees && `${fees} in fees was given back`,
        converted && `the conversion of ${converted.sent} into ${converted.received} was reversed`,
      ],
      amount,
    )}.`,
  'refund.owed': (amount) => `Booked: ${amount} is owed back to the payer.`,
  'refund.paid': (amount) => `Booked: ${amount} was paid back to the payer.`,
  'refund.suspended': (amount) => `Booked: ${amount} could not be paid back, and waits for the operator.`,
  'uma.received': (amount) => `Booked: ${amount} is on the way from the sender’s provider.`,
  'uma.delivered': (amount) => `Booked: ${amount} reached the receiver.`,
  'uma.held': (amount) => `Booked: ${amount} arrived and is held for a review.`,
  'uma.released': (amount) => `Booked: ${amount} was released to the receiver’s account.`,
  'uma.refund_owed': (amount) => `Booked: ${amount} is owed back to the sender.`,
  'uma.refund_paid': (amount) => `Booked: ${amount} was sent back to the sender.`,
  'card.hold_adjusted': (amount, { isHeld }) =>
    isHeld
      ? `Booked: ${amount} was put on hold for the purchase.`
      : `Booked: ${amount} on hold for the purchase was released.`,
  'card.cleared': (amount, { from }) => `Booked: ${amount} was taken ${from} for the purchase.`,
  'card.credited': (amount) => `Booked: ${amount} came back from the merchant.`,
  'collection.reversed': (amount) => `Booked: the payer’s bank reversed the collection of ${amount}.`,
  'receipt.suspended': (amount) =>
    `Booked: ${amount} arrived, matched no account, and waits for the operator.`,
  'suspense.resolved': (amount) => `Booked: the operator assigned ${amount} from suspense.`,
  'debt.written_off': (amount) => `Booked: the operator wrote off a debt of ${amount}.`,
  'card.shortfall_owed': (amount) =>
    `Booked: the card network was paid ${amount}, which could not be taken from the account.`,
  'card.credit_reversed': (amount) => `Booked: a return of ${amount} was reversed.`,
  'card.shortfall_collected': (amount) =>
    `Booked: ${amount} that the purchase owed was taken from the account.`,
  'coin.hold_adjusted': (amount, { isHeld, isDollars }) =>
    isHeld
      ? `Booked: ${amount} was put on hold for the ${isDollars ? 'mint' : 'burn'}.`
      : `Booked: ${amount} on hold for the ${isDollars ? 'mint' : 'burn'} was released.`,
  'coin.minted': (amount) => `Booked: coins were minted against their reserve (${amount}).`,
  'coin.burned': (amount) => `Booked: coins were burned, and their reserve was paid out (${amount}).`,
  'coin.opened': (amount) => `Booked: coins that were issued earlier were added to the ledger (${amount}).`,
  'bank.own_moved': (amount) => `Booked: the operator’s own money at the bank moved (${amount}).`,
  'bank.charged': (amount) => `Booked: a charge or interest of the bank (${amount}).`,
  'bank.written_off': (amount) => `Booked: a difference with the bank was written off (${amount}).`,
};

function joined(clauses: readonly (string | undefined)[], amount: string): string {
  const said = clauses.filter((clause) => clause !== undefined);
  return said.length > 0 ? said.join(', and ') : `fees and a conversion (${amount})`;
}
