import {
  BOOKSHOP,
  CREDIT,
  DECLINED_PURCHASE,
  PURCHASE,
  RETURN,
  SECOND_CREDIT,
  UNPAID_PURCHASE,
} from '#capabilities/card-transactions/examples.ts';
import type { CardTransaction } from '#capabilities/card-transactions/schemas.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

/** The card network's messages about Ada's card, by simulator. */

const params = { id: EXAMPLE_IDS.card };

/** A message about an existing or a new row. */
function message<Body>(
  body: Body,
  { issuerTransactionToken }: Pick<CardTransaction, 'issuerTransactionToken'>,
) {
  return { params, body, reply: { issuerTransactionToken: issuerTransactionToken ?? '' } };
}

/** A request for a row with this amount and merchant. */
function asking(row: Pick<CardTransaction, 'authorizedAmount' | 'merchant' | 'issuerTransactionToken'>) {
  const { authorizedAmount, merchant } = row;
  return message({ amount: authorizedAmount.amount, currency: { code: 'USD' }, merchant }, row);
}

/** Rows that the examples create and do not show again. */
const unseen = (number: number, cents = 400) => ({
  merchant: BOOKSHOP,
  authorizedAmount: { ...PURCHASE.authorizedAmount, amount: cents },
  issuerTransactionToken: `itx_019542f5b3e77d028000000000000${number}`,
});

export const AUTHORIZATIONS = {
  Books: asking(PURCHASE),
  'A shop whose purchases are declined': asking(DECLINED_PURCHASE),
  'A shop that is paid although the account cannot be debited': asking(UNPAID_PURCHASE),
};

export const CLEARINGS = {
  'A part of a purchase': message({ cardTransactionId: PURCHASE.id, amount: 500 }, PURCHASE),
  'The rest of it': message({ cardTransactionId: PURCHASE.id, amount: 1_000 }, PURCHASE),
  'A credit': message({ cardTransactionId: CREDIT.id, amount: 300 }, CREDIT),
  'Nothing, because the credit never comes': message(
    { cardTransactionId: SECOND_CREDIT.id, amount: 0 },
    SECOND_CREDIT,
  ),
};

export const ADVICES = {
  'One more book': message({ cardTransactionId: PURCHASE.id, amount: 1_500 }, PURCHASE),
};

export const RETURNS = { 'One book': message({ cardTransactionId: PURCHASE.id, amount: 500 }, RETURN) };

export const RETURN_REVERSALS = {
  'A book that was kept after all': message({ cardTransactionId: RETURN.id }, unseen(207)),
};

export const INQUIRIES = { 'A shop that saves the card': message({ merchant: BOOKSHOP }, unseen(208)) };

export const CREDITS = { 'For a late parcel': asking(CREDIT) };
export const CREDIT_ADVICES = { 'For another late parcel': asking(SECOND_CREDIT) };
export const SINGLE_DEBITS = { 'A newspaper': asking(unseen(209)) };
export const SINGLE_CREDITS = { 'A prize': asking(unseen(210)) };
