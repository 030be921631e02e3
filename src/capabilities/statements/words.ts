import type { LedgerKind } from '#foundation/ledger/kinds.ts';

/** The effect of an entry on the money of an account, in words. */
interface Words {
  readonly added: string;
  readonly taken: string;
}

const same = (words: string): Words => ({ added: words, taken: words });

/** Every kind has words: some of them never change the money of an account, and a new kind must be thought about. */
const KIND_WORDS: Readonly<Record<LedgerKind, Words>> = {
  'deposit.received': same('Money received'),
  'payment.executed': same('Payment sent'),
  'payment.held': same('Payment on hold'),
  'payment.captured': same('Payment sent'),
  'payment.released': same('Payment released'),
  'payment.funded': same('Payment funded'),
  'payment.collected': same('Money collected'),
  'payment.converted': same('Currency exchanged'),
  'payment.delivered': { added: 'Payment received', taken: 'Payment sent' },
  'payment.returned': { added: 'Payment returned', taken: 'Fee of a returned payment taken back' },
  'payment.unwound': same('Payment undone'),
  'refund.owed': same('Refund owed'),
  'refund.paid': same('Refund'),
  'refund.suspended': same('Refund set aside'),
  'uma.received': same('Payment received'),
  'uma.delivered': same('Payment received'),
  'uma.held': same('Payment waiting for a decision'),
  'uma.released': same('Payment received'),
  'uma.refund_owed': same('Refund owed'),
  'uma.refund_paid': same('Refund'),
  'card.hold_adjusted': same('Card purchase on hold'),
  'card.cleared': same('Card purchase'),
  'card.credited': same('Card refund'),
  'collection.reversed': same('Collected money taken back'),
  'receipt.suspended': same('Money set aside'),
  'suspense.resolved': same('Money assigned'),
  'debt.written_off': same('Debt written off'),
  'card.shortfall_owed': same('Card purchase owed'),
  'card.credit_reversed': same('Card refund taken back'),
  'card.shortfall_collected': same('Debt of a card purchase collected'),
  'coin.hold_adjusted': same('Mint or burn on hold'),
  'coin.minted': { added: 'Coins minted', taken: 'Paid for minted coins' },
  'coin.burned': { added: 'Paid out for burned coins', taken: 'Coins burned' },
  'coin.opened': same('Coins registered'),
  'bank.own_moved': same('Money of the operator moved'),
  'bank.charged': same('Charge or interest of the bank'),
  'bank.written_off': same('Difference with the bank written off'),
};

export function describeKind(kind: LedgerKind, isAdded: boolean): string {
  return KIND_WORDS[kind][isAdded ? 'added' : 'taken'];
}
