import assert from 'node:assert/strict';
import {
  type CurrencyRule,
  type PlatformConfig,
  type ProviderFields,
  platformFee,
} from '#capabilities/platform/config.ts';
import type {
  CardTokenization2FAConfig,
  EmbeddedWalletConfig,
  FeeConfig,
  PlatformCurrencyConfig,
} from '#capabilities/platform/schemas.ts';
import { endpointContext } from '#capabilities/platform/webhook-endpoint.ts';
import type { SendingTerms } from '#capabilities/pricing/list-exchange-rates.ts';
import { violates } from '#foundation/database/failures.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

/** The stored settings that a platform can change. */
export interface ConfigValues {
  readonly umaDomain: string | undefined;
  readonly webhookEndpoint: string | undefined;
  readonly supportedCurrencies: readonly StoredCurrency[];
  readonly feeConfigs: readonly FeeConfig[];
  readonly embeddedWalletConfig: EmbeddedWalletConfig;
  readonly cardTokenization2faConfig: CardTokenization2FAConfig;
}

export type StoredCurrency = Omit<
  PlatformCurrencyConfig,
  'providerRequiredCustomerFields' | 'providerRequiredCounterpartyCustomerFields'
>;

/** Loads the platform's configuration in one statement. */
export async function loadConfig(tx: ReadTx): Promise<PlatformConfig> {
  const rows = await tx.sql<ConfigRow>`
    select id, uma_domain, proxy_uma_subdomain, webhook_endpoint, supported_currencies, fee_configs,
           embedded_wallet_config, card_tokenization_2fa_config, provider_fields, created_at, updated_at
      from platform_configs where platform_id = ${tx.platformId}`;
  return openConfig(tx, requireRow(rows));
}

/** Locks the row until the transaction ends, so that changes to one platform are serialized. */
export async function lockConfig(tx: Tx): Promise<ConfigValues> {
  const rows = await tx.sql<ConfigRow>`
    select uma_domain, webhook_endpoint, supported_currencies, fee_configs, embedded_wallet_config,
           card_tokenization_2fa_config
      from platform_configs where platform_id = ${tx.platformId} for update`;
  const row = requireRow(rows);
  return {
    umaDomain: row.uma_domain ?? undefined,
    webhookEndpoint: openEndpoint(tx, row),
    supportedCurrencies: row.supported_currencies,
    feeConfigs: row.fee_configs,
    embeddedWalletConfig: row.embedded_wallet_config,
    cardTokenization2faConfig: row.card_tokenization_2fa_config,
  };
}

export async function insertConfig(tx: Tx, supportedCurrencies: readonly StoredCurrency[]): Promise<void> {
  await tx.sql`
    insert into platform_configs (platform_id, id, environment, supported_currencies, created_at, updated_at)
    values (${tx.platformId}, ${tx.newId()}, ${tx.platform.environment}, ${JSON.stringify(supportedCurrencies)},
            ${tx.now}, ${tx.now})`;
}

export async function saveConfig(tx: Tx, values: ConfigValues): Promise<void> {
  const endpoint = values.webhookEndpoint ?? null;
  await tx.sql`
    update platform_configs
       set uma_domain = ${values.umaDomain ?? null},
           proxy_uma_subdomain = case when uma_domain = ${values.umaDomain ?? null} then proxy_uma_subdomain end,
           webhook_endpoint = ${endpoint && tx.vault.seal(endpoint, endpointContext(tx.platformId))},
           supported_currencies = ${JSON.stringify(values.supportedCurrencies)},
           fee_configs = ${JSON.stringify(values.feeConfigs)},
           embedded_wallet_config = ${JSON.stringify(values.embeddedWalletConfig)},
           card_tokenization_2fa_config = ${JSON.stringify(values.cardTokenization2faConfig)},
           updated_at = ${tx.now}
     where platform_id = ${tx.platformId}`.catch((error: unknown) => {
    throw violates(error, 'platform_configs_uma_domain') ? invalidFields([DOMAIN_TAKEN]) : error;
  });
}

export const DOMAIN_TAKEN: FieldError = { field: 'umaDomain', message: 'is used by another platform' };

