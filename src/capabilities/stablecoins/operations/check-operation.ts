import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { lockAccountBalances } from '#capabilities/accounts/locked-balances.ts';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
import {
  type CoinRow,
  issuedAccountOf,
  showCoinAmount,
  unitsPerCent,
} from '#capabilities/stablecoins/coin-row.ts';
import { lockCoin } from '#capabilities/stablecoins/coin-store.ts';
import { checkProvisioned } from '#capabilities/stablecoins/issuance.ts';
import { type LinkRow, openLogin } from '#capabilities/stablecoins/link-row.ts';
import { lockLinkForUse } from '#capabilities/stablecoins/link-store.ts';
import { checkLink, linkRevoked } from '#capabilities/stablecoins/links/change-link.ts';
import {
  loadBurnDestination,
  loadBurnSource,
  loadMintDestination,
  loadMintSource,
  type Party,
} from '#capabilities/stablecoins/operations/parties.ts';
import type {
  StablecoinBurnRequest,
  StablecoinMintRequest,
} from '#capabilities/stablecoins/operations/schemas.ts';
import { loadOpenAmounts, loadOutside } from '#capabilities/stablecoins/operations/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { findBalances } from '#foundation/ledger/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { notFound, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';
import type { ProviderLogin } from '#foundation/ports/stablecoins.ts';

export type OperationRequest =
  | { readonly type: 'MINT'; readonly coinId: CoinId; readonly body: StablecoinMintRequest }
  | { readonly type: 'BURN'; readonly coinId: CoinId; readonly body: StablecoinBurnRequest };

/** A request that has passed our own checks, before the provider is asked. */
export interface CheckedOperation {
  readonly coin: CoinRow;
  readonly link: LinkRow;
  readonly login: ProviderLogin;
  readonly amount: bigint;
  readonly cents: bigint;
  readonly source: Party;
  readonly destination: Party;
}

/**
 * Makes the checks up to the source that come before any question to the provider: stablecoins.md §5.23,
 * and §5.25–5.29. The coin and its link are locked from here on, so that the coin cannot be disabled, its coins not
 * taken and the link not revoked meanwhile.
 */
export async function checkSource(tx: Tx, request: OperationRequest) {
  const coin = await lockCoin(tx, request.coinId);
  if (!coin) throw notFound('STABLECOIN_NOT_FOUND', 'Stablecoin');
  refuseIf(checkProvisioned(coin.issuance_status));
  const { link, login } = await requireActiveLink(tx, coin);
  const amount = readAmount(coin, request.body.amount);
  const checked = { coin, link, login, amount, cents: amount / unitsPerCent(coin) };
  await requireStatable(tx, request, checked);
  const source =
    request.type === 'MINT'
      ? await loadMintSource(tx, coin, request.body.fundingSource)
      : await loadBurnSource(tx, coin, request.body.source);
  return { ...checked, source };
}

/** The remaining checks: stablecoins.md §5.30 and §5.31. */
export async function checkDestination(
  tx: Tx,
  request: OperationRequest,
  checked: Omit<CheckedOperation, 'destination'>,
): Promise<Party> {
  const { coin, source } = checked;
  return request.type === 'MINT'
    ? loadMintDestination(tx, coin, request.body.destination.accountId, source)
    : loadBurnDestination(tx, request.body.destination, source);
}

/** stablecoins.md §5.26. */
async function requireActiveLink(tx: Tx, coin: CoinRow) {
  const link = await lockLinkForUse(tx, coin.provider_account);
  if (!link) throw new Error('the link of a coin does not exist');
  refuseIf(checkLink(link));
  const login = openLogin(tx, link);
  if (!login) throw linkRevoked();
  return { link, login };
}

