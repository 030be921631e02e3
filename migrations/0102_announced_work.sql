-- Which items of work were mailed to the operators whose work they are (operator.md §6.6). An item that no longer waits
-- loses its row, so that it is new when it waits again. The nil id stands for the installation.
create table work_announced (
  kind text not null,
  platform_id uuid not null,
  key text not null,
  primary key (kind, platform_id, key)
);

-- When new items were last looked for, in real time: one row, so that one process does it.
create table work_rounds (
  id boolean primary key default true check (id),
  last_at timestamptz(3)
);
insert into work_rounds default values;
