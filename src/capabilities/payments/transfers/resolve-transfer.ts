import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { isScaRegion } from '#capabilities/customers/profile/regions.ts';
import { checkMoneyGate } from '#capabilities/customers/terms/money-gate.ts';
import {
  automaticRail,
  checkForPayment,
  type PaymentAccount,
  type PaymentUse,
  reachesOwnershipThreshold,
} from '#capabilities/external-accounts/check-for-payment.ts';
import {
  type AccountParty,
  areDifferentCustomers,
  customerIdOf,
  loadAccounts,
  loadOwner,
  parseAccountId,
} from '#capabilities/payments/parties/accounts.ts';
import {
  checkAmountBounds,
  checkCurrency,
  checkInternal,
  checkSize,
  isPullable,
  sendingBounds,
} from '#capabilities/payments/parties/rules.ts';
import { transactionOwner } from '#capabilities/payments/parties/source-destination.ts';
import type { Transfer } from '#capabilities/payments/transfers/create-transfer.ts';
import type { TransferInRequest, TransferOutRequest } from '#capabilities/payments/transfers/schemas.ts';
import type { PlatformConfig } from '#capabilities/platform/config.ts';
import type { TransactionType } from '#capabilities/platform/schemas.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { corridorLimits, valueInUsd } from '#capabilities/pricing/limits.ts';
import { type RateReading, ratesFor, readRates, tableFor } from '#capabilities/pricing/rates.ts';
import { requireScaSession } from '#capabilities/sca/standing/rules.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Fraction } from '#foundation/lib/money.ts';
import { type FieldError, invalidFields, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';

/** The accounts of a valid request for a transfer. Whether it can be made now has not been checked. */
interface NamedTransfer<Request> {
  readonly request: Request;
  readonly internal: InternalParty;
  readonly external: ExternalParty;
  /** The owner of the money; undefined for the platform. */
  readonly owner: CustomerRow | undefined;
}

export type NamedTransferOut = NamedTransfer<TransferOutRequest>;

export interface NamedTransferIn extends NamedTransfer<TransferInRequest & { readonly amount: number }> {
  /** The owner of the credited account. */
  readonly holder: CustomerRow | undefined;
}

/**
 * Loads the accounts that a transfer out names; with `ownedBy`, other owners' accounts count as unknown. Both this and
 * `resolveTransferOut` refuse in the order of money.md §2.13.
 */
export async function loadTransferOut(
  tx: ReadTx,
  request: TransferOutRequest,
  ownedBy?: CustomerId,
): Promise<NamedTransferOut> {
  const { source, destination } = await load(tx, request, ownedBy);
  const [internal, external] = [source as InternalParty, destination as ExternalParty];
  const owner = await loadOwner(tx, internal);
  const { rails } = external.account;
  const asked = request.destination.paymentRail;
  refuseFields([
    internal.account.type === 'EMBEDDED_WALLET' && {
      field: 'source.accountId',
      message: 'is an embedded wallet; use a quote instead',
    },
    otherCustomer(internal, external),
    asked !== undefined &&
      !rails.includes(asked) && {
        field: 'destination.paymentRail',
        constraint: { enum: rails },
        message: 'is not a payment rail of this account',
      },
  ]);
  return { request, internal, external, owner };
}

/** Checks whether a transfer out can be made now (money.md §5). */
export async function resolveTransferOut(tx: ReadTx, named: NamedTransferOut): Promise<Transfer> {
  const { external, owner } = named;
  const { account } = external;
  const { currency } = account;
  refuseIf(checkMovement(tx, named) ?? checkOneCurrency(named));
  const { rates, config } = await checkOffered(tx, currency, 'OUTGOING');
  const { amount, rail } = termsOf(named);
  refuseIf(checkExternal(tx, account, { amount, currency }, rates, { role: 'destination', rail }));
  if (amount === 0n) refuse('INSUFFICIENT_FUNDS', 'The account has no money to transfer.');
  refuseIf(checkSent(tx, config, amount, currency));
  const transfer = transferOut(tx, named, rates);
  refuseIf(checkSize(transfer.usdValue, tx.platform.settings, { from: currency, to: currency }));
  refuseIf(await checkAuthentication(tx, owner, account));
  return transfer;
}

/** The requested transfer, even if it cannot be made now. It is refused only if rates cannot be read. */
export async function describeTransferOut(tx: ReadTx, named: NamedTransferOut): Promise<Transfer> {
  return transferOut(tx, named, await readRates(tx));
}

function transferOut(
  tx: ReadTx,
  named: NamedTransferOut,
  rates: RateReading | undefined,
): Transfer & { readonly usdValue: Fraction } {
  const { request, internal, external, owner } = named;
  const { currency } = external.account;
  const { amount, rail } = termsOf(named);
  const { ownCurrencies } = tx.platform;
  const pair = { from: currency, to: currency };
  const table = ratesFor(rates, pair, ownCurrencies);
  return {
    owner: transactionOwner(owner),
    source: internal,
    destination: {
      ...external,
      rail: rail ?? null,
      isChosen: request.destination.paymentRail !== undefined,
    },
    currency,
    amount,
    usdValue: valueInUsd(amount, currency, table, ownCurrencies),
    sizeLimit: corridorLimits(tx.platform.settings, pair).maxUsdCents,
    remittanceInformation: request.remittanceInformation,
    purposeOfPayment: request.purposeOfPayment,
  };
}

/** Without an amount, the whole available balance. */
function termsOf({ request, internal, external }: NamedTransferOut) {
  return {
    amount: request.amount === undefined ? internal.account.available : BigInt(request.amount),
    rail: request.destination.paymentRail ?? automaticRail(external.account),
  };
}

export async function loadTransferIn(
  tx: ReadTx,
  request: NamedTransferIn['request'],
  ownedBy?: CustomerId,
): Promise<NamedTransferIn> {
  const { source, destination } = await load(tx, request, ownedBy);
  const [internal, external] = [destination as InternalParty, source as ExternalParty];
  const owner = await loadOwner(tx, external);
  const holder = await loadOwner(tx, internal);
  refuseFields([
    !isPullable(external) && {
      field: 'source.accountId',
      message: 'is a wallet; money can be collected from bank accounts only',
    },
    otherCustomer(external, internal),
  ]);
  return { request, internal, external, owner, holder };
}

/** Checks whether a transfer in can be made now; it counts against no limit of money.md §8. */
export async function resolveTransferIn(tx: ReadTx, named: NamedTransferIn): Promise<Transfer> {
  const { request, external } = named;
  const { account } = external;
  refuseIf(checkMovement(tx, named) ?? checkOneCurrency(named));
  const { rates, config } = await checkOffered(tx, account.currency, 'INCOMING');
  const { currency } = account;
  const amount = BigInt(request.amount);
  refuseIf(checkExternal(tx, account, { amount, currency }, rates, { role: 'source' }));
  refuseIf(checkSent(tx, config, amount, currency));
  ratesFor(rates, { from: currency, to: currency }, tx.platform.ownCurrencies);
  return describeTransferIn(named);
}

/** The requested transfer, even if it cannot be made now. */
export function describeTransferIn({
  request,
  internal,
  external,
  owner,
  holder,
}: NamedTransferIn): Transfer {
  return {
    owner: transactionOwner(owner),
    source: external,
    destination: { ...internal, owner: transactionOwner(holder) },
    currency: external.account.currency,
    amount: BigInt(request.amount),
  };
}

type InternalParty = Extract<AccountParty, { kind: 'INTERNAL' }>;
type ExternalParty = Extract<AccountParty, { kind: 'EXTERNAL' }>;

async function load(
  tx: ReadTx,
  { source, destination }: TransferInRequest | TransferOutRequest,
  ownedBy: CustomerId | undefined,
) {
  const named = [
    { field: 'source.accountId', ref: parseAccountId(source.accountId) },
    { field: 'destination.accountId', ref: parseAccountId(destination.accountId) },
  ] as const;
  const [from, to] = await loadAccounts(tx, named, ownedBy);
  return { source: from, destination: to };
}

function refuseFields(found: readonly (FieldError | false)[]): void {
  const problems = found.filter((problem) => problem !== false);
  if (problems.length > 0) throw invalidFields(problems);
}

/** money.md §2.4 applies to transfers as well. */
function otherCustomer(source: AccountParty, destination: AccountParty): FieldError | false {
  const message = 'belongs to a customer other than the one who pays';
  const isOther = areDifferentCustomers(customerIdOf(source), customerIdOf(destination));
  return isOther && { field: 'destination.accountId', message };
}

/** customers.md §1.7: transfers move money at once. */
function checkMovement(
  tx: ReadTx,
  { owner, internal }: Pick<NamedTransferOut, 'owner' | 'internal'>,
): Refusal | undefined {
  return (owner && checkMoneyGate(tx, owner)) ?? checkInternal(internal);
}

/** money.md §5.4. */
export function checkOneCurrency({
  internal,
  external,
}: Pick<NamedTransferOut, 'internal' | 'external'>): Refusal | undefined {
  const [one, other] = [internal.account.currency, external.account.currency];
  if (one === other) return undefined;
  const reason = `A transfer cannot change the currency; its accounts are in ${one} and ${other}.`;
  return new Refusal('INVALID_CURRENCY', reason);
}

async function checkOffered(tx: ReadTx, currency: string, type: TransactionType) {
  const config = await loadConfig(tx);
  const rates = await readRates(tx);
  refuseIf(checkCurrency(tx.platform, config, rates, currency, type));
  return { config, rates };
}

function checkExternal(
  tx: ReadTx,
  account: PaymentAccount,
  sending: { amount: bigint; currency: string },
  rates: RateReading | undefined,
  use: Omit<PaymentUse, 'isLarge'>,
): Refusal | undefined {
  const pair = { from: sending.currency, to: sending.currency };
  const table = tableFor(rates, pair, tx.platform.ownCurrencies);
  const isLarge = table !== undefined && reachesOwnershipThreshold(sending, table, tx.platform);
  return checkForPayment(account, { ...use, isLarge });
}

function checkSent(
  tx: ReadTx,
  config: PlatformConfig,
  amount: bigint,
  currency: string,
): Refusal | undefined {
  const bounds = sendingBounds(config, currency);
  return checkAmountBounds('sent', amount, bounds, currency, tx.platform.ownCurrencies);
}

/** customers.md §7.13: a transfer cannot open a challenge, so it pays trusted accounts only. */
async function checkAuthentication(
  tx: ReadTx,
  owner: CustomerRow | undefined,
  { isTrusted }: PaymentAccount,
): Promise<Refusal | undefined> {
  if (!owner || !isScaRegion(owner.region)) return undefined;
  if (isTrusted) return requireScaSession(tx, owner).then(() => undefined);
  return new Refusal(
    'CONFLICT',
    'Payments to this account must be authorized by the customer. Create a quote instead.',
  );
}
