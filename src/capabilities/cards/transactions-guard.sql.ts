import { CARD_TRANSACTION_STATUSES, DECLINED_REASONS } from '#capabilities/card-transactions/schemas.ts';
import { type Condition, guardFunction } from '#foundation/database/guards.ts';

const among = (names: readonly string[]) => `in (${names.map((name) => `'${name}'`).join(', ')})`;

const CONDITIONS: readonly Condition[] = [
  ['card_transactions_direction', `new.direction in ('DEBIT', 'CREDIT')`],
  ['card_transactions_kind', `new.kind in ('PURCHASE', 'CREDIT', 'RETURN', 'RETURN_REVERSAL', 'INQUIRY')`],
  ['card_transactions_status', `new.status ${among(CARD_TRANSACTION_STATUSES)}`],
  [
    'card_transactions_declined',
    `(new.status = 'DECLINED') = (new.declined_reason is not null)
      and (new.declined_reason is null or new.declined_reason ${among(DECLINED_REASONS)})
      and (new.status <> 'DECLINED'
           or (new.hold = 0 and new.receivable = 0 and new.settled_amount is null and new.entries = 0))`,
  ],
  [
    'card_transactions_amounts',
    `new.authorized_amount >= 0 and new.returned between 0 and coalesce(new.settled_amount, 0)
      and coalesce(new.settled_amount, 0) >= 0`,
  ],
  [
    'card_transactions_hold',
    `new.hold = 0
      or (new.hold > 0 and new.direction = 'DEBIT' and new.status in ('AUTHORIZED', 'PARTIALLY_SETTLED'))`,
  ],
  [
    'card_transactions_sealed_or_clear',
    `new.details is null or num_nonnulls(new.platform_customer_id, new.merchant) = 0`,
  ],
  ['card_transactions_receivable', `new.receivable = 0 or (new.receivable > 0 and new.status = 'EXCEPTION')`],
];

export default `${guardFunction({
  table: 'card_transactions',
  name: 'card_transactions_guard',
  conditions: CONDITIONS,
})}
create or replace trigger card_transactions_sound before insert or update on card_transactions
  for each row execute function card_transactions_guard();
`;
