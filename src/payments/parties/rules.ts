import { checkCanMoveMoney } from '#accounts/rules.ts';
import type { ReadTx } from '#database/tx.ts';
import { isCurrencyCode, showAmount } from '#lib/currencies.ts';
import { refuse } from '#lib/refusals.ts';
import type { AccountParty } from '#payments/parties/parties.ts';
import { currencyRule, isEnabled, type PlatformConfig } from '#platform/config.ts';
import type { TransactionType } from '#platform/schemas.ts';
import type { RateReading } from '#pricing/rates.ts';

/** The currency that is sent: known, offered, and of a type that the platform has enabled (platform.md §3.2.4). */
export function checkCurrency(
  config: PlatformConfig,
  rates: RateReading | undefined,
  code: string,
  type: TransactionType,
): void {
  checkRate(rates, code);
  if (isEnabled(config, code, type)) return;
  const verb = type === 'OUTGOING' ? 'send' : 'take in';
  refuse('INVALID_CURRENCY', `The platform does not ${verb} ${code}.`, { currency: code });
}

/** Without any reading nothing is known against a currency: that there is none is the last reason (money.md §2.13). */
export function checkRate(rates: RateReading | undefined, code: string): void {
  if (!isCurrencyCode(code) || (rates && !rates.isOffered(code))) {
    const currency = shownCode(code);
    refuse('INVALID_CURRENCY', `There is no rate for ${currency}.`, { currency });
  }
}

/** What was sent as a currency, for an answer that says so: of any length, if it is none. */
export function shownCode(sent: string): string {
  return sent.length > SHOWN_MAX ? `${sent.slice(0, SHOWN_MAX)}…` : sent;
}

const SHOWN_MAX = 16;

interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
}

/** platform.md §3.2.4. */
export function ownBounds(config: PlatformConfig, currency: string): Bounds | undefined {
  const rule = currencyRule(config, currency);
  return rule && { min: rule.minAmount, max: rule.maxAmount };
}

export function checkLimits(
  tx: ReadTx,
  side: 'sent' | 'received',
  amount: bigint,
  bounds: Bounds | undefined,
  currency: string,
): void {
  if (!bounds || (amount >= bounds.min && amount <= bounds.max)) return;
  const whose = side === 'sent' ? 'platform' : 'receiver';
  const shown = (bound: bigint) => showAmount(bound, currency, tx.platform.ownCurrencies);
  const limits = `${shown(bounds.min)} to ${shown(bounds.max)}`;
  refuse('AMOUNT_OUT_OF_RANGE', `The amount ${side} is outside the ${whose}’s limits: ${limits}.`, {
    currency,
    min: Number(bounds.min),
    max: Number(bounds.max),
  });
}

/** Only an active internal account moves money. */
export function checkInternal(party: AccountParty): void {
  const refusal = party.kind === 'INTERNAL' ? checkCanMoveMoney(party.account) : undefined;
  if (refusal) throw refusal;
}

/** money.md §2.2: bank accounts can be collected from, wallets cannot. */
export function isPullable(party: AccountParty): boolean {
  return party.kind === 'INTERNAL' || party.account.kind === 'BANK';
}
