import { checkMoneyGate } from '#customers/money-gate.ts';
import { isScaRegion } from '#customers/regions.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import {
  automaticRail,
  checkForPayment,
  type PaymentAccount,
  type PaymentUse,
  reachesOwnershipThreshold,
} from '#external-accounts/check-for-payment.ts';
import { type FieldError, invalidFields, refuse } from '#lib/refusals.ts';
import {
  type AccountParty,
  accountRef,
  customerOf,
  isForeign,
  loadAccounts,
  loadOwner,
  ownerOf,
} from '#payments/parties/parties.ts';
import { checkCurrency, checkInternal, checkLimits, isPullable, ownBounds } from '#payments/parties/rules.ts';
import { sizeRefusal } from '#payments/quotes/price-quote.ts';
import type { Transfer } from '#payments/transfers/plan-transfer.ts';
import type { TransferInRequest, TransferOutRequest } from '#payments/transfers/schemas.ts';
import type { TransactionType } from '#platform/schemas.ts';
import { loadConfig } from '#platform/store.ts';
import { valueInUsd } from '#pricing/limits.ts';
import { type RateReading, ratesFor, readRates, tableFor } from '#pricing/rates.ts';

/** money.md §5 on what a transfer out names; the refusals are those of money.md §2.13, in that order. */
export async function resolveTransferOut(tx: ReadTx, request: TransferOutRequest): Promise<Transfer> {
  const { source, destination } = await load(tx, request);
  const [internal, external] = [source as InternalParty, destination as ExternalParty];
  const owner = await loadOwner(tx, internal);
  const { account } = external;
  const asked = request.destination.paymentRail;
  refuseFields([
    internal.account.type === 'EMBEDDED_WALLET' && {
      field: 'source.accountId',
      message: 'is an embedded wallet; use a quote instead',
    },
    foreignMoney(internal, external),
    asked !== undefined &&
      !account.rails.includes(asked) && {
        field: 'destination.paymentRail',
        constraint: { enum: account.rails },
        message: 'is not a payment rail of this account',
      },
  ]);
  checkMovement(tx, owner, internal);
  const { rates, config } = await checkOneCurrency(tx, internal, external, 'OUTGOING');
  const { currency } = account;
  const amount = request.amount === undefined ? internal.account.available : BigInt(request.amount);
  const rail = asked ?? automaticRail(account);
  checkExternal(tx, account, { amount, currency }, rates, { role: 'destination', rail });
  if (amount === 0n) refuse('INSUFFICIENT_FUNDS', 'The account has no money to transfer.');
  checkLimits(tx, 'sent', amount, ownBounds(config, currency), currency);
  const usdValue = valueInUsd(amount, currency, ratesFor(rates, { from: currency, to: currency }));
  const tooLarge = sizeRefusal(usdValue, tx.platform.settings, { from: currency, to: currency });
  if (tooLarge) throw tooLarge;
  checkScaRegion(owner, account);
  return {
    owner: ownerOf(owner),
    source: { kind: 'INTERNAL', accountId: internal.account.id, currency },
    destination: { kind: 'EXTERNAL', account, rail: rail ?? null, isChosen: asked !== undefined },
    currency,
    amount,
    usdValue,
    remittanceInformation: request.remittanceInformation,
    purposeOfPayment: request.purposeOfPayment,
  };
}

/** The same of a transfer in. No limit of money.md §8 counts it. */
export async function resolveTransferIn(
  tx: ReadTx,
  request: TransferInRequest & { readonly amount: number },
): Promise<Transfer> {
  const { source, destination } = await load(tx, request);
  const [internal, external] = [destination as InternalParty, source as ExternalParty];
  const owner = await loadOwner(tx, external);
  const holder = await loadOwner(tx, internal);
  const { account } = external;
  refuseFields([
    !isPullable(external) && {
      field: 'source.accountId',
      message: 'is a wallet; money can be collected from bank accounts only',
    },
    foreignMoney(external, internal),
  ]);
  checkMovement(tx, owner, internal);
  const { rates, config } = await checkOneCurrency(tx, external, internal, 'INCOMING');
  const { currency } = account;
  const amount = BigInt(request.amount);
  checkExternal(tx, account, { amount, currency }, rates, { role: 'source' });
  checkLimits(tx, 'sent', amount, ownBounds(config, currency), currency);
  ratesFor(rates, { from: currency, to: currency });
  return {
    owner: ownerOf(owner),
    source: { kind: 'EXTERNAL', account },
    destination: { kind: 'INTERNAL', accountId: internal.account.id, currency, owner: ownerOf(holder) },
    currency,
    amount,
  };
}

type InternalParty = Extract<AccountParty, { kind: 'INTERNAL' }>;
type ExternalParty = Extract<AccountParty, { kind: 'EXTERNAL' }>;

async function load(tx: ReadTx, { source, destination }: TransferInRequest | TransferOutRequest) {
  const [from, to] = await loadAccounts(tx, [
    { field: 'source.accountId', ref: accountRef(source.accountId) },
    { field: 'destination.accountId', ref: accountRef(destination.accountId) },
  ]);
  return { source: from, destination: to };
}

function refuseFields(found: readonly (FieldError | false)[]): void {
  const errors = found.filter((error) => error !== false);
  if (errors.length > 0) throw invalidFields(errors);
}

function foreignMoney(source: AccountParty, destination: AccountParty): FieldError | false {
  const message = 'belongs to a customer other than the one who pays';
  return (
    isForeign(customerOf(source), customerOf(destination)) && { field: 'destination.accountId', message }
  );
}

/** customers.md §1.7: transfers move money at once. */
function checkMovement(tx: ReadTx, owner: CustomerRow | undefined, internal: InternalParty): void {
  if (owner) checkMoneyGate(tx, owner);
  checkInternal(internal);
}

async function checkOneCurrency(
  tx: ReadTx,
  source: AccountParty,
  destination: AccountParty,
  type: TransactionType,
) {
  const { currency } = source.account;
  if (currency !== destination.account.currency) {
    refuse(
      'INVALID_CURRENCY',
      `A transfer cannot change the currency, and one of the accounts is not in ${currency}.`,
    );
  }
  const config = await loadConfig(tx);
  const rates = await readRates(tx);
  checkCurrency(config, rates, currency, type);
  return { config, rates };
}

function checkExternal(
  tx: ReadTx,
  account: PaymentAccount,
  sending: { amount: bigint; currency: string },
  reading: RateReading | undefined,
  use: Omit<PaymentUse, 'isLarge'>,
): void {
  const rates = tableFor(reading, { from: sending.currency, to: sending.currency });
  const isLarge = rates !== undefined && reachesOwnershipThreshold(sending, rates, tx.platform.settings);
  const refusal = checkForPayment(account, { ...use, isLarge });
  if (refusal) throw refusal;
}

/** customers.md §7.13: a transfer has no room for a challenge, and sessions are a part to come. */
function checkScaRegion(owner: CustomerRow | undefined, { isTrusted }: PaymentAccount): void {
  if (!owner || !isScaRegion(owner.region)) return;
  if (!isTrusted)
    refuse(
      'CONFLICT',
      'Payments to this account must be authorized by the customer. Create a quote instead.',
    );
  refuse(
    'NOT_IMPLEMENTED',
    'Payments of this customer need strong customer authentication, which is not available yet.',
  );
}
