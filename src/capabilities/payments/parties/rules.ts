import { checkCanMoveMoney } from '#capabilities/accounts/rules.ts';
import type { AccountParty } from '#capabilities/payments/parties/accounts.ts';
import { currencyRule, isEnabled, type PlatformConfig } from '#capabilities/platform/config.ts';
import type { TransactionType } from '#capabilities/platform/schemas.ts';
import { corridorLimits, exceedsLimit } from '#capabilities/pricing/limits.ts';
import type { RateReading } from '#capabilities/pricing/rates.ts';
import {
  isCurrencyCode,
  isOwnCurrency,
  NO_OWN_CURRENCIES,
  type OwnCurrencies,
  showAmount,
} from '#foundation/lib/currencies.ts';
import { compare, type Fraction, fraction } from '#foundation/lib/money.ts';
import type { Platform, PlatformSettings } from '#foundation/lib/platform.ts';
import { type FieldError, Refusal } from '#foundation/lib/refusals.ts';

/** Checks of currencies, accounts and amounts that quotes and transfers share. */

/** Checks the sending currency: known, offered, and enabled by the platform for this direction (platform.md §3.2.4). */
export function checkCurrency(
  platform: Platform,
  config: PlatformConfig,
  rates: RateReading | undefined,
  code: string,
  type: TransactionType,
): Refusal | undefined {
  const refusal = checkOffered(platform, rates, code);
  if (refusal || isEnabled(config, code, type)) return refusal;
  const verb = type === 'OUTGOING' ? 'send' : 'take in';
  return new Refusal('INVALID_CURRENCY', `The platform does not ${verb} ${code}.`, { currency: code });
}

/**
 * If there are no rates at all, every known currency passes, because missing rates are refused last (money.md §2.13).
 * The platform's own coins need no rate (stablecoins.md §8.2).
 */
export function checkOffered(
  { ownCurrencies, disabledCurrencies }: Platform,
  rates: RateReading | undefined,
  code: string,
): Refusal | undefined {
  if (isOwnCurrency(code, ownCurrencies)) {
    const isDisabled = disabledCurrencies.includes(code);
    return isDisabled
      ? new Refusal('INVALID_CURRENCY', `${code} is disabled.`, { currency: code })
      : undefined;
  }
  if (isCurrencyCode(code) && (!rates || rates.isOffered(code))) return undefined;
  const currency = shortened(code);
  return new Refusal('INVALID_CURRENCY', `There is no rate for ${currency}.`, { currency });
}

/** A coin moves within its own currency only, and is never sent to a UMA address (stablecoins.md §8.2). */
export function checkCoin(
  { ownCurrencies }: Platform,
  from: string,
  to: string | undefined,
): Refusal | undefined {
  const coin = [from, to].find((code) => code !== undefined && isOwnCurrency(code, ownCurrencies));
  if (coin === undefined || from === to) return undefined;
  const reason =
    `${coin} is paid within its own currency only: to an internal account or a Spark wallet in ${coin}. ` +
    'US dollars become coins by a mint, and coins become US dollars by a burn.';
  return new Refusal('INVALID_CURRENCY', reason, { currency: coin });
}

/** Coins enter and leave the service over Spark alone, so that the amount outside is known (stablecoins.md §7). */
export function coinRailProblems(currency: string, rail: string, own: OwnCurrencies): FieldError[] {
  if (!isOwnCurrency(currency, own) || rail === 'SPARK') return [];
  const message = `must be SPARK: ${currency} is a coin, and enters and leaves over Spark only`;
  return [{ field: 'rail', constraint: { enum: ['SPARK'] }, message }];
}

/** A caller may send a currency of any length; a refusal quotes only its beginning. */
export function shortened(code: string): string {
  return code.length > QUOTED_MAX ? `${code.slice(0, QUOTED_MAX)}…` : code;
}

const QUOTED_MAX = 16;

interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
}

/** The platform's own limits on the amount sent in a currency (platform.md §3.2.4). */
export function sendingBounds(config: PlatformConfig, currency: string): Bounds | undefined {
  const rule = currencyRule(config, currency);
  return rule && { min: rule.minAmount, max: rule.maxAmount };
}

export function checkAmountBounds(
  side: 'sent' | 'received',
  amount: bigint,
  bounds: Bounds | undefined,
  currency: string,
  own: OwnCurrencies,
): Refusal | undefined {
  if (!bounds || (amount >= bounds.min && amount <= bounds.max)) return undefined;
  const whose = side === 'sent' ? 'platform' : 'receiver';
  const limits = `${showAmount(bounds.min, currency, own)} to ${showAmount(bounds.max, currency, own)}`;
  const reason = `The amount ${side} is outside the ${whose}’s limits: ${limits}.`;
  const details = { currency, min: Number(bounds.min), max: Number(bounds.max) };
  return new Refusal('AMOUNT_OUT_OF_RANGE', reason, details);
}

/** money.md §8.1, platform.md §9: the corridor's minimum and maximum are both allowed. */
export function checkSize(
  usdValue: Fraction,
  settings: PlatformSettings,
  pair: { readonly from: string; readonly to: string },
): Refusal | undefined {
  const { minUsdCents, maxUsdCents } = corridorLimits(settings, pair);
  const shown = (cents: bigint) => showAmount(cents, 'USD', NO_OWN_CURRENCIES);
  if (compare(usdValue, fraction(minUsdCents)) < 0) {
    const reason = `The amount is below this corridor’s minimum of ${shown(minUsdCents)}.`;
    return new Refusal('AMOUNT_OUT_OF_RANGE', reason, { minUsdCents: Number(minUsdCents) });
  }
  if (!exceedsLimit(usdValue, maxUsdCents)) return undefined;
  const reason = `The amount is above this corridor’s maximum of ${shown(maxUsdCents)} for one transaction.`;
  return new Refusal('TRANSACTION_SIZE_LIMIT_EXCEEDED', reason, { maxUsdCents: Number(maxUsdCents) });
}

/** Only an active internal account moves money; external accounts are checked with the amount. */
export function checkInternal(party: AccountParty | undefined): Refusal | undefined {
  return party?.kind === 'INTERNAL' ? checkCanMoveMoney(party.account) : undefined;
}

/** money.md §2.2: bank accounts can be collected from, wallets cannot. */
export function isPullable(party: AccountParty): boolean {
  return party.kind === 'INTERNAL' || party.account.kind === 'BANK';
}