/** stablecoins.md §5.27, §5.28: reads a string of digits of any length. */
function readAmount(coin: CoinRow, sent: string): bigint {
  const digits = sent.replace(/^0+/, '');
  if (digits === '') refuse('INVALID_AMOUNT', 'The amount must be above zero.');
  // Longer texts are not parsed, because that would take long for very long ones.
  const amount = digits.length > String(AMOUNT_MAX).length ? AMOUNT_MAX + 1n : BigInt(digits);
  if (amount > AMOUNT_MAX) throw notRepresentable(`is above ${AMOUNT_MAX} units of the coin`);
  const unit = unitsPerCent(coin);
  if (amount % unit !== 0n) {
    throw notRepresentable(`is not worth whole US cents: it must be a multiple of ${unit}`);
  }
  return amount;
}

function notRepresentable(problem: string): Refusal {
  return new Refusal('STABLECOIN_AMOUNT_NOT_REPRESENTABLE', `The amount ${problem}.`);
}

/** stablecoins.md §5.1: the issued coins, with all open mints, must stay an exact number. */
async function requireStatable(
  tx: Tx,
  { type }: OperationRequest,
  { coin, amount }: { readonly coin: CoinRow; readonly amount: bigint },
): Promise<void> {
  if (type === 'BURN') return;
  const [issued] = await findBalances(tx, [issuedAccountOf(coin.id)]);
  const { mints } = await loadOpenAmounts(tx, coin.id);
  if ((issued?.balance ?? 0n) + mints + amount > AMOUNT_MAX) {
    throw notRepresentable(`would bring the coin above ${AMOUNT_MAX} units in total`);
  }
}

/**
 * stablecoins.md §5.31 with stablecoins.md §5.1 and §7.1: whether both sides can give and receive the amount now. Locks
 * the balances.
 */
export async function checkFunds(
  tx: Tx,
  { type }: OperationRequest,
  checked: CheckedOperation,
): Promise<Refusal | undefined> {
  const { coin, amount, cents, source, destination } = checked;
  const open = await loadOpenAmounts(tx, coin.id, { accountId: internalId(destination) });
  const balances = await lockAccountBalances(
    tx,
    [source, destination].flatMap((party) => accountToLock(tx, party)),
  );
  if (destination.kind === 'INTERNAL' && !balances.canHold(destination.account.id, open.mintsTo + amount)) {
    return notRepresentable('is more than the account can hold');
  }
  const required = type === 'MINT' ? cents : amount;
  if (source.kind === 'INTERNAL') {
    const { currency, id } = source.account;
    return checkEnough(coin, type, {
      currency,
      available: balances.balanceOf(availAccountOf(id)),
      required,
      accountId: id,
    });
  }
  if (type === 'MINT') return undefined;
  const available = (await loadOutside(tx, coin)) - open.burnsFromOutside;
  return checkEnough(coin, type, {
    currency: coin.symbol,
    available: available < 0n ? 0n : available,
    required,
  });
}

export function internalId(party: Party): AccountId | null {
  return party.kind === 'INTERNAL' ? party.account.id : null;
}

/** The account, with its owner's debt in its currency. */
export function accountToLock({ platformId }: Tx, party: Party) {
  if (party.kind !== 'INTERNAL') return [];
  const { id, customer_id, currency } = party.account;
  return [{ id, debtAccount: receivableAccount(customer_id ?? platformId, currency) }];
}

interface Funds {
  readonly currency: string;
  readonly available: bigint;
  readonly required: bigint;
  /** Undefined for coins outside. */
  readonly accountId?: AccountId;
}

/** The wording is that of a payment that is refused for the same reason. */
function checkEnough(
  coin: CoinRow,
  type: OperationRequest['type'],
  { currency, available, required, accountId }: Funds,
): Refusal | undefined {
  if (available >= required) return undefined;
  const shown = (units: bigint) => showCoinAmount(coin, units, currency);
  const has =
    accountId === undefined
      ? `${shown(available)} is outside and not yet taken by another burn`
      : `The account has ${shown(available)} available`;
  return new Refusal('INSUFFICIENT_FUNDS', `${has}; this ${type.toLowerCase()} needs ${shown(required)}.`, {
    ...(accountId !== undefined && { accountId: publicId('InternalAccount', accountId) }),
    currency,
    available: Number(available),
    required: Number(required),
  });
}
