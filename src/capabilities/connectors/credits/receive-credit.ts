import { aboutCredit, openBreak } from '#capabilities/connectors/break-store.ts';
import {
  type CreditRow,
  claimCredit,
  placeCredit,
  type Recipient,
} from '#capabilities/connectors/credit-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import {
  accountName,
  type ConnectorRow,
  type ReportedCredit,
  receiptName,
} from '#capabilities/connectors/row.ts';
import { receiveArrival } from '#capabilities/payments/incoming/receive-deposit.ts';
import type { Arrival } from '#capabilities/payments/incoming/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { PAYMENT_RAILS } from '#foundation/lib/rails-by-currency.ts';
import { NETWORKS } from '#foundation/ports/network-fees.ts';

/** The outcome of a report: `repeated` and `differs` book nothing. */
export type CreditOutcome = 'applied' | 'suspended' | 'repeated' | 'differs';

/**
 * Books a credit in the books of this platform (connectors.md §6.9): to the quote or the account of its recipient, or to
 * SUSPENSE, which is a break. A credit is booked once, whatever platform its recipient is on by now.
 */
export async function receiveCredit(
  tx: Tx,
  connector: ConnectorRow,
  credit: ReportedCredit,
  recipient: Recipient | undefined,
): Promise<CreditOutcome> {
  const run = tx.query.bind(tx);
  const { creditId: credit_id, settlementAccount: settlement_account, rail, amount, currency } = credit;
  const key = { connector_id: connector.id, credit_id };
  const stored = { ...key, platform_id: tx.platformId, settlement_account, rail, amount, currency };
  const earlier = await claimCredit(run, stored, realNow(tx));
  if (earlier) return repeat(tx, connector, credit, earlier);
  const { transaction, suspendedBy } = await receiveArrival(tx, arrivalOf(connector, credit, recipient));
  const place = { platform_id: tx.platformId, transaction_id: transaction?.id ?? null };
  await placeCredit(run, key, { ...place, entry_id: suspendedBy ?? null });
  if (transaction) return 'applied';
  const what = 'Money came in that belongs to no known quote or account. It waits in suspense.';
  await breakAbout(tx, connector, credit, { kind: 'THEIRS_UNMATCHED', what });
  return 'suspended';
}

/** The same name is the same money, also if another store lists it. */
async function repeat(
  tx: Tx,
  connector: ConnectorRow,
  credit: ReportedCredit,
  { amount, currency, settlement_account }: CreditRow,
): Promise<CreditOutcome> {
  const isSame =
    amount === credit.amount &&
    currency === credit.currency &&
    settlement_account === credit.settlementAccount;
  if (isSame) return 'repeated';
  const what = 'The connector reports the credit again, with another amount or account.';
  await breakAbout(tx, connector, credit, { kind: 'DUPLICATE', what });
  return 'differs';
}

function breakAbout(
  tx: Tx,
  connector: ConnectorRow,
  { creditId, amount, currency }: ReportedCredit,
  found: { readonly kind: 'THEIRS_UNMATCHED' | 'DUPLICATE'; readonly what: string },
): Promise<void> {
  const place = {
    connectorId: connector.id,
    platformId: tx.platformId,
    about: aboutCredit(creditId),
    amount,
    currency,
  };
  return openBreak(tx.query.bind(tx), { ...found, ...place, id: newUuid() }, realNow(tx));
}

/** The connector named the account, or its reference was found: what the payer wrote is only kept then. */
function arrivalOf(
  connector: ConnectorRow,
  credit: ReportedCredit,
  recipient: Recipient | undefined,
): Arrival {
  const { amount, currency, rail, remittance, transactionHash } = credit;
  const isQuote = recipient !== undefined && recipient.account_id === null;
  return {
    providerReference: receiptName(connector, credit.creditId),
    ...{ amount, currency, rail, transactionHash, network: NETWORKS.find((network) => network === rail) },
    settlementAccount: accountName(connector, credit.settlementAccount),
    ...(isQuote
      ? { reference: recipient.reference ?? undefined }
      : { accountId: recipient?.account_id ?? undefined, statedReference: remittance }),
    originator: originatorOf(credit),
  };
}

function originatorOf({ originator, rail, remittance }: ReportedCredit): Arrival['originator'] {
  const { iban, accountNumber } = originator?.fields ?? {};
  const paymentRail = PAYMENT_RAILS.find((known) => known === rail);
  return {
    ...(originator?.name !== undefined && { accountHolderName: originator.name }),
    ...((iban ?? accountNumber) !== undefined && { accountIdentifier: iban ?? accountNumber }),
    ...(remittance !== undefined && { remittanceInformation: remittance }),
    ...(paymentRail !== undefined && { paymentRail }),
  };
}
