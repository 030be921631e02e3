import type { Surroundings } from '#database/tx.ts';
import type { Apply } from '#payments/application.ts';
import { createApply } from '#payments/apply.ts';
import { createLoadExecution, type LoadExecution } from '#payments/load-execution.ts';

/** What payments share between the requests of one process. Built once, in app.ts. */
export interface PaymentParts {
  readonly apply: Apply;
  readonly loadExecution: LoadExecution;
}

export function createPaymentParts(surroundings: Surroundings): PaymentParts {
  return { apply: createApply(surroundings), loadExecution: createLoadExecution(surroundings) };
}
