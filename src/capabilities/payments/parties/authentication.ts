import { isScaRegion } from '#capabilities/customers/profile/regions.ts';
import { findTrusted } from '#capabilities/external-accounts/store.ts';
import { openPrivate, type Private } from '#capabilities/payments/details.ts';
import { destinationAddress, isCrossCurrency, type TransactionRow } from '#capabilities/payments/row.ts';
import {
  CHALLENGE_LIFE_MS,
  type DraftChallenge,
  draftChallenge,
  presentChallenge,
} from '#capabilities/sca/challenges/challenges.ts';
import { type Authentication, factorsOf, loadAuthentication } from '#capabilities/sca/factor-store.ts';
import type { ScaChallenge, ScaFactor } from '#capabilities/sca/schemas.ts';
import { NUMBER_NEEDS_PROOF, sessionRequired } from '#capabilities/sca/standing/rules.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { showAmount } from '#foundation/lib/currencies.ts';
import { invalidFields, type Refusal } from '#foundation/lib/refusals.ts';

/** The strong customer authentication required before a customer's money leaves (customers.md §7.10). */

/** A payment that is about to move, and the customer whose money it is; no payer if the money is the platform's own. */
export interface LeavingMoney {
  readonly payer: { readonly id: CustomerId; readonly region: string } | null | undefined;
  readonly destination: DestinationOfMoney;
  /** The factor named in the request or the quote; undefined for the default. */
  readonly factor: ScaFactor | undefined;
}

/** The customer's own accounts count as trusted; others' accounts and UMA addresses never do (customers.md §7.10a). */
export type DestinationOfMoney =
  | { readonly kind: 'OWN' | 'OTHERS' }
  | { readonly kind: 'EXTERNAL'; readonly accountId: ExternalAccountId };

/** How the customer is to authorize the payment. */
export interface RequiredFactor {
  readonly authentication: Authentication;
  readonly factor: ScaFactor;
}

/** Undefined if no challenge is required. Customers outside the regions cause no query. */
export async function loadRequiredFactor(
  tx: ReadTx,
  { payer, destination, factor: wanted }: LeavingMoney,
): Promise<RequiredFactor | Refusal | undefined> {
  if (!payer || !isScaRegion(payer.region)) return undefined;
  const [authentication, isTrusted] = await Promise.all([
    loadAuthentication(tx, payer.id),
    isTrustedDestination(tx, destination),
  ]);
  const factor = factorsOf(authentication).find((each) => each === (wanted ?? DEFAULT_FACTOR));
  if (factor === undefined && (wanted !== undefined || !isTrusted)) return notUsable(authentication);
  if (isTrusted) return authentication.sessionFactor === null ? sessionRequired(payer.id) : undefined;
  return factor && { authentication, factor };
}

/** Checks a factor that a quote names for its later execution. */
export async function checkFactor(
  tx: ReadTx,
  { payer, factor }: Pick<LeavingMoney, 'payer' | 'factor'>,
): Promise<Refusal | undefined> {
  if (factor === undefined || !payer || !isScaRegion(payer.region)) return undefined;
  return checkPaymentFactor(await loadAuthentication(tx, payer.id), factor);
}

/** Whether a customer can authorize payments by this factor. */
export function checkPaymentFactor(authentication: Authentication, factor: ScaFactor): Refusal | undefined {
  return factorsOf(authentication).includes(factor) ? undefined : notUsable(authentication);
}

const DEFAULT_FACTOR: ScaFactor = 'SMS_OTP';

function notUsable(authentication: Authentication): Refusal {
  const usable = factorsOf(authentication);
  const wanted =
    usable.length > 0
      ? `must be a factor that the customer has enrolled: ${usable.join(' or ')}`
      : 'the customer has no factor that authorizes payments: verify the phone number or enrol another factor';
  const message = authentication.numberNeedsProof
    ? `${wanted}; a text message ${NUMBER_NEEDS_PROOF}`
    : wanted;
  return invalidFields([{ field: 'scaFactor', constraint: { enum: usable }, message }]);
}

async function isTrustedDestination(tx: ReadTx, destination: DestinationOfMoney): Promise<boolean> {
  if (destination.kind !== 'EXTERNAL') return destination.kind === 'OWN';
  return (await findTrusted(tx, destination.accountId)) === true;
}

/** The destination of a stored quote's money. */
export function destinationOf({
  destination,
  details,
}: Pick<TransactionRow, 'destination' | 'details'>): DestinationOfMoney {
  if (destination.kind === 'UMA') return { kind: 'OTHERS' };
  if (destination.kind === 'EXTERNAL') return { kind: 'EXTERNAL', accountId: destination.account };
  return { kind: details.receiver === undefined ? 'OWN' : 'OTHERS' };
}

/** A challenge for a payment: the row to store, and its presentation. */
export interface PaymentChallenge {
  readonly draft: DraftChallenge;
  readonly by: Date;
  readonly shown: ScaChallenge;
}

/**
 * customers.md §7.10: a real-time quote must be authorized before it expires. Any other keeps its rate until the
 * deadline.
 */
export function draftPaymentChallenge(
  tx: ReadTx,
  row: TransactionRow,
  { authentication, factor }: RequiredFactor,
  label: string = firstLabel(row),
): PaymentChallenge {
  const latest = tx.now.getTime() + CHALLENGE_LIFE_MS;
  const fundedBy = row.source.kind === 'REALTIME' ? row.expires_at : null;
  const by = new Date(Math.min(latest, fundedBy?.getTime() ?? latest));
  const draft = draftChallenge(tx, authentication, {
    customerId: authentication.customerId,
    purpose: 'PAYMENT',
    target: row.id,
    factor,
    expiresAt: by,
    label,
    about: aboutPayment(tx, row),
  });
  return { draft, by, shown: showPaymentChallenge(draft.challenge, authentication) };
}

export function showPaymentChallenge(
  challenge: DraftChallenge['challenge'],
  authentication: Authentication,
): ScaChallenge {
  return presentChallenge(challenge, authentication);
}

type Label = 'TRANSFER' | 'PAYOUT' | 'CURRENCY_CONVERSION';

function firstLabel(row: TransactionRow): Label {
  if (!isCrossCurrency(row)) return 'TRANSFER';
  return row.source.kind === 'REALTIME' ? 'CURRENCY_CONVERSION' : 'PAYOUT';
}

/** The label of the next challenge; undefined if this one was the last. */
export function nextLabel(label: string | null): Label | undefined {
  return label === 'CURRENCY_CONVERSION' ? 'PAYOUT' : undefined;
}

/** A customer who receives a code must be able to read the amount and the payee that it authorizes. */
function aboutPayment(tx: ReadTx, row: TransactionRow): string {
  const amount = showAmount(row.sending_amount, row.sending_currency, tx.platform.ownCurrencies);
  return `to pay ${amount} ${receiverText(openPrivate(tx.vault, row), row)}`;
}

function receiverText(facts: Private, { destination }: TransactionRow): string {
  if (destination.kind === 'UMA') return `to ${destinationAddress(destination, facts)}`;
  const identifier = facts.destination?.identifier;
  return identifier === undefined
    ? 'to another account of the service'
    : `to the account ending in ${identifier.slice(-4)}`;
}
