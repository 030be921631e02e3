import type { PaymentInstruction } from '#accounts/payment-instruction-schemas.ts';
import type { PaymentAccount } from '#external-accounts/check-for-payment.ts';
import type { PaymentRail } from '#lib/rails-by-currency.ts';
import type { FeeSchedule } from '#pricing/fees.ts';
import type { RateTable } from '#pricing/rates.ts';
import type { Network } from '#rails/network-fees.ts';

/** Whose something is; null: the platform's own. */
export interface Owner {
  readonly customerId: string | null;
  readonly platformCustomerId?: string | undefined;
}

export type QuoteSource =
  | {
      readonly kind: 'INTERNAL';
      readonly accountId: string;
      readonly currency: string;
      readonly isPlatforms?: boolean;
    }
  | { readonly kind: 'EXTERNAL'; readonly account: PaymentAccount }
  | {
      readonly kind: 'REALTIME';
      readonly currency: string;
      readonly network?: Network | undefined;
      /** The word in the ledger account that the money arrives over. */
      readonly rail: string;
      /** As the caller named it. */
      readonly customerId?: string | undefined;
      instructions(reference: string): readonly PaymentInstruction[];
    };

export type QuoteDestination =
  | {
      readonly kind: 'INTERNAL';
      readonly accountId: string;
      readonly currency: string;
      readonly owner: Owner;
    }
  | {
      readonly kind: 'EXTERNAL';
      readonly account: PaymentAccount;
      /** Null where the account has none: wallets and Lightning. */
      readonly rail: PaymentRail | null;
      readonly isChosen: boolean;
    }
  | {
      readonly kind: 'UMA';
      readonly address: string;
      readonly currency: string;
      /** A customer of this platform: the account that the money lands on. */
      readonly internal?: { readonly accountId: string; readonly owner: Owner } | undefined;
      /** Instead: the customer's default deposit account outside (accounts.md EA-23). */
      readonly outside?: { readonly account: PaymentAccount; readonly owner: Owner } | undefined;
    };

/** A request for a quote whose fields, accounts and permissions have been judged (money.md §2). */
export interface QuoteInput {
  readonly owner: Owner;
  readonly agentId?: string | undefined;
  readonly source: QuoteSource;
  readonly destination: QuoteDestination;
  readonly lockedSide: 'SENDING' | 'RECEIVING';
  readonly lockedAmount: bigint;
  /** One reading of the rates serves the whole quote (money.md §1.2). */
  readonly rates: RateTable;
  readonly fees: FeeSchedule;
  /** The platform's account in the sending currency, where its fee goes. */
  readonly feeAccount: string | null;
  readonly description?: string | undefined;
  readonly remittanceInformation?: string | undefined;
  readonly purposeOfPayment?: string | undefined;
  readonly counterpartyInformation?: Readonly<Record<string, unknown>> | undefined;
  readonly senderCustomerInfo?: Readonly<Record<string, unknown>> | undefined;
  /** `paymentInstructions` of a source that is not paid in real time: an embedded wallet's. */
  readonly instructions?: readonly PaymentInstruction[] | undefined;
}

export function sendingCurrencyOf({ source }: Pick<QuoteInput, 'source'>): string {
  return source.kind === 'EXTERNAL' ? source.account.currency : source.currency;
}

export function receivingCurrencyOf({ destination }: Pick<QuoteInput, 'destination'>): string {
  return destination.kind === 'EXTERNAL' ? destination.account.currency : destination.currency;
}
