import type { PaymentParts } from '#capabilities/payments/execution/store.ts';
import { approvePayment, rejectPayment } from '#capabilities/payments/incoming/decide.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import type { IncomingTransaction, OutgoingTransaction } from '#capabilities/payments/schemas.ts';
import { findTransaction, lockTransaction } from '#capabilities/payments/store.ts';
import { refuseMissingPayment, type TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Plan } from '#foundation/http/declare/plan.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';

type DecidedPayment = IncomingTransaction | OutgoingTransaction;

/** A decision about a payment; undefined if this decider is not responsible for it. */
type PreparedDecision = Promise<Plan<DecidedPayment> | Refusal | undefined>;

/** A folder whose payments wait for the platform's decision (agents.md §5.2). */
export interface PaymentDecider {
  prepareApproval(tx: ReadTx, row: TransactionRow, payments: PaymentParts): PreparedDecision;
  prepareRejection(tx: ReadTx, row: TransactionRow, reason: string | undefined): PreparedDecision;
}

/** The deciders about payments, and the tables that hold transactions. */
export interface DecisionParts {
  readonly sources: readonly TransactionSource[];
  readonly deciders: readonly PaymentDecider[];
  readonly payments: PaymentParts;
}

/** money.md §6.8: asks each decider whether the payment waits for it, then treats it as an incoming UMA payment. */
export async function prepareApproval(
  tx: ReadTx,
  parts: DecisionParts,
  call: { readonly id: TransactionId; readonly receiverInfo: Readonly<Record<string, unknown>> },
): Promise<Plan<DecidedPayment> | Refusal> {
  const row = await findPayment(tx, parts, call.id);
  for (const decider of parts.deciders) {
    const decided = await decider.prepareApproval(tx, row, parts.payments);
    if (decided) return decided;
  }
  return {
    async commit(own) {
      const after = await approvePayment(own, await lockTransaction(own, row.id), call.receiverInfo);
      return presentTransaction(own, after, own.now);
    },
  };
}

export async function prepareRejection(
  tx: ReadTx,
  parts: DecisionParts,
  call: { readonly id: TransactionId; readonly reason: string | undefined },
): Promise<Plan<DecidedPayment> | Refusal> {
  const row = await findPayment(tx, parts, call.id);
  for (const decider of parts.deciders) {
    const decided = await decider.prepareRejection(tx, row, call.reason);
    if (decided) return decided;
  }
  return {
    async commit(own) {
      const after = await rejectPayment(own, await lockTransaction(own, row.id), call.reason);
      return presentTransaction(own, after, own.now);
    },
  };
}

async function findPayment(
  tx: ReadTx,
  { sources }: DecisionParts,
  id: TransactionId,
): Promise<TransactionRow> {
  const code = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
  const reason = 'Only payments can wait for a decision.';
  return (await findTransaction(tx, id)) ?? refuseMissingPayment(tx, id, { sources, code, reason });
}
