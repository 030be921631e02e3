-- Items of work that an operator has taken (operator.md §6.5). An item is no row of its own: its kind, its platform and
-- its key name it. The nil id stands for the installation. All times are real time.
create table work_takes (
  id uuid primary key,
  kind text not null,
  platform_id uuid not null,
  key text not null,
  -- The public id of the waiting resource, or its name.
  subject text not null,
  operator uuid not null references operators,
  taken_at timestamptz(3) not null,
  -- What the operator writes for others.
  note bytea,
  changed_at timestamptz(3) not null check (changed_at >= taken_at),
  unique (kind, platform_id, key)
);
comment on column work_takes.note is
  'sealed: work_takes.note:{id}; person: (customer_of_resource(t.platform_id, t.subject))';
create index work_takes_of_subject on work_takes (platform_id, subject);
create index work_takes_by_age on work_takes (changed_at);
