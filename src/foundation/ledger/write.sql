-- Posts a set of entries, all or none. The caller has summed the movement of each account (post.ts): this function
-- moves the balances, checks them against their limits, and writes the entries with the resulting numbers and balances.
--
-- a_…             each account that has a balance row, once, in lock order: the set's total effect on it, its number of
--                 lines, the lowest and the highest point on the way
-- e_…             the entries in order, their lines as array literals
-- nos, balances   one element for each line: given for carried accounts, null for summed ones; e_firsts and e_lasts
--                 mark the elements of each entry
-- g_…             the lines of the accounts in a_…, and the difference of each from the account's last state
--
-- Raises `replayed` (the step was already posted, or the entry to reverse is already reversed), `unknown_account`,
-- `insufficient` and `out_of_range` with the account, or `stale`.
create or replace function ledger_write(
  a_platforms uuid[], a_accounts text[], a_currencies text[], a_totals bigint[], a_lines bigint[], a_lows bigint[],
  a_highs bigint[], a_nows timestamptz[],
  e_platforms uuid[], e_ids uuid[], e_kinds text[], e_ordinals integer[], e_transactions uuid[],
  e_reversed_seqs bigint[], e_reversed_steps text[], e_nows timestamptz[],
  e_accounts text[], e_currencies text[], e_amounts text[], e_firsts integer[], e_lasts integer[],
  nos bigint[], balances bigint[],
  g_lines integer[], g_accounts integer[], g_nos_behind bigint[], g_balances_behind bigint[],
  recorded timestamptz
) returns void language plpgsql as $$
declare
  moved integer[];
  after_nos bigint[];
  after_balances bigint[];
begin
  if a_accounts <> '{}' then
    with held as (
      update ledger_balances b
         set balance = b.balance + a.total, last_no = b.last_no + a.lines,
             updated_at = case when a.lines > 0 then a.now else b.updated_at end
        from unnest(a_platforms, a_accounts, a_currencies, a_totals, a_lines, a_lows, a_highs, a_nows) with ordinality
             as a (platform_id, account, currency, total, lines, low, high, now, n)
       where b.platform_id = a.platform_id and b.account = a.account and b.currency = a.currency
         and b.balance + a.low >= 0 and b.balance + a.high <= 1000000000000000000
      returning a.n, b.balance, b.last_no)
    select array_agg(h.n order by h.n), array_agg(h.balance order by h.n), array_agg(h.last_no order by h.n)
      into moved, after_balances, after_nos
      from held h;
    if cardinality(moved) is distinct from cardinality(a_accounts) then
      perform ledger_refuse(a_platforms, a_accounts, a_currencies, a_lows, a_highs, coalesce(moved, '{}'), e_platforms,
                            e_transactions, e_kinds, e_ordinals, e_reversed_seqs, e_reversed_steps);
    end if;
    for i in 1 .. cardinality(g_lines) loop
      nos[g_lines[i]] := after_nos[g_accounts[i]] - g_nos_behind[i];
      balances[g_lines[i]] := after_balances[g_accounts[i]] - g_balances_behind[i];
    end loop;
  else
    -- Roll-ups rely on this: a transaction that draws from ledger_seq already has a transaction number.
    perform pg_current_xact_id();
  end if;

  insert into ledger_entries
    (platform_id, seq, id, transaction_id, reverses_seq, created_at, recorded_at, ordinal, kind, step,
     accounts, currencies, amounts, account_nos, balances)
  select e.platform_id, nextval('ledger_seq'), e.id, e.transaction_id,
         case when e.reversed_step is null then e.reversed_seq
              else ledger_seq_of(e.platform_id, e.transaction_id, e.reversed_step) end,
         e.now, recorded, e.ordinal, e.kind, ledger_step(e.kind, e.ordinal),
         e.accounts::text[], e.currencies::text[], e.amounts::bigint[], nos[e.first:e.last], balances[e.first:e.last]
    from unnest(e_platforms, e_ids, e_kinds, e_ordinals, e_transactions, e_reversed_seqs, e_reversed_steps, e_nows,
                e_accounts, e_currencies, e_amounts, e_firsts, e_lasts)
         as e (platform_id, id, kind, ordinal, transaction_id, reversed_seq, reversed_step, now,
               accounts, currencies, amounts, first, last);
end $$;

-- Posts one entry, as ledger_write does: for a few entries that lock their accounts in order, one by one costs less.
--
-- effects         one element for each line of an account that has a balance row: its effect; null for other lines
-- nos, balances   as above
-- held_…          accounts with a balance row on which the entry has no line but which must not change
create or replace function ledger_post(
  its_platform uuid, its_id uuid, its_kind text, its_ordinal integer, its_step text, its_transaction uuid,
  reversed_seq bigint, reversed_step text, its_time timestamptz, recorded timestamptz, its_accounts text[],
  its_currencies text[], its_amounts bigint[], effects bigint[], nos bigint[], balances bigint[],
  held_accounts text[], held_currencies text[]
) returns void language plpgsql as $$
declare
  after_balance bigint;
  after_no bigint;
  -- Roll-ups rely on this: a transaction that draws from ledger_seq already has a transaction number.
  xid constant xid8 := pg_current_xact_id();
