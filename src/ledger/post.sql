-- Posts a set of entries, judged in the order given, each with its own verdict; a refused entry leaves nothing
-- and does not disturb the others. The number of statements does not depend on the size of the set.
--
-- Entries are the first group of arrays, one element each; they may belong to several platforms. Lines are the
-- second group: entry_nos says which entry a line belongs to, counted from 1 and ascending; amounts are above
-- zero for a debit, below for a credit. In an entry, lines of one currency are side by side, and on one account
-- what adds comes before what takes. carried_nos and carried_balances hold the running number and the balance
-- that an account of a transaction's own (INFLIGHT, REFUND_PAYABLE) had before this call, zeros for a new one;
-- the caller has locked the row that they come from. Lines of one call go on from each other.
--
-- Entries of one number in groups, side by side, stand or fall together: where one is refused all of them are, with
-- its verdict and its line. An entry without a number is by itself.
--
-- Verdicts: posted; replayed (the step was taken before, or what the entry reverses is reversed already);
-- unbalanced; unknown_account, insufficient and out_of_range, with the line in refused_lines. seqs is 0 for an
-- entry that was not posted. account_nos and balances follow the lines given: what a posted line made of its
-- account, null where it has no balance.
--
-- What somebody else does at the same moment ends in a serialization failure: tried again, it is replayed.
create or replace function ledger_post(
  platform_ids uuid[], ids uuid[], kinds text[], transaction_ids uuid[], ordinals integer[], reverses bigint[],
  created_ats timestamptz[], recorded timestamptz,
  entry_nos integer[], accounts text[], currencies text[], amounts bigint[], carried_nos bigint[],
  carried_balances bigint[], groups integer[],
  out verdicts text[], out refused_lines integer[], out seqs bigint[], out account_nos bigint[], out balances bigint[]
) language plpgsql
-- Planning anew for each set would cost more than the set, and a plan made while the tables were small must
-- serve when they are large.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  entry_count constant integer := cardinality(ids);
  -- Roll-ups rely on it: whoever draws from ledger_seq has a transaction number already.
  xid constant xid8 := pg_current_xact_id();
  -- By line. A key is an account's number within this call, last_nos its running number after the call.
  keys integer[];
  effects bigint[];
  is_summed boolean[];
  prior_nos bigint[];
  prior_balances bigint[];
  last_nos bigint[];
  -- By entry.
  taken boolean[];
  step_firsts integer[];
  all_sound boolean;
  all_new boolean;
  written integer;
