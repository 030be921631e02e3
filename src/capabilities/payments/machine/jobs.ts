/**
 * The jobs of payments, keyed by transaction. Rooms below have their handlers; the machine schedules and cancels them.
 */
export const JOB = {
  pay: 'payments.pay',
  collect: 'payments.collect',
  refund: 'payments.refund',
  follow: 'payments.follow',
  /** Asks the rail again about a cancellation whose answer may not have been recorded. */
  cancel: 'payments.cancel',
  expire: 'payments.expire',
  /** Ends a wait for authorization or approval. */
  lapse: 'payments.lapse',
  /** Incoming UMA payments: the deadline of the decision, and the approval sent to the sender's provider. */
  decide: 'payments.decide',
  receive: 'payments.receive',
} as const;

/** The orders of a transaction that a rail is asked about again, each by a job of its own. */
export type Phase = 'pay' | 'collect' | 'refund' | 'receive';

/** A decision has two deadlines: for the webhook's answer and, if that asks for time, for the call that follows. */
export function decideKeys(transactionId: string): readonly [answer: string, call: string] {
  return [transactionId, `${transactionId}:call`];
}

/** When what ends then is looked at, by one job for all payments of a platform whose time ends in the same second. */
export function endOfSecond(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / 1000) * 1000);
}

export function followKey(transactionId: string, phase: Phase): string {
  return `${transactionId}:${phase}`;
}
