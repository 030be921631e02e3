import { checkCanMoveMoney } from '#capabilities/accounts/rules.ts';
import { type LockedAccount, lockAccounts } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { isScaRegion } from '#capabilities/customers/profile/regions.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { checkMoneyGate } from '#capabilities/customers/terms/money-gate.ts';
import { loadForPayment, type PaymentAccount } from '#capabilities/external-accounts/check-for-payment.ts';
import { areDifferentCustomers } from '#capabilities/payments/parties/accounts.ts';
import type { CoinRow } from '#capabilities/stablecoins/coin-row.ts';
import type { BurnRail } from '#capabilities/stablecoins/operations/row.ts';
import type {
  StablecoinBurnRequest,
  StablecoinMintRequest,
} from '#capabilities/stablecoins/operations/schemas.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { sparkIdentityKey } from '#foundation/lib/identifiers/spark.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { type PaymentRail, RAILS } from '#foundation/lib/rails-by-currency.ts';
import { invalidFields, notFound, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';
import type { AccountRole } from '#foundation/ports/stablecoins.ts';

/** The accounts of mints and burns (stablecoins.md §5.29, §5.30), and the checks on them. */

export type Party =
  | { readonly kind: 'INTERNAL'; readonly account: LockedAccount }
  | { readonly kind: 'EXTERNAL'; readonly account: PaymentAccount; readonly role: AccountRole }
  /** The provider holds the money or coins, or gets them from outside. */
  | { readonly kind: 'NONE' };

const NONE: Party = { kind: 'NONE' };

/** stablecoins.md §5.41–5.43; stablecoins.md §5.44 depends on the provider's answer. */
export async function loadMintSource(
  tx: Tx,
  coin: CoinRow,
  source: StablecoinMintRequest['fundingSource'],
): Promise<Party> {
  if ('externalAccountId' in source) return loadBankAccount(tx, source.externalAccountId, 'DEBITED');
  if (source.type !== 'SVC_INTERNAL_ACCOUNT') return NONE;
  requireEnabled(coin);
  const owned = await loadInternal(tx, source.accountId);
  const { currency } = owned.account;
  if (currency !== 'USD') {
    refuse('INVALID_CURRENCY', `Coins are paid for in USD, but the account is in ${currency}.`);
  }
  return requireSource(tx, owned);
}

/** stablecoins.md §5.51–5.53. */
export async function loadBurnSource(
  tx: Tx,
  coin: CoinRow,
  source: StablecoinBurnRequest['source'],
): Promise<Party> {
  if (source.type !== 'SVC_INTERNAL_ACCOUNT') return NONE;
  requireEnabled(coin);
  const owned = await loadInternal(tx, source.accountId);
  const { currency } = owned.account;
  if (currency !== coin.symbol) {
    const reason = `Only ${coin.symbol} can be burned, but the account is in ${currency}.`;
    refuse('STABLECOIN_BURN_SOURCE_NOT_SUPPORTED', reason);
  }
  return requireSource(tx, owned);
}

/** stablecoins.md §5.3. */
export async function loadMintDestination(
  tx: Tx,
  coin: CoinRow,
  sent: string,
  source: Party,
): Promise<Party> {
  const externalId = parseId('ExternalAccount', sent, 'full');
  if (externalId !== undefined) {
    const account = await loadExternal(tx, externalId);
    if (account.accountType !== 'SPARK_WALLET') throw unsupported('must be a Spark wallet');
    // A wallet may also have a Bitcoin address, to which coins cannot be sent.
    if (!sparkIdentityKey(account.identifier)) throw unsupported('must have a Spark address');
    return requireSameOwner(source, receiving(account, 'RECEIVES_COINS'));
  }
  requireEnabled(coin);
  const { account } = await loadInternal(tx, sent);
  if (account.currency !== coin.symbol) {
    const reason = `The coins are ${coin.symbol}, but the account is in ${account.currency}.`;
    refuse('INVALID_CURRENCY', reason);
  }
  refuseIf(checkCanMoveMoney(account));
  return requireSameOwner(source, { kind: 'INTERNAL', account });
}

/** stablecoins.md §5.4. */
export async function loadBurnDestination(
  tx: Tx,
  { externalAccountId, rail }: StablecoinBurnRequest['destination'],
  source: Party,
): Promise<Party> {
  const party = await loadBankAccount(tx, externalAccountId, 'CREDITED');
  const paid = PAYMENT_RAILS[rail];
  if (!party.account.rails.includes(paid)) {
    const reason = `The account cannot be paid by ${rail}; its rails are ${party.account.rails.join(', ')}.`;
    refuse('STABLECOIN_OPERATION_NOT_SUPPORTED', reason, { rail });
  }
  if (party.account.usValidation === 'PENDING' && RAILS[paid].awaitsValidation) {
    const reason = `The account cannot be paid by ${rail} while it is being validated with micro-deposits.`;
    refuse('STABLECOIN_OPERATION_NOT_SUPPORTED', reason, { rail });
  }
  return requireSameOwner(source, party);
}

/** The account rail that each way of paying out uses. */
const PAYMENT_RAILS: Readonly<Record<BurnRail, PaymentRail>> = {
  WIRE: 'WIRE',
  ACH_CREDIT: 'ACH',
  SAME_DAY_ACH_CREDIT: 'ACH',
  RTP_CREDIT: 'RTP',
};

function requireEnabled(coin: CoinRow): void {
  if (coin.svc_operations_status === 'ENABLED') return;
  const { svc_operations_status: svcOperationsStatus } = coin;
  const reason = `Internal accounts cannot be used: the coin is ${svcOperationsStatus} and must be ENABLED.`;
  refuse('STABLECOIN_SVC_OPERATIONS_NOT_ENABLED', reason, { svcOperationsStatus });
}

interface OwnedAccount {
  readonly account: LockedAccount;
  /** Undefined if the account is the platform's own. */
  readonly customer: CustomerRow | undefined;
}

/** Locks the account's row until the transaction ends. An account of a deleted customer counts as unknown. */
async function loadInternal(tx: Tx, sent: string): Promise<OwnedAccount> {
  const [account] = await lockAccounts(tx, [parseId('InternalAccount', sent, 'full') ?? NIL_ID]);
  const ownerId = account?.customer_id ?? undefined;
  const customer = ownerId === undefined ? undefined : await findLiveCustomer(tx, ownerId);
  if (!account || (ownerId !== undefined && !customer)) {
    throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  }
  return { account, customer };
}

/**
 * stablecoins.md §5.2: money leaves the account, so its owner must be allowed to move it, and must not need a
 * challenge.
 */
function requireSource(tx: Tx, { account, customer }: OwnedAccount): Party {
  refuseIf(checkCanMoveMoney(account));
  if (!customer) return { kind: 'INTERNAL', account };
  refuseIf(checkMoneyGate(tx, customer));
  if (isScaRegion(customer.region)) {
    refuse(
      'CONFLICT',
      'The customer would have to authorize this, but a mint or burn cannot open a challenge.',
    );
  }
  return { kind: 'INTERNAL', account };
}

async function loadExternal(tx: Tx, id: ExternalAccountId): Promise<PaymentAccount> {
  const account = (await loadForPayment(tx, [id])).get(id);
  if (!account) throw notFound('STABLECOIN_EXTERNAL_ACCOUNT_NOT_FOUND', 'ExternalAccount');
  return account;
}

type ExternalParty = Extract<Party, { kind: 'EXTERNAL' }>;

async function loadBankAccount(tx: Tx, sent: string, role: 'DEBITED' | 'CREDITED'): Promise<ExternalParty> {
  const account = await loadExternal(tx, parseId('ExternalAccount', sent, 'full') ?? NIL_ID);
  const { kind, currency, usValidation } = account;
  if (kind !== 'BANK' || currency !== 'USD') throw unsupported('must be a bank account in US dollars');
  if (usValidation === 'FAILED') throw unsupported('does not exist, as its bank reports');
  if (role === 'DEBITED') requireDebitable(account);
  return receiving(account, role);
}

function requireDebitable({ rails, usValidation }: PaymentAccount): void {
  if (!rails.includes('ACH')) throw unsupported('cannot be debited by ACH');
  if (usValidation === 'PENDING') throw unsupported('is still being validated with micro-deposits');
}

function receiving(account: PaymentAccount, role: AccountRole): ExternalParty {
  if (account.status !== 'ACTIVE') throw unsupported(`is ${account.status} and must be ACTIVE`);
  return { kind: 'EXTERNAL', account, role };
}

/** stablecoins.md §6.13. */
function unsupported(problem: string): Refusal {
  return new Refusal('STABLECOIN_EXTERNAL_ACCOUNT_NOT_SUPPORTED', `The external account ${problem}.`);
}

/**
 * As in money.md §2.4 for payments: a customer's money does not go to another customer by a mint or burn. The platform
 * may receive it on the customer's behalf (stablecoins.md §5.4).
 */
function requireSameOwner(source: Party, destination: Party): Party {
  if (!areDifferentCustomers(partyCustomerIdOf(source), partyCustomerIdOf(destination))) return destination;
  if (destination.kind === 'EXTERNAL') throw unsupported('belongs to a customer other than the one who pays');
  const message = 'belongs to a customer other than the one who pays';
  throw invalidFields([{ field: 'destination.accountId', message }]);
}

/** Bare UUID; undefined if it is the platform's own, or has no owner. */
export function partyCustomerIdOf(party: Party): CustomerId | undefined {
  if (party.kind === 'INTERNAL') return party.account.customer_id ?? undefined;
  return party.kind === 'EXTERNAL' ? party.account.customerId : undefined;
}
