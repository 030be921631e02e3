-- When a mint or burn reached each of its statuses, for its explanation (operator.md §8.1a). Older operations have
-- none.
alter table stablecoin_operations add column steps jsonb not null default '{}';

-- The card's limits and its use of them on that day, with which an authorization was compared (cards.md §6.6.5). The
-- limits may change later. Null: the card had no limits, nothing was compared, or the row is older.
alter table card_transactions add column limits jsonb;
