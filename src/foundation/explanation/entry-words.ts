import type { LedgerKind } from '#foundation/ledger/kinds.ts';

/** Each kind of entry as a sentence, with the amount that it moves, and whether that is put on hold. */
export const ENTRY_WORDS: Readonly<Record<LedgerKind, (amount: string, isHeld: boolean) => string>> = {
  'deposit.received': (amount) => `Booked: ${amount} arrived and was credited to the account.`,
  'payment.executed': (amount) => `Booked: ${amount} was taken from the payer’s account.`,
  'payment.held': (amount) => `Booked: ${amount} was put on hold in the payer’s account.`,
  'payment.captured': (amount) => `Booked: ${amount} on hold was taken for the payment.`,
  'payment.released': (amount) => `Booked: the hold of ${amount} was released to the payer’s account.`,
  'payment.funded': (amount) => `Booked: ${amount} arrived for the quote.`,
  'payment.collected': (amount) => `Booked: ${amount} was collected from the payer’s external account.`,
  'payment.converted': (amount) => `Booked: fees were taken, and the rest was converted (${amount}).`,
  'payment.delivered': (amount) => `Booked: ${amount} was delivered.`,
  'payment.returned': (amount) =>
    `Booked: the delivery of ${amount} was reversed, because the bank returned it.`,
  'payment.unwound': (amount) => `Booked: the fees and the conversion were reversed (${amount}).`,
  'refund.owed': (amount) => `Booked: ${amount} is owed back to the payer.`,
  'refund.paid': (amount) => `Booked: ${amount} was paid back to the payer.`,
  'refund.suspended': (amount) => `Booked: ${amount} could not be paid back, and waits for the operator.`,
  'uma.received': (amount) => `Booked: ${amount} is on the way from the sender’s provider.`,
  'uma.delivered': (amount) => `Booked: ${amount} reached the receiver.`,
  'uma.held': (amount) => `Booked: ${amount} arrived and is held for a review.`,
  'uma.released': (amount) => `Booked: ${amount} was released to the receiver’s account.`,
  'uma.refund_owed': (amount) => `Booked: ${amount} is owed back to the sender.`,
  'uma.refund_paid': (amount) => `Booked: ${amount} was sent back to the sender.`,
  'card.hold_adjusted': (amount, isHeld) =>
    isHeld
      ? `Booked: ${amount} was put on hold for the purchase.`
      : `Booked: ${amount} on hold for the purchase was released.`,
  'card.cleared': (amount) => `Booked: ${amount} was taken for the purchase, from the hold or the balance.`,
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
  'coin.hold_adjusted': (amount, isHeld) =>
    isHeld
      ? `Booked: ${amount} was put on hold for the mint or burn.`
      : `Booked: ${amount} on hold for the mint or burn was released.`,
  'coin.minted': (amount) => `Booked: coins were minted (${amount}).`,
  'coin.burned': (amount) => `Booked: coins were burned (${amount}).`,
  'coin.opened': (amount) => `Booked: coins that were issued earlier were added to the ledger (${amount}).`,
};
