import { postEntry } from '#capabilities/accounts/post-entry.ts';
import {
  COINS,
  type CoinRow,
  issuedAccountOf,
  outsideAccountOf,
  PROVIDER_CLEARING,
  reserveAccountOf,
  tokenOf,
  unitsPerCent,
} from '#capabilities/stablecoins/coin-row.ts';
import { findCoin, lockCoin } from '#capabilities/stablecoins/coin-store.ts';
import {
  ASK_ISSUANCE,
  isDecided,
  issuanceAfter,
  scheduleIssuance,
} from '#capabilities/stablecoins/issuance.ts';
import { openLogin } from '#capabilities/stablecoins/link-row.ts';
import { findLink } from '#capabilities/stablecoins/link-store.ts';
import { invalidateLink } from '#capabilities/stablecoins/links/change-link.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { type CallHandler, concerning, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { platformTime } from '#foundation/lib/clock.ts';
import type { IssuanceStatus, ProviderLogin, TokenAnswer } from '#foundation/ports/stablecoins.ts';

/** The pause before a provider without an answer is asked again. */
const PAUSE_MS = 10 * 60_000;

const issuanceHandler: CallHandler = {
  async call(work, job) {
    const { id } = job.payload as { id: CoinId };
    const asked = await work.read((tx) => findUndecided(tx, id));
    const answer = asked?.login && (await describe(work, asked.coin, asked.login));
    return async (tx) => {
      if (asked) await applyAnswer(tx, asked.coin, answer);
    };
  },
};

interface Undecided {
  readonly coin: CoinRow;
  /** Undefined if the link cannot be used any more; the link that replaces it asks instead. */
  readonly login: ProviderLogin | undefined;
}

async function findUndecided(tx: ReadTx, id: CoinId): Promise<Undecided | undefined> {
  const coin = await findCoin(tx, id);
  if (!coin || isDecided(coin.issuance_status)) return undefined;
  const link = await findLink(tx, coin.provider_account);
  return { coin, login: link?.status === 'ACTIVE' ? openLogin(tx, link) : undefined };
}

function describe(work: Work, coin: CoinRow, login: ProviderLogin): Promise<TokenAnswer> {
  const now = platformTime(work.runtime.clock, work.platform.clockOffsetMs);
  return work.ports.stablecoins.describeToken(login, tokenOf(coin), { registeredAt: coin.created_at, now });
}

async function applyAnswer(tx: Tx, asked: CoinRow, answer: TokenAnswer | undefined): Promise<void> {
  const coin = await lockCoin(tx, asked.id);
  if (!coin || isDecided(coin.issuance_status)) return;
  // Another link has taken over meanwhile.
  if (coin.provider_account !== asked.provider_account) return scheduleIssuance(tx, coin.id, 0);
  if (!answer) return;
  if (answer.outcome === 'LOGIN_REFUSED') return invalidateLink(tx, coin.provider_account);
  if (answer.outcome !== 'FOUND') return scheduleIssuance(tx, coin.id, PAUSE_MS);
  const { status, askAgainAfterMs } = answer.token.issuance;
  changeIssuance(tx, coin, issuanceAfter(coin.issuance_status, status));
  if (askAgainAfterMs !== undefined) scheduleIssuance(tx, coin.id, askAgainAfterMs);
}

function changeIssuance(tx: Tx, coin: CoinRow, issuance_status: IssuanceStatus): void {
  if (issuance_status === coin.issuance_status) return;
  tx.collect(COINS.writer, changedRow(coin, { issuance_status }, tx.now));
  if (issuance_status === 'PROVISIONED') postOpening(tx, coin);
}

/**
 * money.md §11.L29: books the supply from before the registration. A coin that is rejected, or fails, never has an
 * entry.
 */
export function postOpening(tx: Tx, coin: CoinRow): void {
  const { id, symbol, opening_supply: amount } = coin;
  if (amount === 0n) return;
  const cents = amount / unitsPerCent(coin);
  postEntry(tx, {
    kind: 'coin.opened',
    transactionId: id,
    lines: [
      { account: PROVIDER_CLEARING, currency: 'USD', side: 'DEBIT', amount: cents },
      { account: reserveAccountOf(id), currency: 'USD', side: 'CREDIT', amount: cents },
      { account: issuedAccountOf(id), currency: symbol, side: 'DEBIT', amount },
      { account: outsideAccountOf(coin), currency: symbol, side: 'CREDIT', amount },
    ],
  });
}

export const issuanceJobs: JobDeclarations = {
  [ASK_ISSUANCE]: {
    ...issuanceHandler,
    due: concerning('Stablecoin', (id) => `The service asks the provider whether ${id} is provisioned.`),
  },
};
