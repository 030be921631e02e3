-- Codes by which a cardholder adds a card to a phone: of each card the last one (A.10.3).

create table card_tokenizations (
  platform_id uuid not null references platforms,
  card_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('EMAIL', 'SMS')),
  code_hash bytea not null,
  -- Until its message has been sent.
  code bytea,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  wrong_tries integer not null default 0,
  used_at timestamptz,
  -- How many were issued on the UTC day of this one, itself included.
  issued_that_day integer not null check (issued_that_day >= 1),
  primary key (platform_id, card_id),
  foreign key (platform_id, card_id) references cards
);
comment on column card_tokenizations.code is 'sealed: card_tokenizations.code:{id}';
create index card_tokenizations_by_expiry on card_tokenizations (platform_id, expires_at);
