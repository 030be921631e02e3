import type { RailAccount } from '#foundation/ports/payments.ts';

export interface ProviderLogin {
  readonly apiClientId: string;
  readonly apiClientSecret: string;
  /** The provider's own id of the account, once it is known. */
  readonly providerAccountId?: string | undefined;
}

/** The provider could not be reached, or had no answer: nothing happened there. */
export interface Unavailable {
  readonly outcome: 'UNAVAILABLE';
}

/** The provider does not accept the credentials, or no longer does. */
export interface LoginRefused {
  readonly outcome: 'LOGIN_REFUSED';
}

export interface ProviderAccount {
  readonly id: string;
  readonly status: 'ACTIVE' | 'INVALID' | 'REVOKED';
}

export type LoginAnswer =
  | { readonly outcome: 'VERIFIED'; readonly accounts: readonly ProviderAccount[] }
  | LoginRefused
  | Unavailable;

export interface TokenName {
  readonly network: string;
  readonly providerTokenIdentifier: string;
  readonly networkTokenIdentifier: string;
}

export type IssuanceStatus = 'PENDING_REVIEW' | 'PROVISIONING' | 'PROVISIONED' | 'REJECTED' | 'FAILED';

/** The provider's progress with a token. Without a time to ask again, the provider reports by itself or is done. */
export interface Issuance {
  readonly status: IssuanceStatus;
  readonly askAgainAfterMs?: number | undefined;
}

/** The provider's data of a token. */
export interface Token {
  readonly name: string;
  readonly symbol: string;
  readonly baseCurrency: string;
  readonly decimals: number;
  readonly networkTokenIdentifier: string;
  /** The amount already issued, in its smallest units. */
  readonly supply: bigint;
  readonly issuance: Issuance;
}

export type TokenAnswer =
  | { readonly outcome: 'FOUND'; readonly token: Token }
  | { readonly outcome: 'UNKNOWN' }
  | LoginRefused
  | Unavailable;

/** The role of an external account in a mint or burn. */
export type AccountRole = 'DEBITED' | 'CREDITED' | 'RECEIVES_COINS';

export type AccountLinkAnswer =
  | { readonly outcome: 'LINKED'; readonly reference: string }
  | { readonly outcome: AccountLinkRefusal }
  | LoginRefused
  | Unavailable;

/** stablecoins.md §6.14–6.18. */
export type AccountLinkRefusal =
  | 'NOT_LINKED'
  | 'LINK_FAILED'
  | 'PROVIDER_LINK_FAILED'
  | 'PROVIDER_LINK_REQUIRED'
  | 'LINK_METHOD_REQUIRED';

/** An external account, and the provider's name for it. */
export interface LinkedAccount {
  readonly account: RailAccount;
  readonly reference: string;
}

/** A mint or burn. */
export interface OperationOrder {
  /** Bare UUID: the provider's idempotency key. Repeated calls with one reference are one operation. */
  readonly reference: string;
  readonly operationType: 'MINT' | 'BURN';
  readonly token: TokenName & { readonly symbol: string };
  /** In the token's smallest units, and its value in US cents. */
  readonly amount: bigint;
  readonly cents: bigint;
  readonly sourceType: string;
  /** The bank account that is debited; undefined: there is none. */
  readonly source: LinkedAccount | undefined;
  /** Undefined: our own wallet, which holds the coins of internal accounts. */
  readonly destination: LinkedAccount | undefined;
  readonly rail: string | undefined;
  readonly description: string | undefined;
  /** When the order was created, and when the provider is asked: business time. */
  readonly createdAt: Date;
  readonly now: Date;
}

export type FailureReason =
  | 'PROVIDER_TRANSFER_FAILED'
  | 'PROVIDER_CANCELED'
  | 'FUNDING_INSUFFICIENT_FUNDS'
  | 'FUNDING_ACCOUNT_INVALID'
  | 'FUNDING_REJECTED';

/** The provider's notice about an operation: its state there. */
export type ProviderNotice =
  | ({ readonly kind: 'awaitingFunding' } & ProviderReport)
  | ({ readonly kind: 'awaitingProvider' } & ProviderReport)
  | ({ readonly kind: 'processing' } & ProviderReport)
  | ({ readonly kind: 'completed' } & ProviderReport)
  | ({ readonly kind: 'failed'; readonly reason?: FailureReason | undefined } & ProviderReport)
  | ({ readonly kind: 'expired' } & ProviderReport);

interface ProviderReport {
  /** The provider's own name of the status. */
  readonly providerStatus: string;
  /** If the operation waits, or waited, for money or coins from outside: how to send them, and the deadline. */
  readonly funding?: { readonly instructions: Readonly<Record<string, string>>; readonly expiresAt: Date };
  /** Business time. If absent, the provider reports by itself or is done. */
  readonly askAgainAfterMs?: number | undefined;
}

export type SubmitAnswer =
  | { readonly outcome: 'ACCEPTED'; readonly notice: ProviderNotice }
  /** Final: the same order would be refused again. */
  | { readonly outcome: 'REFUSED'; readonly reason: string }
  | LoginRefused
  | Unavailable;

export type FollowAnswer =
  | { readonly outcome: 'FOUND'; readonly notice: ProviderNotice }
  /** The provider never received the order. */
  | { readonly outcome: 'NOT_FOUND' }
  | LoginRefused;

/** The provider that issues stablecoins: it holds the tokens and the dollars behind them, mints and burns. */
export interface StablecoinsPort {
  /**
   * Whether a provider is connected; without one every call that would change something is 501 (stablecoins.md §6.21).
   */
  readonly isConnected: boolean;
  verifyLogin(login: ProviderLogin): Promise<LoginAnswer>;
  describeToken(
    login: ProviderLogin,
    token: TokenName,
    times: { readonly registeredAt: Date; readonly now: Date },
  ): Promise<TokenAnswer>;
  /**
   * The outcome of a request to enable the coin for internal accounts: whether it is approved without the operator, and
   * how long it takes to set up the currency.
   */
  enablementOf(token: TokenName): {
    readonly approvesAfterMs?: number | undefined;
    readonly setUpMs: number;
  };
  linkAccount(
    login: ProviderLogin,
    account: RailAccount,
    role: AccountRole,
    /**
     * Whether the account may be registered at the provider if the provider does not know it yet (stablecoins.md §6.1).
     */
    isAutomatic: boolean,
  ): Promise<AccountLinkAnswer>;
  /** Whether the platform holds this token on this network at the provider (stablecoins.md §5.44). */
  holdsToken(
    login: ProviderLogin,
    source: { readonly sourceTokenIdentifier: string; readonly cryptoNetwork: string },
  ): Promise<boolean>;
  /**
   * Called once for a reference. If it throws, or does not answer in time, the outcome is unknown
   * (stablecoins.md §6.2).
   */
  submit(login: ProviderLogin, order: OperationOrder): Promise<SubmitAnswer>;
  /**
   * The outcome of an order that was, or may have been, submitted. Throws if the provider cannot be asked now; then
   * retried.
   */
  follow(login: ProviderLogin, order: OperationOrder): Promise<FollowAnswer>;
}
