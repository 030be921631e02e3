import type { TObject, TProperties, TSchema } from 'typebox';
import {
  CardTokenization2FAConfig,
  EmbeddedWalletConfig,
  type FeeConfig,
  type PlatformConfigUpdateRequest,
} from '#capabilities/platform/schemas.ts';
import type { ConfigValues, StoredCurrency } from '#capabilities/platform/store.ts';

/** UMA domains that belong to the service itself. */
export interface ServiceDomains {
  readonly defaultUmaDomain: string;
  /** Domains whose addresses have scenarios in the sandbox; the first is the one that is shown. */
  readonly sandboxUmaDomains: readonly string[];
}

/** Returns the configuration after a valid PATCH (platform.md §3.2). */
export function changeConfig(
  current: ConfigValues,
  change: PlatformConfigUpdateRequest,
  domains: ServiceDomains,
): ConfigValues {
  return {
    umaDomain: mergeDomain(current.umaDomain, change.umaDomain, domains),
    webhookEndpoint: mergeEndpoint(current.webhookEndpoint, change.webhookEndpoint),
    supportedCurrencies: change.supportedCurrencies?.map(storedCurrency) ?? current.supportedCurrencies,
    feeConfigs: mergeFees(current.feeConfigs, change.feeConfigs ?? []),
    embeddedWalletConfig: mergeClearing(
      EmbeddedWalletConfig,
      current.embeddedWalletConfig,
      change.embeddedWalletConfig,
    ),
    cardTokenization2faConfig: mergeClearing(
      CardTokenization2FAConfig,
      current.cardTokenization2faConfig,
      change.cardTokenization2faConfig,
    ),
  };
}

/** Fees in other currencies than USD are not implemented (platform.md §3.2.6). */
export function isUnsupportedFee({ sourceCurrency, fixedFee }: FeeConfig): boolean {
  return sourceCurrency !== 'USD' || (fixedFee !== undefined && fixedFee.currency !== sourceCurrency);
}

/** The service's own domain is stored as none, so that sending back a GET response changes nothing. */
export function mergeDomain(
  current: string | undefined,
  sent: string | undefined,
  { defaultUmaDomain }: ServiceDomains,
): string | undefined {
  if (sent === undefined) return current;
  const domain = sent.toLowerCase();
  return domain === defaultUmaDomain ? undefined : domain;
}

function mergeEndpoint(current: string | undefined, sent: string | null | undefined): string | undefined {
  if (sent === undefined) return current;
  return sent ?? undefined;
}

export type SentCurrency = NonNullable<PlatformConfigUpdateRequest['supportedCurrencies']>[number];

/** Copies known fields only, so that read-only and unknown ones are never stored. */
function storedCurrency(sent: SentCurrency): StoredCurrency {
  return {
    currencyCode: sent.currencyCode,
    minAmount: sent.minAmount,
    maxAmount: sent.maxAmount,
    requiredCounterpartyFields: sent.requiredCounterpartyFields.map(({ name, mandatory }) => ({
      name,
      mandatory,
    })),
    enabledTransactionTypes: [...new Set(sent.enabledTransactionTypes)],
  };
}

/** Upserts by key; an entry with both components 0 or absent is removed (platform.md §3.2.6, §3.2.6a). */
function mergeFees(current: readonly FeeConfig[], sent: readonly FeeConfig[]): FeeConfig[] {
  const fees = new Map(current.map((fee) => [feeKey(fee), fee]));
  for (const fee of sent) {
    if ((fee.variableFeeBps ?? 0) === 0 && (fee.fixedFee?.amount ?? 0) === 0) fees.delete(feeKey(fee));
    else fees.set(feeKey(fee), storedFee(fee));
  }
  return [...fees.values()];
}

function storedFee({ feeType, sourceCurrency, variableFeeBps, fixedFee }: FeeConfig): FeeConfig {
  return {
    feeType,
    sourceCurrency,
    ...(variableFeeBps !== undefined && { variableFeeBps }),
    ...(fixedFee && { fixedFee: { amount: fixedFee.amount, currency: fixedFee.currency } }),
  };
}

export function feeKey(fee: FeeConfig): string {
  return `${fee.feeType} ${fee.sourceCurrency}`;
}

/**
 * Merges field by field, at every depth: an absent field keeps its value, `null` clears it (platform.md §3.2.7). Only
 * fields of the schema are stored, and an empty group is removed.
 */
export function mergeClearing<Group extends object>(
  schema: TObject<TProperties>,
  current: Group,
  change: object | null | undefined,
): Group {
  if (change === undefined) return current;
  return merge(schema, current, change ?? {}, change === null) as Group;
}

type Json = Record<string, unknown>;

function merge(schema: TObject<TProperties>, current: object, change: object, isReset = false): Json {
  const merged: Json = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const before = isReset ? undefined : (current as Json)[name];
    const value = mergeValue(property, before, (change as Json)[name]);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function mergeValue(schema: TSchema, before: unknown, sent: unknown): unknown {
  if (sent === undefined) return before;
  if (sent === null) return undefined;
  if (!isGroup(schema)) return sent;
  const group = merge(schema, (before ?? {}) as object, sent as object);
  return Object.keys(group).length > 0 ? group : undefined;
}

function isGroup(schema: TSchema): schema is TObject<TProperties> {
  return 'properties' in schema;
}
