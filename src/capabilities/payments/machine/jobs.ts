/**
 * The jobs of payments, keyed by transaction. Their handlers are in other folders; the machine schedules and cancels
 * them.
 */
export const JOB = {
  pay: 'payments.pay',
  collect: 'payments.collect',
  refund: 'payments.refund',
  follow: 'payments.follow',
  /** Asks the rail again about a cancellation, because its answer may not have been recorded. */
  cancel: 'payments.cancel',
  expire: 'payments.expire',
  /** Ends a wait for authorization or approval. */
  lapse: 'payments.lapse',
  /** Incoming UMA payments: the deadline of the decision, and the approval sent to the sender's provider. */
  decide: 'payments.decide',
  receive: 'payments.receive',
} as const;

/** The orders of a transaction whose state is polled at the rail, each by its own job. */
export type Phase = 'pay' | 'collect' | 'refund' | 'receive';

/**
 * A decision has two deadlines: one for the webhook's answer and, if that asks for time, one for the call that follows.
 */
export function decideKeys(transactionId: string): readonly [answer: string, call: string] {
  return [transactionId, `${transactionId}:call`];
}

export function followKey(transactionId: string, phase: Phase): string {
  return `${transactionId}:${phase}`;
}
