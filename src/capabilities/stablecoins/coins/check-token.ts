import { providerUnavailable } from '#capabilities/stablecoins/availability.ts';
import { unitsPerCent } from '#capabilities/stablecoins/coin-row.ts';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Token, TokenAnswer, TokenName } from '#foundation/ports/stablecoins.ts';

type Answered = Exclude<TokenAnswer, { outcome: 'LOGIN_REFUSED' }>;

/** stablecoins.md §3.14, §3.15: the provider's token, if it can become a coin. */
export function requireToken(answer: Answered, { networkTokenIdentifier }: TokenName): Token {
  if (answer.outcome === 'UNAVAILABLE') throw providerUnavailable();
  if (answer.outcome === 'UNKNOWN') throw unverified('The provider does not know the token.');
  const { token } = answer;
  if (token.networkTokenIdentifier !== networkTokenIdentifier) {
    throw unverified('The provider has the token under another networkTokenIdentifier.');
  }
  const problem = checkTokenTerms(token);
  if (problem !== undefined) throw unverified(`The provider’s ${problem}.`);
  return token;
}

function unverified(reason: string): Refusal {
  return new Refusal('STABLECOIN_VERIFICATION_FAILED', reason);
}

const NAME_MAX = 255;
const QUOTED_MAX = 32;
const [DECIMALS_MIN, DECIMALS_MAX] = [2, 8];

/** stablecoins.md §3.4: why the token cannot be a currency. */
function checkTokenTerms({ name, symbol, baseCurrency, decimals, supply }: Token): string | undefined {
  if (!/^[A-Z][A-Z0-9]{2,9}$/.test(symbol)) {
    return `symbol ${quoted(symbol)} does not have 3 to 10 upper-case letters and digits, a letter first`;
  }
  if (name.trim() === '' || name.length > NAME_MAX || /\p{Cc}/u.test(name)) {
    return `name does not have 1 to ${NAME_MAX} characters that can be printed`;
  }
  if (baseCurrency !== 'USD') return `token is based on ${quoted(baseCurrency)} and not on USD`;
  if (!Number.isInteger(decimals) || decimals < DECIMALS_MIN || decimals > DECIMALS_MAX) {
    return `token has ${decimals} decimals and must have ${DECIMALS_MIN} to ${DECIMALS_MAX}`;
  }
  if (supply < 0n || supply > AMOUNT_MAX || supply % unitsPerCent({ decimals }) !== 0n) {
    return `supply is not a whole number of cents up to ${AMOUNT_MAX} units`;
  }
  return undefined;
}

/** The provider's text may be anything, of any length. */
function quoted(said: string): string {
  return JSON.stringify(said.slice(0, QUOTED_MAX));
}

/** Which names of a new coin are taken. */
export interface NameConflicts {
  readonly token: boolean;
  readonly symbol: boolean;
}

/**
 * stablecoins.md §3.16, §3.17: `taken` by other coins. A platform's own currency that is not a coin takes its code as
 * well.
 */
export function checkNames(
  { symbol, networkTokenIdentifier }: Token,
  taken: NameConflicts,
  isOwnCurrency: boolean,
): Refusal | undefined {
  if (taken.token) {
    const reason = 'The token with this networkTokenIdentifier is already registered.';
    return new Refusal('STABLECOIN_TOKEN_IDENTIFIER_ALREADY_EXISTS', reason, { networkTokenIdentifier });
  }
  if (!taken.symbol && !isOwnCurrency && !isCurrencyCode(symbol)) return undefined;
  const reason = `${symbol} is the symbol of another coin, or the code of a currency.`;
  return new Refusal('STABLECOIN_SYMBOL_ALREADY_EXISTS', reason, { symbol });
}
