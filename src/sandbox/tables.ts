import { CARD_FUNDING_TABLE, CARD_ISSUANCE_TABLE, CARD_MERCHANTS_TABLE } from '#sandbox/cards-table.ts';
import { DELAYS_TABLE } from '#sandbox/delays-table.ts';
import {
  BUSINESSES_SUBMITTED,
  DOCUMENTS,
  OWNERS,
  PEOPLE_AT_CREATE,
  PEOPLE_SUBMITTED,
} from '#sandbox/identity-table.ts';
import { INVITEES_TABLE } from '#sandbox/invitees.ts';
import { LIVENESS_TABLE } from '#sandbox/liveness.ts';
import { CARD_CODES_TABLE, CODES_TABLE } from '#sandbox/messages.ts';
import { NAME_CHECK_TABLE } from '#sandbox/name-check.ts';
import { NETWORK_FEES_TABLE } from '#sandbox/network-fees.ts';
import { PULLS, QUOTE_PAYOUTS, TRANSFER_PAYOUTS } from '#sandbox/rails-table.ts';
import { RATES_TABLE } from '#sandbox/rates-table.ts';
import { AUTHENTICATOR_CODES_TABLE, FACTOR_RESETS_TABLE, SCA_CODES_TABLE } from '#sandbox/sca-table.ts';
import {
  STABLECOIN_ACCOUNTS_TABLE,
  STABLECOIN_DEBITS_TABLE,
  STABLECOIN_OPERATIONS_TABLE,
} from '#sandbox/stablecoin-operations-table.ts';
import {
  STABLECOIN_ENABLEMENT_TABLE,
  STABLECOIN_LOGINS_TABLE,
  STABLECOIN_TOKENS_TABLE,
} from '#sandbox/stablecoins-table.ts';
import type { SandboxRow, SandboxTable } from '#sandbox/table.ts';
import { UMA_DOMAINS_TABLE } from '#sandbox/uma-domains.ts';
import { SENDER_INFORMATION_TABLE, UMA_RECEIVERS, UMA_SENDERS } from '#sandbox/uma-table.ts';
import { US_ACCOUNTS_TABLE } from '#sandbox/us-accounts.ts';
import {
  ID_TOKENS_TABLE,
  PASSKEY_SIGNATURES_TABLE,
  WALLET_CODES_TABLE,
  WALLET_CONTACTS_TABLE,
  WALLET_STAMPS_TABLE,
  WALLETS_TABLE,
} from '#sandbox/wallets-table.ts';

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
