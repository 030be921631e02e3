import { CARD_ELIGIBLE_CURRENCIES, type CardLimits } from '#capabilities/cards/card-row.ts';
import type { CardCreateRequest, CardsQuery, CardUpdateRequest } from '#capabilities/cards/schemas.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** Reads requests about cards, in today's names and in the older ones (cards.md §0.1). */

interface Renamed {
  readonly today: string;
  readonly older: string;
}

/** The value under either name; both with different values are a problem. */
function readRenamed<T>(
  one: T | undefined,
  other: T | undefined,
  names: Renamed,
  problems: FieldError[],
): T | undefined {
  if (one !== undefined && other !== undefined && one !== other) {
    problems.push({
      field: names.older,
      message: `is the older name of ${names.today}, and differs from it`,
    });
  }
  return one ?? other;
}

const CUSTOMER: Renamed = { today: 'customerId', older: 'cardholderId' };
const SOURCE: Renamed = { today: 'fundingSource', older: 'fundingSources' };
const STATUS: Renamed = { today: 'status', older: 'state' };

interface Sources {
  readonly fundingSource?: string;
  readonly fundingSources?: string[];
}

/** The account that pays, under either name. The older name holds a list, of which only the first element is read. */
function readSource(body: Sources, problems: FieldError[]): string | undefined {
  const first = firstSource(body);
  if (typeof first === 'string' && parseId('InternalAccount', first, 'full') === undefined) {
    problems.push({ field: 'fundingSources.0', message: 'does not have the expected form' });
  }
  return readRenamed(body.fundingSource, first, SOURCE, problems);
}

function firstSource({ fundingSources }: Sources): string | undefined {
  return Array.isArray(fundingSources) ? fundingSources[0] : undefined;
}

export interface ParsedCard extends CardLimits {
  readonly customerId: CustomerId;
  readonly fundingSource: string;
  readonly platformCardId: string | undefined;
}

/** Refuses all bad fields at once (cards.md §1.13, §1.14). `problems` are the schema's findings. */
export function readNewCard(body: CardCreateRequest, problems: readonly FieldError[]): ParsedCard {
  const found: FieldError[] = [];
  const customerId = readRenamed(body.customerId, body.cardholderId, CUSTOMER, found);
  const fundingSource = readSource(body, found);
  const errors = [...problems.filter((problem) => !isUnderOlderName(body, problem)), ...found];
  if (errors.length > 0 || fundingSource === undefined) throw invalidFields(errors);
  if (body.threeDSecurePassword !== undefined) {
    throw invalidFields([
      { field: 'threeDSecurePassword', message: 'is not used: the program has no static passwords' },
    ]);
  }
  return {
    customerId: (customerId && parseId('Customer', customerId)) || NIL_ID,
    fundingSource,
    platformCardId: body.platformCardId,
    max_spend_per_transaction: amountOf(body.maxSpendPerTransaction),
    max_spend_per_day: amountOf(body.maxSpendPerDay),
    max_transactions_per_day: amountOf(body.maxTransactionsPerDay),
  };
}

/** Whether a field that the schema misses was sent under its older name. */
function isUnderOlderName(body: CardCreateRequest, { field }: FieldError): boolean {
  if (field === CUSTOMER.today) return body.customerId === undefined && body.cardholderId !== undefined;
  return field === SOURCE.today && body.fundingSource === undefined && body.fundingSources?.[0] !== undefined;
}

function amountOf(value: number | null | undefined): bigint | null {
  return value == null ? null : BigInt(value);
}

/** The requested changes of a card. */
export interface ParsedUpdate {
  readonly status: 'ACTIVE' | 'FROZEN' | 'CLOSED' | undefined;
  readonly fundingSource: string | undefined;
  readonly limits: Partial<CardLimits>;
}

/** cards.md §3.11 and §3.12. `found` are the schema's findings. */
export function readUpdate(body: CardUpdateRequest, found: readonly FieldError[]): ParsedUpdate {
  const problems = [...found];
  const status = readRenamed(body.status, body.state, STATUS, problems);
  const fundingSource = readSource(body, problems);
  if (body.fundingSources?.length === 0) {
    problems.push({ field: 'fundingSources', message: 'must name an account' });
  }
  const limits = problems.length > 0 ? {} : readLimits(body);
  const hasMore = fundingSource !== undefined || Object.keys(limits).length > 0;
  if (problems.length === 0 && status === undefined && !hasMore) {
    problems.push({
      field: 'status',
      message: 'is missing, and so is every other change: send a status, a fundingSource or a limit',
    });
  }
  if (status === 'CLOSED' && hasMore) {
    problems.push({ field: 'status', message: 'CLOSED must be sent without other changes' });
  }
  if (problems.length > 0) throw invalidFields(problems);
  return { status, fundingSource, limits };
}

/** The notes for the audit log on why a card was frozen or closed (cards.md §3.3). */
export function readNotes({ substatus, reason }: CardUpdateRequest): Readonly<Record<string, string>> {
  return { ...(substatus !== undefined && { substatus }), ...(reason !== undefined && { reason }) };
}

function readLimits(body: CardUpdateRequest): Partial<CardLimits> {
  return {
    ...(body.maxSpendPerTransaction !== undefined && {
      max_spend_per_transaction: amountOf(body.maxSpendPerTransaction),
    }),
    ...(body.maxSpendPerDay !== undefined && { max_spend_per_day: amountOf(body.maxSpendPerDay) }),
    ...(body.maxTransactionsPerDay !== undefined && {
      max_transactions_per_day: amountOf(body.maxTransactionsPerDay),
    }),
  };
}

/** The filters of a list, under today's names. */
export function readFilters(query: CardsQuery) {
  const problems: FieldError[] = [];
  const customerId = readRenamed(query.customerId, query.cardholderId, CUSTOMER, problems);
  const status = readRenamed(query.status, query.state, STATUS, problems);
  if (problems.length > 0) throw invalidFields(problems);
  const { accountId, platformCardId, sortOrder: order = 'desc' } = query;
  return { customerId, status, accountId, platformCardId, order };
}

/** cards.md §1.17. */
export function fundingIneligible(why: string): Refusal {
  const refusal = invalidFields([{ field: 'fundingSource', message: why }]);
  return new Refusal(refusal.code, refusal.message, {
    ...refusal.details,
    cause: 'FUNDING_SOURCE_INELIGIBLE',
  });
}

/** Checks whether an account can pay for this customer's cards. */
export function checkFunding(
  account: { readonly customer_id: CustomerId | null; readonly status: string; readonly currency: string },
  customerId: CustomerId,
): Refusal | undefined {
  if (account.customer_id !== customerId) return fundingIneligible('is not an account of the cardholder');
  if (account.status !== 'ACTIVE') return fundingIneligible(`is ${account.status}, and must be ACTIVE`);
  if (CARD_ELIGIBLE_CURRENCIES.includes(account.currency)) return undefined;
  return fundingIneligible(
    `is in ${account.currency}, and must be in ${CARD_ELIGIBLE_CURRENCIES.join(' or ')}`,
  );
}
