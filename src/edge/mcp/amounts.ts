import assert from 'node:assert/strict';
import Type, { type Static } from 'typebox';
import type { InternalAccount } from '#capabilities/accounts/schemas.ts';
import type { AgentApi, ApiReply } from '#edge/mcp/agent-api.ts';
import {
  currencyOf,
  isCurrencyCode,
  isKnownCurrency,
  NO_OWN_CURRENCIES,
  type OwnCurrencies,
  presentCurrency,
  showAmount,
} from '#foundation/lib/currencies.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

/** The amounts of tools: in the smallest unit, and for people (agents.md §6.4). */
export const AMOUNT = Type.Object(
  {
    minorUnits: Type.Integer({
      description: 'In the smallest unit of the currency: 12550 for 125.50 USD, 500 for 500 JPY.',
    }),
    decimal: Type.String({
      description: 'The same amount for people, with the currency code: "125.50 USD".',
    }),
  },
  { additionalProperties: false, description: 'An amount in two forms, which must agree.' },
);
export type Money = Static<typeof AMOUNT>;

interface CurrencyReply {
  readonly code?: string;
  readonly decimals?: number;
}

export function presentMoney(amount: number, { code, decimals }: CurrencyReply): Money {
  assert(code !== undefined && decimals !== undefined, 'an amount without its currency');
  const own = { [code]: { name: '', symbol: '', decimals } };
  const sign = amount < 0 ? '-' : '';
  return { minorUnits: amount, decimal: sign + showAmount(BigInt(Math.abs(amount)), code, own) };
}

/** For replies that name a currency by its code. A coin's unknown decimals are not guessed: the amount is worded. */
export function presentMoneyIn(code: string, amount: number, own: OwnCurrencies): Money {
  return isKnownCurrency(code, own)
    ? presentMoney(amount, presentCurrency(code, own))
    : { minorUnits: amount, decimal: `${amount} of the smallest units of ${code}` };
}

/** Returns the minor units of a model's amount. For built-in currencies, both forms must agree. */
export function readAmount(amount: Money): number {
  const code = amount.decimal.slice(amount.decimal.lastIndexOf(' ') + 1);
  if (isCurrencyCode(code)) requireAgreement(amount, currencyOf(code));
  return amount.minorUnits;
}

/** Refuses an amount in another currency than this one, or whose two forms disagree. */
export function requireAgreement(amount: Money, currency: CurrencyReply): void {
  // The operation refuses zero and negative amounts with its own code.
  if (amount.minorUnits <= 0) return;
  const meant = presentMoney(amount.minorUnits, currency).decimal;
  if (meant === amount.decimal) return;
  const isOther = !amount.decimal.endsWith(` ${currency.code}`);
  const message = isOther
    ? `must be in ${currency.code}, and decimal must end with it: minorUnits ${amount.minorUnits} would be "${meant}"`
    : `does not agree: minorUnits ${amount.minorUnits} is "${meant}", since ${currency.code} has ${currency.decimals} decimals`;
  throw invalidFields([{ field: 'amount', message }]);
}

interface AccountPage {
  readonly data: readonly InternalAccount[];
  readonly nextCursor?: string;
}

/**
 * Refuses an amount that is not in the currency of this account. If the accounts cannot be read, the returned reply
 * replaces the tool's own. The operation itself refuses an unknown account.
 */
export async function fetchAmountProblem(
  api: AgentApi,
  accountId: string,
  amount: Money,
): Promise<ApiReply | undefined> {
  const wanted = parseId('InternalAccount', accountId);
  let cursor: string | undefined;
  do {
    const query = { limit: '100', ...(cursor !== undefined && { cursor }) };
    const reply = await api('GET /agents/me/internal-accounts', { query });
    if (reply.status === 403) return undefined;
    if (reply.status !== 200) return reply;
    const { data, nextCursor } = reply.body as AccountPage;
    const account = data.find(({ id }) => parseId('InternalAccount', id) === wanted);
    if (account) {
      requireAgreement(amount, account.balance.currency);
      return undefined;
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

/** Finds the platform's own coins among these currencies in the agent's accounts, because only those show decimals. */
export async function findOwnCurrencies(api: AgentApi, codes: readonly string[]): Promise<OwnCurrencies> {
  const unknown = [...new Set(codes)].filter((code) => !isKnownCurrency(code, NO_OWN_CURRENCIES));
  const found = await Promise.all(
    unknown.map(async (currency) => {
      const { status, body } = await api('GET /agents/me/internal-accounts', {
        query: { currency, limit: '1' },
      });
      const shown = status === 200 ? (body as AccountPage).data[0]?.balance.currency : undefined;
      return shown?.decimals === undefined ? [] : [[currency, { name: '', symbol: '', ...shown }] as const];
    }),
  );
  return Object.fromEntries(
    found.flat().map(([code, { name, symbol, decimals }]) => [code, { name, symbol, decimals }]),
  ) as OwnCurrencies;
}
