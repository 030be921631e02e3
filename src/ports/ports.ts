import type { AccountScreeningPort, UsAccountsPort } from '#rails/account-screening.ts';
import type { ProvisioningPort } from '#rails/accounts.ts';
import type { CounterpartiesPort } from '#rails/counterparties.ts';
import type { HostedLinksPort } from '#rails/hosted-links.ts';
import type { IdentityPort } from '#rails/identity.ts';
import type { MessagesPort } from '#rails/messages.ts';
import type { NameCheckPort } from '#rails/name-check.ts';
import type { NetworkFeesPort } from '#rails/network-fees.ts';
import type { OwnershipPort } from '#rails/ownership.ts';
import type { RailsPort } from '#rails/payments.ts';
import type { QuoteFundingPort } from '#rails/quote-funding.ts';
import type { RatesPort } from '#rails/rates.ts';
import type { StoragePort } from '#rails/storage.ts';

/**
 * What the core asks of the outside world. Each environment brings its adapters (src/adapters.ts); a
 * capability reaches them through its `Tx` or `Work` and never asks which environment it is in.
 */
export interface Ports {
  readonly accountScreening: AccountScreeningPort;
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
  readonly storage: StoragePort;
  readonly messages: MessagesPort;
}
