/** What each kind of account holds, for people who do not read the rules (money.md §11.6). */
export const HOLDS: Readonly<Record<string, string>> = {
  AVAIL: 'Money that customers and platforms can spend',
  HOLD: 'Money set aside until a payment, a card or a mint is decided',
  PENDING_IN: 'Money that has arrived and is not released yet',
  RECEIVABLE: 'Debts of customers and platforms to us',
  ISSUED: 'Stablecoins that were issued',
  RESERVE: 'Money behind issued stablecoins',
  INFLIGHT: 'Money taken from payers and not delivered yet',
  REFUND_PAYABLE: 'Refunds that are owed',
  FEES: 'Fees that were earned',
  FX: 'What conversions hold in each currency',
  RAIL: 'Money at banks and other rails',
  SUSPENSE: 'Money that belongs to nobody we know',
};

export const ACCOUNT_KINDS = Object.keys(HOLDS);

/** Kinds whose accounts have a page each; every other account is one of the whole platform. */
export function isOfOwners(account: string): boolean {
  return !account.includes(':');
}
