import { planTransition } from '#capabilities/payments/commit/plan-transition.ts';
import { sealPrivate, type TransactionDetails } from '#capabilities/payments/details.ts';
import { newTransaction, type PaymentDraft } from '#capabilities/payments/machine/draft.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import type { AccountParty } from '#capabilities/payments/parties/accounts.ts';
import {
  type Destination,
  fundingDetails,
  holderDetails,
  partyFacts,
  paymentInstruments,
  payoutDetails,
  receiverDetails,
  storedDestination,
  storedSource,
  type TransactionOwner,
} from '#capabilities/payments/parties/source-destination.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { plainTerms, type TransactionRow } from '#capabilities/payments/row.ts';
import type { IncomingTransaction, OutgoingTransaction } from '#capabilities/payments/schemas.ts';
import { executionFacts } from '#capabilities/payments/settlement/facts.ts';
import type { TransactionType } from '#capabilities/payments/statuses.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import type { Fraction } from '#foundation/lib/money.ts';

/** A transfer whose accounts and amount passed their checks (money.md §5). */
export interface Transfer {
  readonly owner: TransactionOwner;
  /** The agent that requests it, if any. */
  readonly agentId?: AgentId | undefined;
  readonly source: AccountParty;
  readonly destination: Destination;
  readonly currency: string;
  readonly amount: bigint;
  /** The exact value in US cents, which counts against the day's volume. Absent if it does not count. */
  readonly usdValue?: Fraction | undefined;
  /** The limit for one transaction that it was compared with, in US cents. */
  readonly sizeLimit?: bigint | undefined;
  readonly remittanceInformation?: string | undefined;
  readonly purposeOfPayment?: string | undefined;
}

type TransferPlan = SharedPlan<IncomingTransaction | OutgoingTransaction>;

/** money.md §5: the transfer is announced and executed in one commit. */
export function planTransfer(tx: ReadTx, transfer: Transfer, type: TransactionType): TransferPlan {
  return planNewTransfer(tx, transfer, { type, kind: 'executed' }, (row) =>
    presentTransaction(tx, row, tx.now),
  );
}

/** The same for other replies. With `submitted`, the transfer waits for approval (agents.md §4.5). */
export function planNewTransfer<Body>(
  tx: ReadTx,
  transfer: Transfer,
  { type, kind }: { readonly type: TransactionType; readonly kind: 'executed' | 'submitted' },
  present: (row: TransactionRow) => Body,
): SharedPlan<Body> {
  const draft = draftTransfer(tx, transfer, type);
  draft.emit('PENDING');
  PAYMENTS.apply(draft, { kind }, executionFacts(tx, draft.row));
  const transition = draft.transition();
  return planTransition(tx, transition, present(transition.row));
}

/**
 * If the whole balance was requested and has changed meanwhile, the transfer is prepared again with the new balance.
 */
export function retryWithBalance<Body>(plan: SharedPlan<Body>): SharedPlan<Body> {
  return {
    ...plan,
    async refusalFor(reason) {
      const refusal = await plan.refusalFor?.(reason);
      return refusal?.code === 'INSUFFICIENT_FUNDS' ? undefined : refusal;
    },
  };
}

function draftTransfer(tx: ReadTx, transfer: Transfer, type: TransactionType): PaymentDraft {
  const { owner, agentId, source, destination, currency, amount, remittanceInformation } = transfer;
  const id = tx.newId('Transaction');
  const details = buildDetails(transfer);
  const customerId = owner.customerId;
  return newTransaction(
    {
      platform_id: tx.platformId,
      id,
      type,
      kind: 'TRANSFER',
      customer_id: customerId,
      ...plainTerms(currency, amount),
      agent_id: agentId ?? null,
      source: storedSource(source),
      destination: storedDestination(tx.vault, destination),
      reference: null,
      reference_hash: null,
      details,
      private: sealPrivate(
        tx.vault,
        { id, customer_id: customerId, details },
        {
          ...partyFacts(destination, owner),
          ...(remittanceInformation !== undefined && { remittanceInformation }),
          ...paymentInstruments(source, destination),
        },
      ),
      created_at: tx.now,
    },
    tx.now,
  );
}

function buildDetails({
  owner,
  source,
  destination,
  usdValue,
  sizeLimit,
  purposeOfPayment,
}: Transfer): TransactionDetails {
  return {
    exchangeRate: 1,
    ...(usdValue && { usdValue: [usdValue.numerator.toString(), usdValue.denominator.toString()] as const }),
    ...(sizeLimit !== undefined && { sizeLimit: sizeLimit.toString() }),
    ...fundingDetails(source),
    ...payoutDetails(destination),
    ...(purposeOfPayment !== undefined && { purposeOfPayment }),
    ...receiverDetails(destination, owner),
    ...holderDetails(destination, owner),
  };
}
