import type { AccountScreeningPort, UsAccountsPort } from '#ports/account-screening.ts';
import type { ProvisioningPort } from '#ports/accounts.ts';
import type { AuthenticatorCodesPort } from '#ports/authenticator-codes.ts';
import type { CardsPort } from '#ports/cards.ts';
import type { CounterpartiesPort } from '#ports/counterparties.ts';
import type { CustodyPort } from '#ports/custody.ts';
import type { FactorResetPort } from '#ports/factor-reset.ts';
import type { HostedLinksPort } from '#ports/hosted-links.ts';
import type { IdentityPort } from '#ports/identity.ts';
import type { InviteesPort } from '#ports/invitees.ts';
import type { IssuersPort } from '#ports/issuers.ts';
import type { MessagesPort } from '#ports/messages.ts';
import type { NameCheckPort } from '#ports/name-check.ts';
import type { NetworkFeesPort } from '#ports/network-fees.ts';
import type { OwnershipPort } from '#ports/ownership.ts';
import type { RailsPort } from '#ports/payments.ts';
import type { QuoteFundingPort } from '#ports/quote-funding.ts';
import type { RatesPort } from '#ports/rates.ts';
import type { StablecoinsPort } from '#ports/stablecoins.ts';
import type { StoragePort } from '#ports/storage.ts';
import type { UmaDomainsPort } from '#ports/uma-domains.ts';
import type { WalletSignaturesPort } from '#ports/wallet-signatures.ts';

/**
 * What the core asks of the outside world. Each environment brings its adapters (src/adapters.ts); a
 * capability reaches them through its `Tx` or `Work` and never asks which environment it is in.
 */
export interface Ports {
  readonly accountScreening: AccountScreeningPort;
  readonly cards: CardsPort;
  readonly counterparties: CounterpartiesPort;
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
