import type { PaymentDecider } from '#capabilities/payments/transactions/decide-payment.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import type { Manifest } from '#foundation/manifest.ts';

/** The manifest of a capability, whose money may move in transactions of its own. */
export interface Capability<Parts = never> extends Manifest<Parts> {
  /** A table whose rows `GET /transactions` lists. */
  readonly transactionSource?: TransactionSource;
  /** Makes payments wait for the platform's decision. */
  readonly paymentDecider?: PaymentDecider;
}
