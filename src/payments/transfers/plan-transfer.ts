import type { ReadTx } from '#database/tx.ts';
import type { Fraction } from '#lib/money.ts';
import { type Details, type Private, sealPrivate } from '#payments/details.ts';
import { type Draft, newTransaction } from '#payments/machine/draft.ts';
import { executePull } from '#payments/machine/incoming.ts';
import { holdReceiver, pickedUp, startPayout } from '#payments/machine/outgoing.ts';
import { execute } from '#payments/machine/postings.ts';
import { countVolume } from '#payments/machine/volume.ts';
import {
  destinationColumns,
  fundingDetails,
  holderOf,
  instrumentOf,
  type Owner,
  payoutDetails,
  type QuoteDestination,
  type QuoteSource,
  receiverOf,
  sourceColumns,
} from '#payments/parties/source-destination.ts';
import { type Fixed, plainTerms } from '#payments/row.ts';
import { executionFacts } from '#payments/settlement/facts.ts';

/** A transfer whose accounts and amount have been judged (money.md §5). */
export interface Transfer {
  readonly owner: Owner;
  readonly source: QuoteSource;
  readonly destination: QuoteDestination;
  readonly currency: string;
  readonly amount: bigint;
  /** In US cents, exactly: what counts against the day's volume. Absent: it does not. */
  readonly usdValue?: Fraction | undefined;
  readonly remittanceInformation?: string | undefined;
  readonly purposeOfPayment?: string | undefined;
}

/** money.md §5.2: the debit is made with the transfer, which then waits for the rail to pick it up. */
export function planTransferOut(tx: ReadTx, transfer: Transfer): Draft {
  const draft = draftOf(tx, transfer, 'OUTGOING');
  const facts = executionFacts(tx, draft.row);
  draft.emit('PENDING');
  draft.post('L2', execute(draft.row));
  draft.needsActive(draft.row.source_account ?? '');
  holdReceiver(draft);
  draft.set({ executed_at: tx.now, taken_at: tx.now });
  countVolume(draft, facts);
  // What the rail refuses here and now it has picked up (money.md §9.2, events of the transfer table).
  if (facts.knownPayoutFailure !== undefined) pickedUp(draft);
  startPayout(draft, facts);
  return draft;
}

/** money.md §5.3: credited only when collected. */
export function planTransferIn(tx: ReadTx, transfer: Transfer): Draft {
  const draft = draftOf(tx, transfer, 'INCOMING');
  executePull(draft, executionFacts(tx, draft.row));
  return draft;
}

function draftOf(tx: ReadTx, transfer: Transfer, type: 'OUTGOING' | 'INCOMING'): Draft {
  const { owner, source, destination, currency, amount } = transfer;
  const id = tx.newId();
  const fixed: Fixed = {
    platform_id: tx.platformId,
    id,
    type,
    kind: 'TRANSFER',
    customer_id: owner.customerId,
    ...plainTerms(currency, amount),
    ...sourceColumns(source),
    ...destinationColumns(destination),
    reference: null,
    details: detailsOf(transfer),
    private: sealPrivate(tx.vault, id, privateOf(transfer)),
    created_at: tx.now,
  };
  return newTransaction(fixed, tx.now);
}

function detailsOf({ owner, source, destination, usdValue, purposeOfPayment }: Transfer): Details {
  const receiver = receiverOf(destination, owner);
  return {
    ...(owner.platformCustomerId !== undefined && { platformCustomerId: owner.platformCustomerId }),
    exchangeRate: 1,
    ...(usdValue && { usdValue: [usdValue.numerator.toString(), usdValue.denominator.toString()] as const }),
    ...fundingDetails(source),
    ...payoutDetails(destination),
    ...(purposeOfPayment !== undefined && { purposeOfPayment }),
    ...(receiver && { receiver }),
    ...holderOf(destination, owner),
  };
}

function privateOf({ source, destination, remittanceInformation }: Transfer): Private {
  return {
    ...(remittanceInformation !== undefined && { remittanceInformation }),
    ...(source.kind === 'EXTERNAL' && { source: instrumentOf(source.account) }),
    ...(destination.kind === 'EXTERNAL' && { destination: instrumentOf(destination.account) }),
  };
}
