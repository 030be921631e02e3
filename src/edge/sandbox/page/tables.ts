import { NAME_CHECK_TABLE } from '#edge/sandbox/accounts/name-check.ts';
import { US_ACCOUNTS_TABLE } from '#edge/sandbox/accounts/us-accounts.ts';
import {
  CARD_FUNDING_TABLE,
  CARD_ISSUANCE_TABLE,
  CARD_MERCHANTS_TABLE,
} from '#edge/sandbox/cards/cards-table.ts';
import { DELAYS_TABLE } from '#edge/sandbox/delays-table.ts';
import {
  BUSINESSES_SUBMITTED,
  DOCUMENTS,
  OWNERS,
  PEOPLE_AT_CREATE,
  PEOPLE_SUBMITTED,
} from '#edge/sandbox/identity/identity-table.ts';
import { INVITEES_TABLE } from '#edge/sandbox/identity/invitees.ts';
import { LIVENESS_TABLE } from '#edge/sandbox/identity/liveness.ts';
import { CARD_CODES_TABLE, CODES_TABLE } from '#edge/sandbox/messages/messages.ts';
import { PULLS, QUOTE_PAYOUTS, TRANSFER_PAYOUTS } from '#edge/sandbox/rails/rails-table.ts';
import { UMA_DOMAINS_TABLE } from '#edge/sandbox/rails/uma-domains.ts';
import { SENDER_INFORMATION_TABLE, UMA_RECEIVERS, UMA_SENDERS } from '#edge/sandbox/rails/uma-table.ts';
import { NETWORK_FEES_TABLE } from '#edge/sandbox/rates/network-fees.ts';
import { RATES_TABLE } from '#edge/sandbox/rates/rates-table.ts';
import {
  AUTHENTICATOR_CODES_TABLE,
  FACTOR_RESETS_TABLE,
  SCA_CODES_TABLE,
} from '#edge/sandbox/sca/sca-table.ts';
import {
  STABLECOIN_ACCOUNTS_TABLE,
  STABLECOIN_DEBITS_TABLE,
  STABLECOIN_OPERATIONS_TABLE,
} from '#edge/sandbox/stablecoins/operations-table.ts';
import {
  STABLECOIN_ENABLEMENT_TABLE,
  STABLECOIN_LOGINS_TABLE,
  STABLECOIN_TOKENS_TABLE,
} from '#edge/sandbox/stablecoins/stablecoins-table.ts';
import type { SandboxRow, SandboxTable } from '#edge/sandbox/table.ts';
import {
  ID_TOKENS_TABLE,
  PASSKEY_SIGNATURES_TABLE,
  WALLET_CODES_TABLE,
  WALLET_CONTACTS_TABLE,
  WALLET_STAMPS_TABLE,
  WALLETS_TABLE,
} from '#edge/sandbox/wallets/wallets-table.ts';

/** Everything that can be triggered, in the order of `/docs/sandbox`. */
export const SANDBOX_TABLES: readonly SandboxTable[] = [
  QUOTE_PAYOUTS,
  TRANSFER_PAYOUTS,
  PULLS,
  UMA_RECEIVERS,
  UMA_SENDERS,
  SENDER_INFORMATION_TABLE,
  INVITEES_TABLE,
  UMA_DOMAINS_TABLE,
  NAME_CHECK_TABLE,
  US_ACCOUNTS_TABLE,
  LIVENESS_TABLE,
  PEOPLE_AT_CREATE,
  PEOPLE_SUBMITTED,
  BUSINESSES_SUBMITTED,
  OWNERS,
  DOCUMENTS,
  CODES_TABLE,
  SCA_CODES_TABLE,
  AUTHENTICATOR_CODES_TABLE,
  FACTOR_RESETS_TABLE,
  WALLETS_TABLE,
  WALLET_CODES_TABLE,
  WALLET_STAMPS_TABLE,
  PASSKEY_SIGNATURES_TABLE,
  ID_TOKENS_TABLE,
  WALLET_CONTACTS_TABLE,
  CARD_ISSUANCE_TABLE,
  CARD_FUNDING_TABLE,
  CARD_MERCHANTS_TABLE,
  CARD_CODES_TABLE,
  STABLECOIN_LOGINS_TABLE,
  STABLECOIN_TOKENS_TABLE,
  STABLECOIN_ENABLEMENT_TABLE,
  STABLECOIN_OPERATIONS_TABLE,
  STABLECOIN_DEBITS_TABLE,
  STABLECOIN_ACCOUNTS_TABLE,
  RATES_TABLE,
  NETWORK_FEES_TABLE,
  DELAYS_TABLE,
];

/** All rows of a table, the default last. */
export function rowsOf({ rows, otherwise }: SandboxTable): readonly SandboxRow[] {
  return otherwise ? [...rows, otherwise] : rows;
}
