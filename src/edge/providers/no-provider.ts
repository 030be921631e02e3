import type { AccountScreeningPort, UsAccountsPort } from '#foundation/ports/account-screening.ts';
import type { ProvisioningPort } from '#foundation/ports/accounts.ts';
import type { CardsPort } from '#foundation/ports/cards.ts';
import type { CounterpartiesPort } from '#foundation/ports/counterparties.ts';
import type { ExplanationsPort } from '#foundation/ports/explanations.ts';
import type { FactorResetPort } from '#foundation/ports/factor-reset.ts';
import type { InviteesPort } from '#foundation/ports/invitees.ts';
import { type NameCheckPort, withoutNameCheck } from '#foundation/ports/name-check.ts';
import type { NetworkFeesPort } from '#foundation/ports/network-fees.ts';
import type { OwnershipPort } from '#foundation/ports/ownership.ts';
import type { RailsPort } from '#foundation/ports/payments.ts';
import type { QuoteFundingPort } from '#foundation/ports/quote-funding.ts';
import type { StablecoinsPort } from '#foundation/ports/stablecoins.ts';
import type { WalletSignaturesPort } from '#foundation/ports/wallet-signatures.ts';

// Production's adapters for ports that have no provider. Each says truthfully that nothing was done outside.

/** For an environment without a screening provider: the operator decides. */
export const noScreening: AccountScreeningPort = {
  atCreate: () => 'ASK',
  screen: async () => undefined,
};

export const noUsAccounts: UsAccountsPort = {
  isTestRoutingNumber: () => false,
  atCreate: () => ({ state: 'PENDING', next: 'ASK' }),
  validate: async () => undefined,
};

export const noCards: CardsPort = {
  isConnected: false,
  approvesUncovered: true,
  refusesFunding: () => false,
  issue: async () => ({ outcome: 'PENDING' }),
  judge: () => ({}),
};

/** Where no UMA network is connected. */
export const noCounterparties: CounterpartiesPort = {
  lookUp: async () => ({ kind: 'UNREACHABLE' }),
  requestPayment: async () => ({ kind: 'UNREACHABLE' }),
  acceptOffer: async () => ({ notices: [] }),
  followOffer: async () => ({ notices: [] }),
};

/** A real outside world cannot be simulated, and no value in a request decides what it does. */
export const noExplanations: ExplanationsPort = {
  waysToCause: () => [],
  causeOfPayout: () => undefined,
  causeOfCollection: () => undefined,
  causeOfPurchase: () => undefined,
  causeOfOperation: () => undefined,
};

export const noResetLiveness: FactorResetPort = { startLiveness: async () => undefined };

export const noInvitees: InviteesPort = { acceptsStranger: () => false };

/** For an environment without a provider: US banks check names themselves, other rails do not (accounts.md §4.6). */
export const noNameCheck: NameCheckPort = {
  atCreate: async ({ accountType }) => withoutNameCheck(accountType),
  check: async ({ accountType }) => withoutNameCheck(accountType),
};

export const noLiveness: OwnershipPort = { startLiveness: async () => undefined };

/**
 * For an environment without a rail: what stays on our own books is done at once; everything else waits for the
 * operator (money.md §9.8: a payment without an answer stays `PROCESSING`).
 */
export const noRails: RailsPort = {
  knownPayoutFailure: () => undefined,
  knownCollectionFailure: () => undefined,
  pay: async ({ to }) => ({
    notices: to.kind === 'INTERNAL' ? [{ kind: 'delivered' }] : [{ kind: 'accepted' }],
  }),
  collect: async () => ({ notices: [] }),
  refund: async ({ to }) => ({ notices: to === 'INTERNAL' ? [{ kind: 'refunded' }] : [] }),
  follow: async () => ({ notices: [] }),
  cancel: async () => 'refused',
};

/** For an environment in which no money can be paid in for a quote. */
export const noQuoteFunding: QuoteFundingPort = { atQuote: async () => undefined };

export const noStablecoins: StablecoinsPort = {
  isConnected: false,
  verifyLogin: async () => ({ outcome: 'UNAVAILABLE' }),
  describeToken: async () => ({ outcome: 'UNAVAILABLE' }),
  enablementOf: () => ({ setUpMs: 0 }),
  linkAccount: async () => ({ outcome: 'UNAVAILABLE' }),
  holdsToken: async () => false,
  submit: async () => ({ outcome: 'UNAVAILABLE' }),
  follow: async () => ({ outcome: 'NOT_FOUND' }),
};

export const noTestSignatures: WalletSignaturesPort = {
  isAlwaysValid: () => false,
  isAlwaysValidAssertion: () => false,
};

/** No source of network fees is connected: an estimate is refused rather than invented. */
export const noNetworkFees: NetworkFeesPort = { feeOf: async () => undefined };

/**
 * No provider is connected: accounts stay `PENDING` until the operator reports the outcome
 * (`corridor account provision`), as a provider's adapter would.
 */
export const noProvisioning: ProvisioningPort = {
  atOpening: () => undefined,
  submit: async () => 'accepted',
};
