import type {
  CardTokenization2FAConfig,
  CustomerInfoFieldName,
  EmbeddedWalletConfig,
  FeeConfig,
  PlatformCurrencyConfig,
  TransactionType,
} from '#capabilities/platform/schemas.ts';
import type { FeeRate } from '#capabilities/pricing/fees.ts';
import { CODE_KINDS } from '#foundation/lib/code-kinds.ts';

/** A platform's configuration as other capabilities read it (platform.md §3). */
export interface PlatformConfig {
  readonly id: Id<'PlatformConfig'>;
  /** Absent: the service's default domain. */
  readonly umaDomain?: string;
  readonly proxyUmaSubdomain?: string;
  readonly webhookEndpoint?: string;
  readonly supportedCurrencies: readonly CurrencyRule[];
  readonly feeConfigs: readonly FeeConfig[];
  readonly embeddedWalletConfig: EmbeddedWalletConfig;
  readonly cardTokenization2faConfig: CardTokenization2FAConfig;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One supported currency; amounts in its smallest unit. */
export interface CurrencyRule
  extends Omit<
    PlatformCurrencyConfig,
    | 'minAmount'
    | 'maxAmount'
    | 'providerRequiredCustomerFields'
    | 'providerRequiredCounterpartyCustomerFields'
  > {
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly providerRequiredCustomerFields: readonly CustomerInfoFieldName[];
  readonly providerRequiredCounterpartyCustomerFields: readonly CustomerInfoFieldName[];
}

/** The fields that one currency's providers require, as set by the operator. */
export interface ProviderFields {
  readonly customer?: readonly CustomerInfoFieldName[];
  readonly counterparty?: readonly CustomerInfoFieldName[];
}

export function currencyRule(config: PlatformConfig, code: string): CurrencyRule | undefined {
  return config.supportedCurrencies.find((rule) => rule.currencyCode === code);
}

export function isEnabled(config: PlatformConfig, code: string, type: TransactionType): boolean {
  return currencyRule(config, code)?.enabledTransactionTypes.includes(type) ?? false;
}

/** Returns the platform's fee on cross-currency payments that send `code`, or undefined if it has none. */
export function platformFee(config: PlatformConfig, code: string): FeeRate | undefined {
  const fee = config.feeConfigs.find((entry) => entry.sourceCurrency === code);
  return fee && { variableBps: fee.variableFeeBps ?? 0, fixed: BigInt(fee.fixedFee?.amount ?? 0) };
}

/** The domain of new customers' UMA addresses. */
export function effectiveUmaDomain(config: PlatformConfig, defaultUmaDomain: string): string {
  return config.umaDomain ?? defaultUmaDomain;
}

/** The first label of the domain, with a number if another platform already has it (platform.md §3.1). */
export function effectiveProxySubdomain(config: PlatformConfig, defaultUmaDomain: string): string {
  return config.proxyUmaSubdomain ?? firstLabel(defaultUmaDomain);
}

export function firstLabel(domain: string): string {
  return domain.split('.')[0] ?? domain;
}

/** How one-time codes are made and sent, with the defaults of platform.md §3.2.7. */
export interface OtpRules {
  readonly length: number;
  readonly alphanumeric: boolean;
  readonly expirationSeconds: number;
  readonly senderName: string;
}

export function otpRules({ embeddedWalletConfig: set }: PlatformConfig): OtpRules {
  return {
    length: set.otpLength ?? CODE_KINDS.WALLET.form.length,
    alphanumeric: set.alphanumeric ?? false,
    expirationSeconds: set.expirationSeconds ?? CODE_KINDS.WALLET.lifeMs / 1_000,
    senderName: set.sendFromEmailSenderName ?? 'Notifications',
  };
}
