import type { Currency } from '@corridor/client';
import { decimalsOfCode } from './decimals.ts';

export interface MoneyProps {
  /** In the smallest unit. */
  readonly amount: number | bigint | undefined;
  readonly currency: Currency | string | undefined;
  /** Shows a plus before what comes in. */
  readonly isSigned?: boolean;
}

/** An amount with its currency: grouped, in figures of one width, negative with a minus. */
export function Money({ amount, currency, isSigned = false }: MoneyProps) {
  if (amount === undefined) return <span class="money soft">–</span>;
  const plus = isSigned && amount > 0 ? '+' : '';
  return (
    <span class="money">
      {plus}
      {formatAmount(amount, currency)} <span class="money-code">{codeOf(currency)}</span>
    </span>
  );
}

export interface UnitsProps {
  /** In the smallest unit, as the operators' API writes it. */
  readonly units: string | null;
  readonly currency: string | null;
  readonly isSigned?: boolean;
}

export function Units({ units, currency, isSigned = false }: UnitsProps) {
  const amount = units === null ? undefined : BigInt(units);
  return <Money amount={amount} currency={currency ?? undefined} isSigned={isSigned} />;
}

/** `1,234.50 USD`, for sentences and attributes. */
export function formatMoney(amount: number | bigint, currency: Currency | string | undefined): string {
  return `${formatAmount(amount, currency)} ${codeOf(currency)}`.trim();
}

export function formatAmount(amount: number | bigint, currency: Currency | string | undefined): string {
  const decimals = decimalsOf(currency);
  const whole = BigInt(typeof amount === 'number' ? Math.trunc(amount) : amount);
  const digits = String(whole < 0n ? -whole : whole).padStart(decimals + 1, '0');
  const units = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${whole < 0n ? '−' : ''}${units}${rest}`;
}

/** `12.50` as 1250 for a currency with two decimals; undefined if it is no amount of that currency. */
export function parseAmount(text: string, currency: Currency | string | undefined): number | undefined {
  const decimals = decimalsOf(currency);
  const found = /^(\d[\d, ]*)(?:\.(\d*))?$/.exec(text.trim());
  if (!found || (found[2]?.length ?? 0) > decimals) return undefined;
  const amount = Number((found[1] ?? '').replaceAll(/[, ]/g, '') + (found[2] ?? '').padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** An amount in an unknown currency is in the smallest unit. */
export function decimalsOf(currency: Currency | string | undefined): number {
  if (typeof currency === 'object' && currency.decimals !== undefined) return currency.decimals;
  const code = codeOf(currency);
  return code === '' ? 2 : (decimalsOfCode(code) ?? 0);
}

function codeOf(currency: Currency | string | undefined): string {
  return (typeof currency === 'string' ? currency : currency?.code) ?? '';
}
