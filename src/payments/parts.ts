import type { Runtime } from '#database/tx.ts';
import { createLoadExecution, type LoadExecution } from '#payments/execution/store.ts';

/** What payments share between the requests of one process. Built once, in app.ts. */
export interface PaymentParts {
  readonly loadExecution: LoadExecution;
}

export function createPaymentParts(runtime: Runtime): PaymentParts {
  return { loadExecution: createLoadExecution(runtime) };
}
