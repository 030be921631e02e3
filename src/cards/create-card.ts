import { findAccounts } from '#accounts/store.ts';
import { CARD_CURRENCY, CARDS, type CardRow } from '#cards/card-row.ts';
import { isPlatformCardIdUsed, takeCardPlace } from '#cards/card-store.ts';
import { ISSUE_CARD } from '#cards/issue-card.ts';
import { presentCard } from '#cards/present.ts';
import { checkFunding, fundingIneligible, type ParsedCard } from '#cards/read-request.ts';
import type { Card } from '#cards/schemas.ts';
import {
  type CustomerRow,
  customerNotFound,
  findLiveCustomer,
  lockCustomersAgainstDeletion,
} from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { schedule } from '#jobs/schedule.ts';
import { parseId, publicId } from '#lib/ids.ts';
import { notFound, refuse, refuseIf } from '#lib/refusals.ts';

/** A.1, row 2: for every call about cards. */
export function requireCards(tx: ReadTx): void {
  if (tx.ports.cards.isConnected && tx.platform.settings.cards.enabled) return;
  refuse('NOT_IMPLEMENTED', 'Cards are not available for this platform.');
}

/** Asks for a card: the checks of A.1 in their order, and a place among the live cards. The issuer is asked after the commit. */
export async function createCard(tx: Tx, request: ParsedCard): Promise<Card> {
  const customer = await loadCardholder(tx, request.customerId);
  await requireFunding(tx, request.fundingSource, customer.id);
  const platformCardId = request.platformCardId ?? tx.newId();
  if (await isPlatformCardIdUsed(tx, platformCardId)) {
    refuse('CONFLICT', 'Another card has this platformCardId.', { platformCardId });
  }
  await takePlaces(tx, customer.id);
  const card = newCard(tx, request, customer.id, platformCardId);
  tx.collect(CARDS.writer, { from: undefined, row: card });
  const payload = { id: card.id, isNamed: request.platformCardId !== undefined };
  schedule(tx, { kind: ISSUE_CARD, key: card.id, payload, afterMs: 0 });
  return presentCard(card);
}

/** Kept from being deleted until the card is there. */
async function loadCardholder(tx: Tx, customerId: string | undefined): Promise<CustomerRow> {
  const customer = customerId === undefined ? undefined : await findLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  if (customer.status !== 'APPROVED') {
    refuse('CARDHOLDER_KYC_NOT_APPROVED', `The cardholder is ${customer.status}, and must be APPROVED.`, {
      customerId: publicId('Customer', customer.id),
    });
  }
  const gone = await lockCustomersAgainstDeletion(tx, [customer.id]);
  if (gone.length > 0) throw customerNotFound();
  return customer;
}

/** The account that pays (A.1, row 7); returns its bare UUID. */
export async function requireFunding(tx: ReadTx, sent: string, customerId: string): Promise<string> {
  if (tx.ports.cards.refusesFunding(sent)) throw fundingIneligible('is not accepted by the issuer');
  const id = parseId('InternalAccount', sent);
  const [account] = id === undefined ? [] : await findAccounts(tx, [id]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'Account');
  refuseIf(checkFunding(account, customerId));
  return account.id;
}

/** A.1.2. */
async function takePlaces(tx: Tx, customerId: string): Promise<void> {
  const { liveMax, liveMaxPerCardholder: ofHolder } = tx.platform.settings.cards;
  if (!(await takeCardPlace(tx, tx.platformId, liveMax))) {
    refuse('CARD_LIMIT_REACHED', `The platform has as many open cards as it may have: ${liveMax}.`, {
      liveMax,
    });
  }
  if (!(await takeCardPlace(tx, customerId, ofHolder ?? Number.MAX_SAFE_INTEGER))) {
    refuse('CARD_LIMIT_REACHED', `The cardholder has as many open cards as one may have: ${ofHolder}.`, {
      liveMaxPerCardholder: ofHolder,
    });
  }
}

function newCard(tx: Tx, request: ParsedCard, customerId: string, platformCardId: string): CardRow {
  const { max_spend_per_transaction, max_spend_per_day, max_transactions_per_day } = request;
  return {
    platform_id: tx.platformId,
    id: tx.newId(),
    version: 1n,
    customer_id: customerId,
    platform_card_id: platformCardId,
    form: 'VIRTUAL',
    currency: CARD_CURRENCY,
    created_at: tx.now,
    status: 'PROCESSING',
    status_reason: null,
    funding_source: parseId('InternalAccount', request.fundingSource) ?? '',
    binding_id: tx.newId(),
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
  };
}
