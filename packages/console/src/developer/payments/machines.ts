type Edges = Readonly<Record<string, readonly string[]>>;

/** How the status of a payment can change, as docs/state-machines.md says it; a test compares the two. */
export const MACHINES: Readonly<Record<'OUTGOING' | 'INCOMING' | 'REFUND' | 'CARD', Edges>> = {
  OUTGOING: {
    PENDING: ['PENDING_AUTHORIZATION', 'PROCESSING', 'EXPIRED', 'FAILED', 'COMPLETED'],
    PENDING_AUTHORIZATION: ['PROCESSING', 'PENDING', 'FAILED'],
    PROCESSING: ['COMPLETED', 'FAILED'],
    COMPLETED: ['FAILED'],
  },
  INCOMING: {
    PENDING: ['COMPLETED', 'REJECTED', 'FAILED', 'EXPIRED'],
    COMPLETED: ['FAILED'],
  },
  REFUND: { PENDING: ['COMPLETED', 'FAILED'] },
  CARD: {
    AUTHORIZED: ['PARTIALLY_SETTLED', 'SETTLED', 'EXCEPTION'],
    PARTIALLY_SETTLED: ['SETTLED', 'EXCEPTION'],
    SETTLED: ['EXCEPTION'],
    EXCEPTION: ['SETTLED'],
    DECLINED: [],
  },
};

/** The headings under which docs/state-machines.md draws them. */
export const MACHINE_TITLES: Readonly<Record<keyof typeof MACHINES, string>> = {
  OUTGOING: 'Outgoing payments',
  INCOMING: 'Incoming payments',
  REFUND: 'Refunds',
  CARD: 'Card transactions',
};
