/** Kinds of work that payments leave for after the commit; handlers in payments/jobs.ts. Keyed by transaction. */
export const JOB = {
  pay: 'payments.pay',
  collect: 'payments.collect',
  refund: 'payments.refund',
  follow: 'payments.follow',
  /** A cancellation that the rail may have granted, and that nobody has written down yet. */
  cancel: 'payments.cancel',
  expire: 'payments.expire',
  /** Incoming UMA payments: the end of the time to decide, and telling the sender's provider. */
  decide: 'payments.decide',
  receive: 'payments.receive',
} as const;

/** What is followed up: each order of a transaction has a queue place of its own. */
export type Phase = 'pay' | 'collect' | 'refund' | 'receive';

/** The time to decide ends twice: that of the answer, and, where the answer was to wait for a call, that of the call. */
export function decideKeys(transactionId: string): readonly [answer: string, call: string] {
  return [transactionId, `${transactionId}:call`];
}

export function followKey(transactionId: string, phase: Phase): string {
  return `${transactionId}:${phase}`;
}
