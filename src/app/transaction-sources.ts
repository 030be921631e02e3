import { cardSource } from '#capabilities/cards/transaction-store.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { paymentSource } from '#capabilities/payments/transactions/store.ts';

/** The tables that transactions are kept in; `GET /transactions` shows their rows in one order. */
export const TRANSACTION_SOURCES: readonly TransactionSource[] = [paymentSource, cardSource];
