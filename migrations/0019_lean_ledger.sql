-- The guard of 0002 with less to prepare for each posting, and with what a foreign key did: an entry takes back one
-- that stands. Entries are never removed, so nothing else of the key was needed, and no posting pays for it.
create or replace function ledger_guard() returns trigger language plpgsql as $$
declare
  line_count constant integer := cardinality(new.amounts);
  net bigint := 0;
  sound boolean := line_count > 1
    and line_count = cardinality(new.accounts) and line_count = cardinality(new.currencies)
    and line_count = cardinality(new.account_nos) and line_count = cardinality(new.balances)
    and new.kind <> '' and new.ordinal >= 0 and new.step = ledger_step(new.kind, new.ordinal);
begin
  for i in 1 .. line_count loop
    net := net + new.amounts[i];
    sound := sound and abs(new.amounts[i]) between 1 and 100000000000000000
      and (net = 0 or new.currencies[i] = new.currencies[i + 1])
      and case when new.account_nos[i] is null
            then new.balances[i] is null
             and split_part(new.accounts[i], ':', 1) = any ('{FEES,FX,RAIL,SUSPENSE}')
             and split_part(new.accounts[i], ':', -1) = new.currencies[i]
            else new.account_nos[i] > 0 and new.balances[i] >= 0
             and split_part(new.accounts[i], ':', 1)
                   = any ('{AVAIL,INFLIGHT,HOLD,PENDING_IN,RECEIVABLE,REFUND_PAYABLE}')
          end;
  end loop;
  if new.reverses_seq is not null then
    sound := sound and exists (
      select from ledger_entries e where e.platform_id = new.platform_id and e.seq = new.reverses_seq);
  end if;
  if sound is not true then
    raise exception 'ledger entry % of platform % is not sound', new.seq, new.platform_id
      using errcode = 'check_violation', table = 'ledger_entries', constraint = 'ledger_entries_sound';
  end if;
  return new;
end $$;
alter table ledger_entries drop constraint ledger_entries_platform_id_reverses_seq_fkey;
