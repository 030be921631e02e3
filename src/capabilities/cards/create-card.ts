import { lockAccountStatus } from '#capabilities/accounts/post-entry.ts';
import { findVisibleAccount } from '#capabilities/accounts/store.ts';
import {
  CARD_CURRENCY,
  CARDS,
  type CardLimits,
  type CardRow,
  FIRST_CARD_STATUS,
} from '#capabilities/cards/card-row.ts';
import { isPlatformCardIdUsed, takeCardPlace } from '#capabilities/cards/card-store.ts';
import { ISSUE_CARD } from '#capabilities/cards/issue-card.ts';
import { presentCard } from '#capabilities/cards/present.ts';
import { checkFunding, fundingIneligible, type ParsedCard } from '#capabilities/cards/read-request.ts';
import type { Card } from '#capabilities/cards/schemas.ts';
import { sealCard } from '#capabilities/cards/sealed-card.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import {
  customerNotFound,
  findLiveCustomer,
  lockCustomersAgainstDeletion,
} from '#capabilities/customers/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { NIL_ID, parseId, publicId } from '#foundation/lib/ids.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { notFound, Refusal, refuse, refuseIf } from '#foundation/lib/refusals.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** cards.md §1.12: for every call about cards. */
export function checkCardsAvailable({ settings }: Platform, { cards }: Ports): Refusal | undefined {
  if (cards.isConnected && settings.cards.enabled) return undefined;
  return new Refusal('NOT_IMPLEMENTED', 'Cards are not available for this platform.');
}

/**
 * Runs the checks of cards.md §1 in their order, and takes a place among the live cards. The issuer is asked after the
 * commit.
 */
export async function createCard(tx: Tx, request: ParsedCard): Promise<Card> {
  const customer = await loadCardholder(tx, request.customerId);
  const source = await requireFunding(tx, request.fundingSource, customer.id);
  const platformCardId = request.platformCardId ?? tx.newId();
  // Taken before the look-up of the id: from here on, parallel creates of the platform wait for each other.
  const full = await takePlaces(tx, customer.id);
  if (await isPlatformCardIdUsed(tx, platformCardId)) {
    refuse('CONFLICT', 'Another card has this platformCardId.', { platformCardId });
  }
  refuseIf(full);
  const card = newCard(tx, request, { customerId: customer.id, source, platformCardId });
  tx.collect(CARDS.writer, { from: undefined, row: sealCard(tx.vault, card) });
  const payload = { id: card.id, isNamed: request.platformCardId !== undefined };
  schedule(tx, { kind: ISSUE_CARD, key: card.id, payload, afterMs: 0 });
  return presentCard(card);
}

/** Prevents the customer's deletion until the card is committed. */
async function loadCardholder(tx: Tx, customerId: CustomerId): Promise<CustomerRow> {
  const customer = await findLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  if (customer.status !== 'APPROVED') {
    refuse('CARDHOLDER_KYC_NOT_APPROVED', `The cardholder is ${customer.status} and must be APPROVED.`, {
      customerId: publicId('Customer', customer.id),
    });
  }
  const gone = await lockCustomersAgainstDeletion(tx, [customer.id]);
  if (gone.length > 0) throw customerNotFound();
  return customer;
}

/**
 * Checks the account that pays (cards.md §1.17) and returns its bare UUID. Its status cannot change until the commit.
 */
export async function requireFunding(tx: Tx, sent: string, customerId: CustomerId): Promise<AccountId> {
  if (tx.ports.cards.refusesFunding(sent)) throw fundingIneligible('is not accepted by the issuer');
  const account = await findVisibleAccount(tx, parseId('InternalAccount', sent) ?? NIL_ID);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'Account');
  refuseIf(checkFunding(account, customerId));
  lockAccountStatus(tx, account.id, 'active');
  return account.id;
}

/** cards.md §1.2: returns a refusal if the platform or the cardholder has no place left. */
async function takePlaces(tx: Tx, customerId: CustomerId): Promise<Refusal | undefined> {
  const { liveMax, liveMaxPerCardholder: ofHolder } = tx.platform.settings.cards;
  if ((await takeCardPlace(tx, tx.platformId)) > liveMax) {
    return limitReached(`The platform has reached its limit of ${liveMax} open cards.`, { liveMax });
  }
  if ((await takeCardPlace(tx, customerId)) > (ofHolder ?? Number.POSITIVE_INFINITY)) {
    return limitReached(`The cardholder has reached the limit of ${ofHolder} open cards.`, {
      liveMaxPerCardholder: ofHolder,
    });
  }
  return undefined;
}

function limitReached(message: string, details: Record<string, unknown>): Refusal {
  return new Refusal('CARD_LIMIT_REACHED', message, details);
}

interface CardTerms {
  readonly customerId: CustomerId;
  /** The account that pays; bare UUID. */
  readonly source: AccountId;
  readonly platformCardId: string;
}

function newCard(tx: Tx, limits: CardLimits, { customerId, source, platformCardId }: CardTerms): CardRow {
  const { max_spend_per_transaction, max_spend_per_day, max_transactions_per_day } = limits;
  return {
    platform_id: tx.platformId,
    id: tx.newId('Card'),
    version: 1n,
    customer_id: customerId,
    platform_card_id: platformCardId,
    form: 'VIRTUAL',
    currency: CARD_CURRENCY,
    created_at: tx.now,
    status: FIRST_CARD_STATUS,
    status_reason: null,
    funding_source: source,
    binding_id: tx.newId<'CardFundingSource'>(),
    max_spend_per_transaction,
    max_spend_per_day,
    max_transactions_per_day,
    brand: null,
    last4: null,
    exp_month: null,
    exp_year: null,
    pan: null,
    pan_hash: null,
    processor_ref: null,
    issuer_ref: null,
    activated_at: null,
    updated_at: tx.now,
    is_erased: false,
  };
}
