export interface CounterpartyLookup {
  /** `$user@domain`, lower case. */
  readonly address: string;
  readonly domain: string;
  /** The sending customer's address, where one sends. */
  readonly senderAddress: string | undefined;
}

export interface CounterpartyCurrency {
  readonly code: string;
  /** In the currency's smallest unit; absent: our own limits hold. */
  readonly min?: bigint | undefined;
  readonly max?: bigint | undefined;
}

export interface PayerDataField {
  readonly name: string;
  readonly mandatory: boolean;
}

/** Why a counterparty gave no receiver (accounts.md RL-11). */
export type CounterpartyFault =
  | 'NOT_FOUND'
  | 'NO_COMMON_VERSION'
  | 'UNREACHABLE'
  | 'KEYS_UNAVAILABLE'
  | 'UNREADABLE'
  | 'REFUSED';

export type CounterpartyAnswer =
  | {
      readonly kind: 'FOUND';
      /** The receiver's own order; the first is what is paid unless the sender chooses. */
      readonly currencies: readonly CounterpartyCurrency[];
      readonly requiredPayerData: readonly PayerDataField[];
    }
  | { readonly kind: CounterpartyFault };

/** Other providers of UMA addresses. */
export interface CounterpartiesPort {
  lookUp(request: CounterpartyLookup): Promise<CounterpartyAnswer>;
}

/** Where no UMA network is connected. */
export const withoutCounterparties: CounterpartiesPort = { lookUp: async () => ({ kind: 'UNREACHABLE' }) };