begin
  -- The join visits the accounts in the order of its left side, so everybody locks in one order. What becomes of
  -- the accounts is told as if all entries stood, as they nearly always do.
  select array_agg(w.key order by w.n), array_agg(w.effect order by w.n), array_agg(w.is_summed order by w.n),
         array_agg(w.prior_no order by w.n), array_agg(w.prior_balance order by w.n),
         array_agg(w.account_no order by w.n), array_agg(w.balance order by w.n), array_agg(w.last_no order by w.n),
         count(distinct w.entry_no) = entry_count and bool_and(
           (w.net = 0 and w.amount <> 0 and abs(w.amount) <= ledger_amount_max() and w.currency <> ''
             and (w.is_summed or w.balance is not null)) is true)
    into keys, effects, is_summed, prior_nos, prior_balances, account_nos, balances, last_nos, all_sound
    from (
      select h.*, sum(h.amount) over (partition by h.entry_no, h.currency) as net,
             case when not h.is_summed then h.prior_no + row_number() over own end as account_no,
             case when not h.is_summed
                   and h.prior_balance + sum(coalesce(h.effect, -h.amount)) over own between 0 and ledger_balance_max()
               then (h.prior_balance + sum(coalesce(h.effect, -h.amount)) over own)::bigint end as balance,
             h.prior_no + count(*) over (partition by h.key) as last_no
        from (
          select l.n, l.entry_no, l.currency, l.amount, l.effect, l.is_summed, l.key,
                 case when l.effect is null then l.carried_no else b.last_no end as prior_no,
                 case when l.effect is null then l.carried_balance else b.balance end as prior_balance
            from (
              select g.*, ledger_effect(g.account, g.amount) as effect,
                     split_part(g.account, ':', 1) in ('FEES', 'FX', 'RAIL', 'SUSPENSE')
                       and split_part(g.account, ':', -1) = g.currency as is_summed,
                     dense_rank() over (order by g.platform_id, g.currency collate "C", g.account collate "C") as key
                from (
                  select u.*, platform_ids[u.entry_no] as platform_id
                    from unnest(entry_nos, accounts, currencies, amounts, carried_nos, carried_balances)
                         with ordinality
                         as u (entry_no, account, currency, amount, carried_no, carried_balance, n)) g
               order by g.platform_id, g.currency collate "C", g.account collate "C") l
            left join lateral (
              select h.last_no, h.balance
                from ledger_balances h
               where l.effect is not null
                 and h.platform_id = l.platform_id and h.account = l.account and h.currency = l.currency
                 for no key update) b on true) h
      window own as (partition by h.key order by h.n)) w;

  -- A statement of its own, so that it sees what was committed while the locks were awaited.
  select array_agg(s.step_first order by s.n), array_agg(s.taken order by s.n),
         bool_and(s.step_first = s.n and not s.taken)
    into step_firsts, taken, all_new
    from (
      select e.n, e.step_first, (
               select o.seq from ledger_entries o
                where o.platform_id = e.platform_id and o.transaction_id = e.transaction_id and o.step = e.step
             ) is not null or (
               select o.seq from ledger_entries o
                where o.platform_id = e.platform_id and o.reverses_seq = e.reversed
             ) is not null as taken
        from (
          select u.platform_id, u.transaction_id, u.reversed, u.n, ledger_step(u.kind, u.ordinal) as step,
                 min(u.n) over (partition by u.platform_id, coalesce(u.transaction_id, u.id),
                                             ledger_step(u.kind, u.ordinal))::integer as step_first
            from unnest(platform_ids, ids, transaction_ids, kinds, ordinals, reverses) with ordinality
                 as u (platform_id, id, transaction_id, kind, ordinal, reversed, n)) e) s;

  if all_sound and all_new then
    verdicts := array_fill('posted'::text, array[entry_count]);
    refused_lines := array_fill(null::integer, array[entry_count]);
    seqs := array(select nextval('ledger_seq') from generate_series(1, entry_count));
  else
    select j.* into verdicts, refused_lines, seqs, account_nos, balances, last_nos
      from ledger_judge(entry_count, entry_nos, currencies, amounts, groups, taken, step_firsts, keys, effects,
                        is_summed, prior_nos, prior_balances) j;
  end if;

  insert into ledger_entries
    (platform_id, seq, id, transaction_id, reverses_seq, created_at, recorded_at, ordinal, kind, step,
     accounts, currencies, amounts, account_nos, balances)
  select e.platform_id, e.seq, e.id, e.transaction_id, e.reversed, e.created_at, recorded, e.ordinal, e.kind,
         ledger_step(e.kind, e.ordinal), l.accounts, l.currencies, l.amounts, l.account_nos, l.balances
    from unnest(platform_ids, seqs, ids, transaction_ids, reverses, created_ats, ordinals, kinds) with ordinality
         as e (platform_id, seq, id, transaction_id, reversed, created_at, ordinal, kind, n)
    join (
      select u.entry_no, array_agg(u.account) as accounts, array_agg(u.currency) as currencies,
             array_agg(u.amount) as amounts, array_agg(u.account_no) as account_nos,
             array_agg(u.balance) as balances
        from (
          select * from unnest(entry_nos, accounts, currencies, amounts, account_nos, balances) with ordinality
                   as g (entry_no, account, currency, amount, account_no, balance, n)
           order by g.entry_no, g.n) u
       group by u.entry_no) l on l.entry_no = e.n
   where e.seq > 0
   order by e.seq
      on conflict do nothing;
  get diagnostics written = row_count;
  if written < cardinality(array_remove(seqs, 0)) then
    raise exception 'a ledger step was taken by somebody else' using errcode = 'serialization_failure';
  end if;

  update ledger_balances b
     set balance = l.balance, last_no = l.account_no, updated_at = created_ats[l.entry_no]
    from unnest(entry_nos, accounts, currencies, account_nos, balances, last_nos, effects)
         as l (entry_no, account, currency, account_no, balance, last_no, effect)
   where l.effect is not null and l.account_no = l.last_no
     and b.platform_id = platform_ids[l.entry_no] and b.account = l.account and b.currency = l.currency;
end $$;

