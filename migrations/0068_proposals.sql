-- Proposals of operators (operator.md §5): an operation that waits until a second operator approves it. All times are
-- real time. No foreign key to platforms: the nil id stands for the installation.
create table proposals (
  platform_id uuid not null,
  id uuid not null,
  version bigint not null,
  operation text not null,
  -- The public id of the resource that the operation is about; null: it creates one.
  resource text,
  -- The keyed hash of what the operation is about: only one proposal for it may be undecided.
  subject_hash bytea not null,
  -- A customer whom the content names.
  customer_id uuid,
  -- The operator who proposed it, or for whom it was proposed at the command line.
  maker uuid not null,
  -- As the audit log names the actor: the maker, or an account at the command line.
  made_by text not null,
  -- The complete input, the preview and the reason.
  content bytea not null,
  -- SHA-256 of the canonical JSON of id, operation, input and preview: what a checker signs.
  hash bytea not null check (octet_length(hash) = 32),
  status text not null
    check (status in ('UNCLAIMED', 'PENDING', 'APPROVED', 'FAILED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  decided_at timestamptz,
  decided_by text,
  -- The second operator. Nobody approves what they have proposed themselves.
  checker uuid constraint proposals_second_operator check (checker <> maker),
  -- What the checker's passkey signed.
  proof jsonb,
  -- Approved at the command line, without a second operator.
  is_break_glass boolean not null default false,
  -- The reply of the operation, or its refusal, or the reason of a rejection.
  outcome bytea,
  -- The part of the reply that contains a secret, until the maker has seen it.
  secret bytea,
  secret_until timestamptz,
  primary key (platform_id, id),
  check ((status in ('UNCLAIMED', 'PENDING')) = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null)),
  check (status not in ('APPROVED', 'FAILED') or (checker is not null) <> is_break_glass),
  check (status not in ('APPROVED', 'FAILED') or decided_at < expires_at),
  check (status <> 'EXPIRED' or decided_at >= expires_at),
  check (status in ('APPROVED', 'FAILED') or not is_break_glass and proof is null),
  check ((secret_until is not null) >= (secret is not null))
);
comment on column proposals.content is 'sealed: proposals.content:{id}; person: customer_id';
comment on column proposals.outcome is 'sealed: proposals.outcome:{id}; person: customer_id';
comment on column proposals.secret is 'sealed: proposals.secret:{id}; person: customer_id';

create unique index proposals_undecided on proposals (platform_id, operation, subject_hash)
  where status in ('UNCLAIMED', 'PENDING');
-- Global: an id leads to its platform, and operators list over all platforms.
create unique index proposals_by_id on proposals (id);
create index proposals_listed on proposals (created_at desc, id desc);
create index proposals_open on proposals (created_at desc, id desc) where status in ('UNCLAIMED', 'PENDING');
create index proposals_of_maker on proposals (maker, created_at desc, id desc);
create index proposals_of_resource on proposals (platform_id, resource, created_at desc, id desc);

-- Refuses every change of a proposal that is no transition of operator.md §5.6. A decided proposal never changes, but
-- its sealed values may be sealed with another key, and its secret is removed.
create function guard_proposals() returns trigger language plpgsql as $$
begin
  if (new.platform_id, new.id, new.operation, new.resource, new.subject_hash, new.customer_id, new.maker, new.made_by,
      new.hash, new.created_at, new.expires_at)
     is distinct from
     (old.platform_id, old.id, old.operation, old.resource, old.subject_hash, old.customer_id, old.maker, old.made_by,
      old.hash, old.created_at, old.expires_at) then
    raise exception 'what proposal % is about cannot change', old.id using errcode = 'restrict_violation';
  end if;
  if old.status not in ('UNCLAIMED', 'PENDING') and
     (new.version, new.status, new.updated_at, new.decided_at, new.decided_by, new.checker, new.proof,
      new.is_break_glass, new.secret_until)
     is distinct from
     (old.version, old.status, old.updated_at, old.decided_at, old.decided_by, old.checker, old.proof,
      old.is_break_glass, old.secret_until) then
    raise exception 'proposal % is decided', old.id using errcode = 'restrict_violation';
  end if;
  if old.status = 'PENDING' and new.status = 'UNCLAIMED'
     or old.status = 'UNCLAIMED' and new.status in ('APPROVED', 'FAILED') and not new.is_break_glass then
    raise exception 'proposal % cannot go from % to %', old.id, old.status, new.status
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger proposals_guarded before update on proposals for each row execute function guard_proposals();
create trigger proposals_kept before delete on proposals for each row execute function refuse_removal();

-- Settings of the whole installation: one row.
create table installation_settings (
  id boolean primary key default true check (id),
  -- Whether a second operator has to approve. Null: from the moment that two operators were active.
  operator_approvals text check (operator_approvals in ('off', 'required')),
  -- The amounts above which one operator needs a second one in a day, in the smallest unit, by currency.
  operator_approval_above jsonb not null default '{}' check (jsonb_typeof(operator_approval_above) = 'object')
);
insert into installation_settings default values;
