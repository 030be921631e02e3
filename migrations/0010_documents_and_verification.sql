-- Content outside the database (uploaded files), beneficial owners, documents and verifications
-- (customers.md §4, §5).

-- One row for each object in the storage, written before its first byte: nothing stored can be forgotten.
create table contents (
  platform_id uuid not null references platforms,
  -- Its name in the storage, too.
  id uuid not null,
  -- INCOMING until a row that refers to it commits; DISCARDED until the object is gone.
  state text not null check (state in ('INCOMING', 'STORED', 'DISCARDED')),
  -- What the object is sealed with. Without it a discarded object cannot be read, wherever copies of it lie.
  key bytea,
  bytes bigint check (bytes >= 0),
  -- Real time.
  begun_at timestamptz not null,
  primary key (platform_id, id),
  check ((state = 'DISCARDED') = (key is null)),
  check (state <> 'STORED' or bytes is not null)
);
comment on column contents.key is 'sealed: contents.key:{id}';
create index contents_incoming on contents (platform_id, begun_at) where state = 'INCOMING';

create table beneficial_owners (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  roles text[] not null check (cardinality(roles) > 0),
  ownership_percentage smallint not null check (ownership_percentage between 0 and 100),
  -- The contract's `personalInfo` without its identification number.
  personal_info jsonb not null,
  identifier bytea,
  status text not null check (status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the customer was deleted: the owner is unknown from then on.
  withdrawn_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  constraint beneficial_owners_no_clear_numbers check (not (personal_info ? 'identifier'))
);
comment on column beneficial_owners.identifier is 'sealed: beneficial_owners.identifier:{id}';
create index beneficial_owners_newest on beneficial_owners (platform_id, customer_id, created_at desc, id desc);

create table verifications (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  status text not null
    check (status in ('RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW', 'APPROVED', 'REJECTED')),
  errors jsonb not null check (jsonb_typeof(errors) = 'array'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
);
-- At most one is open for a customer; a resubmission judges that one again (customers.md §4.2.2).
create unique index verifications_open on verifications (platform_id, customer_id)
  where status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW');
create index verifications_newest on verifications (platform_id, created_at desc, id desc)
  where withdrawn_at is null;
create index verifications_by_customer on verifications (platform_id, customer_id, created_at desc, id desc);
create index verifications_by_status on verifications (platform_id, status, created_at desc, id desc)
  where withdrawn_at is null;

create table documents (
  platform_id uuid not null references platforms,
  id uuid not null,
  -- Whose packet it belongs to; an owner's document belongs to the packet of the business.
  customer_id uuid not null,
  owner_id uuid,
  holder_id uuid not null generated always as (coalesce(owner_id, customer_id)) stored,
  document_type text collate "C" not null,
  -- Null stands for both.
  side text check (side in ('FRONT', 'BACK')),
  country text not null,
  document_number bytea,
  issuing_authority text,
  file_name text not null,
  media_type text not null,
  content_id uuid not null,
  -- The open verification that holds it.
  verification_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers,
  foreign key (platform_id, owner_id) references beneficial_owners,
  foreign key (platform_id, content_id) references contents,
  foreign key (platform_id, verification_id) references verifications
);
comment on column documents.document_number is 'sealed: documents.document_number:{id}';
-- One document per holder, type and side (customers.md §5.3); an unsided one is in both indexes, so it collides with
-- either.
create unique index documents_front on documents (platform_id, holder_id, document_type)
  where side is distinct from 'BACK';
create unique index documents_back on documents (platform_id, holder_id, document_type)
  where side is distinct from 'FRONT';
create index documents_newest on documents (platform_id, created_at desc, id desc) where withdrawn_at is null;
create index documents_by_holder on documents (platform_id, holder_id, created_at desc, id desc);
create index documents_by_customer on documents (platform_id, customer_id);
create index documents_by_owner on documents (platform_id, owner_id) where owner_id is not null;
create unique index documents_content on documents (platform_id, content_id);
create index documents_held on documents (platform_id, verification_id) where verification_id is not null;