-- Judges the entries of ledger_post one by one, where not all of them can stand. The arrays are its own.
create or replace function ledger_judge(
  entry_count integer, entry_nos integer[], currencies text[], amounts bigint[], groups integer[], taken boolean[],
  step_firsts integer[], keys integer[], effects bigint[], is_summed boolean[], prior_nos bigint[],
  prior_balances bigint[],
  out verdicts text[], out refused_lines integer[], out seqs bigint[], out account_nos bigint[],
  out balances bigint[], out last_nos bigint[]
) language plpgsql as $$
declare
  line_count constant integer := cardinality(entry_nos);
  -- By key: what the call has made of the account so far, null before its first line.
  key_nos bigint[] := array_fill(null::bigint, array[line_count]);
  key_balances bigint[] := array_fill(null::bigint, array[line_count]);
  -- By entry.
  step_posted boolean[] := array_fill(false, array[entry_count]);
  firsts integer[] := array_fill(0, array[entry_count]);
  entry integer := 0;
  earliest integer;
  key integer;
  net numeric;
  verdict text;
begin
  verdicts := array_fill('unbalanced'::text, array[entry_count]);
  refused_lines := array_fill(null::integer, array[entry_count]);
  seqs := array_fill(0::bigint, array[entry_count]);
  account_nos := array_fill(null::bigint, array[line_count]);
  balances := array_fill(null::bigint, array[line_count]);

  for i in 1 .. line_count loop
    if entry_nos[i] <> entry then
      entry := entry_nos[i];
      firsts[entry] := i;
      net := 0;
      verdict := case when groups[entry] = groups[entry - 1] and verdicts[entry - 1] <> 'posted' then verdicts[entry - 1]
                      when taken[entry] or step_posted[step_firsts[entry]] then 'replayed'
                      else 'posted' end;
    end if;

    net := net + amounts[i];
    if verdict <> 'replayed' and (amounts[i] <> 0 and currencies[i] <> ''
         and (net = 0 or entry_nos[i + 1] = entry and currencies[i + 1] = currencies[i])) is not true then
      verdict := 'unbalanced';
    end if;

    if verdict = 'posted' then
      if abs(amounts[i]) > ledger_amount_max() then
        verdict := 'out_of_range';
      elsif is_summed[i] is not true then
        key := keys[i];
        if key_nos[key] is null then
          key_nos[key] := prior_nos[i];
          key_balances[key] := prior_balances[i];
        end if;
        if key_nos[key] is null then
          verdict := 'unknown_account';
        else
          key_nos[key] := key_nos[key] + 1;
          key_balances[key] := key_balances[key] + coalesce(effects[i], -amounts[i]);
          account_nos[i] := key_nos[key];
          balances[i] := key_balances[key];
          if balances[i] not between 0 and ledger_balance_max() then
            verdict := case when balances[i] < 0 then 'insufficient' else 'out_of_range' end;
          end if;
        end if;
      end if;
      refused_lines[entry] := case when verdict <> 'posted' then i end;
    end if;

    if entry_nos[i + 1] is distinct from entry then
      verdicts[entry] := verdict;
      if verdict = 'posted' then
        seqs[entry] := nextval('ledger_seq');
        step_posted[step_firsts[entry]] := true;
      else
        if verdict = 'unbalanced' then
          refused_lines[entry] := null;
        end if;
        earliest := entry;
        while groups[earliest - 1] = groups[entry] loop
          earliest := earliest - 1;
          if verdicts[earliest] = 'posted' then
            verdicts[earliest] := verdict;
            refused_lines[earliest] := refused_lines[entry];
            seqs[earliest] := 0;
            step_posted[step_firsts[earliest]] := false;
          end if;
        end loop;
        for k in firsts[earliest] .. i loop
          if account_nos[k] is not null then
            key_nos[keys[k]] := key_nos[keys[k]] - 1;
            key_balances[keys[k]] := key_balances[keys[k]] - coalesce(effects[k], -amounts[k]);
            account_nos[k] := null;
            balances[k] := null;
          end if;
        end loop;
      end if;
    end if;
  end loop;
  last_nos := array(select key_nos[k.key] from unnest(keys) with ordinality as k (key, n) order by k.n);
end $$;

-- The ceilings of 0002_ledger.sql; the table and its guard hold them too.
create or replace function ledger_balance_max() returns bigint immutable parallel safe language sql
return 1000000000000000000;
create or replace function ledger_amount_max() returns bigint immutable parallel safe language sql
return 100000000000000000;
