-- Bulk import of customers from a CSV file (customers.md §2.5).

create table customer_imports (
  platform_id uuid not null references platforms,
  id uuid not null,
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  -- The sealed file, for as long as it is needed.
  content_id uuid,
  -- Which known column stands where; null until the file was looked through. Never anything of the file itself.
  columns jsonb,
  -- Rows in the file.
  total integer not null default 0 check (total >= 0),
  -- Where in the file the next row begins. It moves in the commit that does the rows before it.
  position bigint not null default 0 check (position >= 0),
  successful integer not null default 0 check (successful >= 0),
  failed integer not null default 0 check (failed >= 0),
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, content_id) references contents,
  check ((status in ('COMPLETED', 'FAILED')) = (completed_at is not null)),
  check ((completed_at is null) = (content_id is not null)),
  check (successful + failed <= total)
);
create unique index customer_imports_content on customer_imports (platform_id, content_id)
  where content_id is not null;

-- What was wrong with a row; the values themselves are not repeated. Row 0 is the header.
create table customer_import_errors (
  platform_id uuid not null references platforms,
  import_id uuid not null,
  row_number integer not null check (row_number >= 0),
  correlation_id text not null,
  code text not null,
  message text not null,
  details jsonb,
  primary key (platform_id, import_id, row_number),
  foreign key (platform_id, import_id) references customer_imports
);
