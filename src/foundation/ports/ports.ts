import type { AccountScreeningPort, UsAccountsPort } from '#foundation/ports/account-screening.ts';
import type { ProvisioningPort } from '#foundation/ports/accounts.ts';
import type { AuthenticatorCodesPort } from '#foundation/ports/authenticator-codes.ts';
import type { CardsPort } from '#foundation/ports/cards.ts';
import type { CounterpartiesPort } from '#foundation/ports/counterparties.ts';
import type { CustodyPort } from '#foundation/ports/custody.ts';
import type { ExplanationsPort } from '#foundation/ports/explanations.ts';
import type { FactorResetPort } from '#foundation/ports/factor-reset.ts';
import type { HostedLinksPort } from '#foundation/ports/hosted-links.ts';
import type { IdentityPort } from '#foundation/ports/identity.ts';
import type { InviteesPort } from '#foundation/ports/invitees.ts';
import type { IssuersPort } from '#foundation/ports/issuers.ts';
import type { MessagesPort } from '#foundation/ports/messages.ts';
import type { NameCheckPort } from '#foundation/ports/name-check.ts';
import type { NetworkFeesPort } from '#foundation/ports/network-fees.ts';
import type { OwnershipPort } from '#foundation/ports/ownership.ts';
import type { RailsPort } from '#foundation/ports/payments.ts';
import type { QuoteFundingPort } from '#foundation/ports/quote-funding.ts';
import type { RatesPort } from '#foundation/ports/rates.ts';
import type { StablecoinsPort } from '#foundation/ports/stablecoins.ts';
import type { StoragePort } from '#foundation/ports/storage.ts';
import type { UmaDomainsPort } from '#foundation/ports/uma-domains.ts';
import type { WalletSignaturesPort } from '#foundation/ports/wallet-signatures.ts';

/**
 * The core's interfaces to the outside world. Each environment has its adapters (src/app/adapters.ts); a
 * capability uses them through its `Tx` or `Work` and never checks which environment it is in.
 */
export interface Ports {
  readonly accountScreening: AccountScreeningPort;
  readonly cards: CardsPort;
  readonly counterparties: CounterpartiesPort;
  readonly explanations: ExplanationsPort;
  readonly nameCheck: NameCheckPort;
  readonly ownership: OwnershipPort;
  readonly usAccounts: UsAccountsPort;
  readonly networkFees: NetworkFeesPort;
  readonly provisioning: ProvisioningPort;
  readonly rails: RailsPort;
  readonly quoteFunding: QuoteFundingPort;
  readonly rates: RatesPort;
  readonly identity: IdentityPort;
  readonly hostedLinks: HostedLinksPort;
  readonly stablecoins: StablecoinsPort;
  readonly storage: StoragePort;
  readonly messages: MessagesPort;
  readonly custody: CustodyPort;
  readonly issuers: IssuersPort;
  readonly umaDomains: UmaDomainsPort;
  readonly walletSignatures: WalletSignaturesPort;
  readonly invitees: InviteesPort;
  readonly authenticatorCodes: AuthenticatorCodesPort;
  readonly factorReset: FactorResetPort;
}