/** Checks all platforms of the environment; the unique index decides races. */
export async function isUmaDomainTaken(tx: ReadTx, domain: string): Promise<boolean> {
  const rows = await tx.sql`
    select from platform_configs
     where environment = ${tx.platform.environment} and uma_domain = ${domain} and platform_id <> ${tx.platformId}`;
  return rows.length > 0;
}

export async function claimSubdomain(tx: ReadTx, label: string, reserved: readonly string[]): Promise<void> {
  await tx.sql`select claim_uma_subdomain(${tx.platformId}, ${label}, ${reserved})`;
}

export async function loadProviderFields(tx: ReadTx): Promise<Record<string, ProviderFields>> {
  const [row] = await tx.sql<{ provider_fields: Record<string, ProviderFields> }>`
    select provider_fields from platform_configs where platform_id = ${tx.platformId}`;
  return row?.provider_fields ?? {};
}

export async function saveProviderFields(tx: Tx, fields: Record<string, ProviderFields>): Promise<void> {
  await tx.sql`
    update platform_configs set provider_fields = ${JSON.stringify(fields)}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId}`;
}

export interface UmaPlatform {
  readonly name: string;
  readonly domain: string;
  readonly currencies: readonly StoredCurrency[];
}

/** Reads across platforms: every platform of the environment with its own UMA domain (platform.md §8.1). */
export async function findUmaPlatforms(tx: ReadTx): Promise<UmaPlatform[]> {
  return tx.sql<UmaPlatform>`
    select p.name, c.uma_domain as domain, c.supported_currencies as currencies
      from platform_configs c join platforms p on p.id = c.platform_id
     where c.environment = ${tx.platform.environment} and c.uma_domain is not null and p.disabled_at is null`;
}

interface ConfigRow {
  id: Id<'PlatformConfig'>;
  uma_domain: string | null;
  proxy_uma_subdomain: string | null;
  /** Sealed. */
  webhook_endpoint: Buffer | null;
  supported_currencies: StoredCurrency[];
  fee_configs: FeeConfig[];
  embedded_wallet_config: EmbeddedWalletConfig;
  card_tokenization_2fa_config: CardTokenization2FAConfig;
  provider_fields: Record<string, ProviderFields>;
  created_at: Date;
  updated_at: Date;
}

function requireRow(rows: ConfigRow[]): ConfigRow {
  const [row] = rows;
  assert(row, 'a platform is made together with its configuration');
  return row;
}

function openEndpoint(tx: ReadTx, { webhook_endpoint: sealed }: ConfigRow): string | undefined {
  return sealed ? tx.vault.openText(sealed, endpointContext(tx.platformId)) : undefined;
}

function openConfig(tx: ReadTx, row: ConfigRow): PlatformConfig {
  const endpoint = openEndpoint(tx, row);
  return {
    id: row.id,
    ...(row.uma_domain !== null && { umaDomain: row.uma_domain }),
    ...(row.proxy_uma_subdomain !== null && { proxyUmaSubdomain: row.proxy_uma_subdomain }),
    ...(endpoint !== undefined && { webhookEndpoint: endpoint }),
    supportedCurrencies: row.supported_currencies.map((currency) =>
      buildCurrencyRule(currency, row.provider_fields),
    ),
    feeConfigs: row.fee_configs,
    embeddedWalletConfig: row.embedded_wallet_config,
    cardTokenization2faConfig: row.card_tokenization_2fa_config,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function buildCurrencyRule(currency: StoredCurrency, fields: Record<string, ProviderFields>): CurrencyRule {
  const { customer = [], counterparty = [] } = fields[currency.currencyCode] ?? {};
  return {
    ...currency,
    minAmount: BigInt(currency.minAmount),
    maxAmount: BigInt(currency.maxAmount),
    providerRequiredCustomerFields: customer,
    providerRequiredCounterpartyCustomerFields: counterparty,
  };
}

/** Loads the part of the platform's configuration that pricing needs. */
export async function loadSendingTerms(tx: ReadTx): Promise<SendingTerms> {
  const config = await loadConfig(tx);
  return {
    sources: config.supportedCurrencies
      .filter((rule) => rule.enabledTransactionTypes.includes('OUTGOING'))
      .map(({ currencyCode: code, minAmount, maxAmount }) => ({ code, minAmount, maxAmount })),
    feeOn: (code) => platformFee(config, code),
  };
}