begin
  for i in 1 .. cardinality(effects) loop
    continue when effects[i] is null;
    update ledger_balances b
       set balance = b.balance + effects[i], last_no = b.last_no + 1, updated_at = its_time
     where b.platform_id = its_platform and b.account = its_accounts[i] and b.currency = its_currencies[i]
       and b.balance + effects[i] between 0 and 1000000000000000000
    returning b.balance, b.last_no into after_balance, after_no;
    if not found then
      perform ledger_refuse(array[its_platform], its_accounts[i:i], its_currencies[i:i], effects[i:i], effects[i:i],
                            '{}', array[its_platform], array[its_transaction], array[its_kind], array[its_ordinal],
                            array[reversed_seq], array[reversed_step]);
    end if;
    balances[i] := after_balance;
    nos[i] := after_no;
  end loop;
  for i in 1 .. cardinality(held_accounts) loop
    perform from ledger_balances b
      where b.platform_id = its_platform and b.account = held_accounts[i] and b.currency = held_currencies[i]
        for no key update;
    if not found then
      perform ledger_refuse(array[its_platform], held_accounts[i:i], held_currencies[i:i], array[0::bigint],
                            array[0::bigint], '{}', array[its_platform], array[its_transaction], array[its_kind],
                            array[its_ordinal], array[reversed_seq], array[reversed_step]);
    end if;
  end loop;
  insert into ledger_entries
    (platform_id, seq, id, transaction_id, reverses_seq, created_at, recorded_at, ordinal, kind, step,
     accounts, currencies, amounts, account_nos, balances)
  values (its_platform, nextval('ledger_seq'), its_id, its_transaction,
          case when reversed_step is null then reversed_seq
               else ledger_seq_of(its_platform, its_transaction, reversed_step) end,
          its_time, recorded, its_ordinal, its_kind, its_step,
          its_accounts, its_currencies, its_amounts, nos, balances);
end $$;

-- Finds the entry of a transaction that a later entry reverses.
create or replace function ledger_seq_of(platform uuid, in_transaction uuid, of_step text) returns bigint
language plpgsql stable as $$
declare
  found_seq bigint;
begin
  select e.seq into found_seq from ledger_entries e
   where e.platform_id = platform and e.transaction_id = in_transaction and e.step = of_step;
  if not found then
    raise exception 'transaction % has not posted step %', in_transaction, of_step;
  end if;
  return found_seq;
end $$;

-- Raises the reason why ledger_write failed: not every account could be moved. If the movement would be possible by
-- now, because money arrived or left in between, the reason is `stale`.
create or replace function ledger_refuse(
  a_platforms uuid[], a_accounts text[], a_currencies text[], a_lows bigint[], a_highs bigint[], moved integer[],
  e_platforms uuid[], e_transactions uuid[], e_kinds text[], e_ordinals integer[], e_reversed_seqs bigint[],
  e_reversed_steps text[]
) returns void language plpgsql as $$
begin
  -- A replay is reported first, whatever else is wrong.
  perform refuse_commit('replayed')
    from unnest(e_platforms, e_transactions, e_kinds, e_ordinals, e_reversed_seqs, e_reversed_steps)
         as e (platform_id, transaction_id, kind, ordinal, reversed_seq, reversed_step)
   where exists (
           select from ledger_entries o
            where o.platform_id = e.platform_id and o.transaction_id = e.transaction_id
              and o.step = ledger_step(e.kind, e.ordinal))
      or exists (select from ledger_entries o where o.platform_id = e.platform_id and o.reverses_seq = e.reversed_seq)
      or exists (
           select from ledger_entries o
             join ledger_entries r on r.platform_id = o.platform_id and r.reverses_seq = o.seq
            where o.platform_id = e.platform_id and o.transaction_id = e.transaction_id and o.step = e.reversed_step);
  perform refuse_commit(
           case when b.balance is null then 'unknown_account'
                when b.balance + a.low < 0 then 'insufficient'
                when b.balance + a.high > 1000000000000000000 then 'out_of_range'
                else 'stale' end,
           jsonb_build_object('account', a.account, 'currency', a.currency,
                              'subject', a.platform_id || ' ' || a.account || ' ' || a.currency))
    from unnest(a_platforms, a_accounts, a_currencies, a_lows, a_highs) with ordinality
         as a (platform_id, account, currency, low, high, n)
    left join ledger_balances b
      on b.platform_id = a.platform_id and b.account = a.account and b.currency = a.currency
   where a.n <> all (moved)
   order by a.n
   limit 1;
end $$;
