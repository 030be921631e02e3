import {
  COINS,
  type CoinRow,
  issuedAccountOf,
  reserveAccountOf,
} from '#capabilities/stablecoins/coin-row.ts';
import { checkNames, requireToken } from '#capabilities/stablecoins/coins/check-token.ts';
import { FIRST_SVC_STATUS } from '#capabilities/stablecoins/coins/enablement.ts';
import { postOpening } from '#capabilities/stablecoins/coins/provision-coin.ts';
import { findTakenNames } from '#capabilities/stablecoins/coins/store.ts';
import {
  FIRST_ISSUANCE_STATUS,
  issuanceAfter,
  scheduleIssuance,
} from '#capabilities/stablecoins/issuance.ts';
import { type LinkRow, openLogin } from '#capabilities/stablecoins/link-row.ts';
import { findLink, lockLink } from '#capabilities/stablecoins/link-store.ts';
import {
  checkLink,
  invalidateLink,
  linkInvalid,
  linkNotFound,
  linkRevoked,
} from '#capabilities/stablecoins/links/change-link.ts';
import { listUsableFirst } from '#capabilities/stablecoins/links/store.ts';
import { presentCoin } from '#capabilities/stablecoins/present.ts';
import type { Stablecoin, StablecoinRegisterRequest } from '#capabilities/stablecoins/schemas.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { OwnPlan } from '#foundation/http/declare/plan.ts';
import { openLedgerAccounts } from '#foundation/ledger/store.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';
import type { Token } from '#foundation/ports/stablecoins.ts';

/**
 * Asks the provider for the token, and makes the checks of stablecoins.md §3 in their order, the last two in the
 * commit.
 */
export async function planCoin(tx: ReadTx, request: StablecoinRegisterRequest): Promise<OwnPlan<Stablecoin>> {
  const link = await requireLink(tx, request.stablecoinProviderAccountId);
  const { network, providerTokenIdentifier, networkTokenIdentifier } = request;
  const name = { network, providerTokenIdentifier, networkTokenIdentifier };
  const times = { registeredAt: tx.now, now: tx.now };
  const login = openLogin(tx, link);
  if (!login) throw linkRevoked();
  const answer = await tx.ports.stablecoins.describeToken(login, name, times);
  if (answer.outcome === 'LOGIN_REFUSED') return { commit: (own) => refuseLogin(own, link) };
  const token = requireToken(answer, name);
  return { commit: (own) => storeCoin(own, request, { link, token }) };
}

/** stablecoins.md §3.11–3.13: the link to the provider. */
async function requireLink(tx: ReadTx, named: string | undefined): Promise<LinkRow> {
  const [link, second] = await listCandidates(tx, named);
  if (!link) throw named === undefined ? nothingLinked() : linkNotFound();
  refuseIf(checkLink(link));
  if (second?.status === 'ACTIVE') throw selectionRequired();
  return link;
}

async function listCandidates(tx: ReadTx, named: string | undefined): Promise<LinkRow[]> {
  if (named === undefined) return listUsableFirst(tx);
  const link = await findLink(tx, parseId('StablecoinProviderAccount', named) ?? NIL_ID);
  return link ? [link] : [];
}

function nothingLinked(): Refusal {
  const reason = 'No provider account is linked. Link yours first.';
  return new Refusal('STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', reason);
}

function selectionRequired(): Refusal {
  const reason = 'Several provider accounts are linked. Name one in stablecoinProviderAccountId.';
  return new Refusal('STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED', reason);
}

/** stablecoins.md §1.12. Returned and not thrown, so that the change of the link is committed. */
async function refuseLogin(tx: Tx, link: LinkRow): Promise<Refusal> {
  await invalidateLink(tx, link.id);
  return linkInvalid();
}

interface Verified {
  readonly link: LinkRow;
  readonly token: Token;
}

async function storeCoin(
  tx: Tx,
  request: StablecoinRegisterRequest,
  { link, token }: Verified,
): Promise<Stablecoin> {
  // A change that ends the link, or takes over its coins, happens before this commit or after it.
  const locked = await lockLink(tx, link.id);
  if (locked?.status !== 'ACTIVE') throwStale();
  const coin = newCoin(tx, request, { link, token });
  const isOwnCurrency = Object.hasOwn(tx.platform.ownCurrencies, coin.symbol);
  refuseIf(checkNames(token, await findTakenNames(tx, coin), isOwnCurrency));
  tx.collect(COINS.writer, { from: undefined, row: coin });
  await openLedgerAccounts(tx, [
    { account: issuedAccountOf(coin.id), currency: coin.symbol },
    { account: reserveAccountOf(coin.id), currency: 'USD' },
  ]);
  if (coin.issuance_status === 'PROVISIONED') postOpening(tx, coin);
  const { askAgainAfterMs } = token.issuance;
  if (askAgainAfterMs !== undefined) scheduleIssuance(tx, coin.id, askAgainAfterMs);
  return presentCoin(coin);
}

function newCoin(tx: Tx, request: StablecoinRegisterRequest, { link, token }: Verified): CoinRow {
  return {
    platform_id: tx.platformId,
    id: tx.newId('Stablecoin'),
    version: 1n,
    environment: tx.platform.environment,
    provider: link.provider,
    network: request.network,
    provider_token_identifier: request.providerTokenIdentifier,
    network_token_identifier: request.networkTokenIdentifier,
    name: token.name,
    symbol: token.symbol,
    base_currency: token.baseCurrency,
    decimals: token.decimals,
    opening_supply: token.supply,
    created_at: tx.now,
    provider_account: link.id,
    issuance_status: issuanceAfter(FIRST_ISSUANCE_STATUS, token.issuance.status),
    svc_operations_status: FIRST_SVC_STATUS,
    currency_since: null,
    updated_at: tx.now,
  };
}
