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
  -- By line: whether it says what becomes of a guarded account.
  is_final boolean[];
  entry integer := 0;
  net numeric := 0;
  is_sound boolean := true;
  can_stand boolean;
  is_new boolean;
  written integer;
begin
  for i in 1 .. cardinality(entry_nos) loop
    net := net + amounts[i];
    is_sound := is_sound and entry_nos[i] - entry <= 1
      and (net = 0 or (entry_nos[i + 1] = entry_nos[i] and currencies[i + 1] = currencies[i]));
    entry := entry_nos[i];
  end loop;

  -- The join visits the accounts in the order of its left side, so everybody locks in one order. What becomes of
  -- the accounts is told as if all entries stood, as they nearly always do.
  select array_agg(w.account_no order by w.n), array_agg(w.balance order by w.n), array_agg(w.is_final order by w.n),
         bool_and((w.amount <> 0 and abs(w.amount) <= ledger_amount_max() and w.currency <> ''
                   and (w.is_summed or w.balance is not null)) is true)
    into account_nos, balances, is_final, can_stand
    from (
      select h.n, h.currency, h.amount, h.is_summed,
             case when not h.is_summed then h.prior_no + row_number() over own end as account_no,
             case when not h.is_summed
                   and h.prior_balance + sum(coalesce(h.effect, -h.amount)) over own between 0 and ledger_balance_max()
               then (h.prior_balance + sum(coalesce(h.effect, -h.amount)) over own)::bigint end as balance,
             h.effect is not null and lead(h.n) over own is null as is_final
        from (
          select l.*, case when l.effect is null then l.carried_no else b.last_no end as prior_no,
                 case when l.effect is null then l.carried_balance else b.balance end as prior_balance
            from (
              select u.*, platform_ids[u.entry_no] as platform_id, u.currency collate "C" as currency_key,
                     u.account collate "C" as account_key, ledger_effect(u.account, u.amount) as effect,
                     split_part(u.account, ':', 1) in ('FEES', 'FX', 'RAIL', 'SUSPENSE')
                       and split_part(u.account, ':', -1) = u.currency as is_summed
                from unnest(entry_nos, accounts, currencies, amounts, carried_nos, carried_balances)
                     with ordinality as u (entry_no, account, currency, amount, carried_no, carried_balance, n)
               order by platform_id, currency_key, account_key, u.n) l
            left join lateral (
              select g.last_no, g.balance
                from ledger_balances g
               where l.effect is not null
                 and g.platform_id = l.platform_id and g.account = l.account and g.currency = l.currency
                 for no key update) b on true) h
      window own as (partition by h.platform_id, h.currency_key, h.account_key order by h.n)) w;

  -- A statement of its own, so that it sees what was committed while the locks were awaited.
  select bool_and((
           select o.step from ledger_entries o
            where o.platform_id = e.platform_id and o.transaction_id = e.transaction_id and o.step = e.step) is null
           and (
           select o.reverses_seq from ledger_entries o
            where o.platform_id = e.platform_id and o.reverses_seq = e.reversed) is null)
         and count(distinct coalesce(e.transaction_id, e.id)::text || e.step) = entry_count,
         array_agg(nextval('ledger_seq'))
    into is_new, seqs
    from (
      select u.*, ledger_step(u.kind, u.ordinal) as step
        from unnest(platform_ids, ids, transaction_ids, kinds, ordinals, reverses)
             as u (platform_id, id, transaction_id, kind, ordinal, reversed)
      -- Keeps the step a plain value: with its expression in the look-up a plan made for the empty table would walk
      -- all of a platform's entries.
      offset 0) e;

  if is_sound and entry = entry_count and can_stand and is_new then
    verdicts := array_fill('posted'::text, array[entry_count]);
    refused_lines := array_fill(null::integer, array[entry_count]);
  else
    select j.* into verdicts, refused_lines, seqs, account_nos, balances, is_final
      from ledger_judge(platform_ids, ids, kinds, transaction_ids, ordinals, reverses, entry_nos, accounts, currencies,
                        amounts, carried_nos, carried_balances, groups) j;
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
    from unnest(entry_nos, accounts, currencies, account_nos, balances, is_final)
         as l (entry_no, account, currency, account_no, balance, is_final)
   where l.is_final
     and b.platform_id = platform_ids[l.entry_no] and b.account = l.account and b.currency = l.currency;
end $$;

-- Judges the entries of ledger_post one by one, where not all of them can stand; it holds their accounts.
create or replace function ledger_judge(
  platform_ids uuid[], ids uuid[], kinds text[], transaction_ids uuid[], ordinals integer[], reverses bigint[],
  entry_nos integer[], accounts text[], currencies text[], amounts bigint[], carried_nos bigint[],
  carried_balances bigint[], groups integer[],
  out verdicts text[], out refused_lines integer[], out seqs bigint[], out account_nos bigint[],
  out balances bigint[], out is_final boolean[]
) language plpgsql
-- As ledger_post; and no plan may walk the accounts of all others for a few.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  entry_count constant integer := cardinality(ids);
  line_count constant integer := cardinality(entry_nos);
  -- By line. A key is an account's number within this call.
  keys integer[];
  effects bigint[];
  is_summed boolean[];
  prior_nos bigint[];
  prior_balances bigint[];
  -- By key: what the call has made of the account so far, null before its first line.
  key_nos bigint[] := array_fill(null::bigint, array[line_count]);
  key_balances bigint[] := array_fill(null::bigint, array[line_count]);
  -- By entry: whether it was taken before this call; the first of the call that takes the same step, and the first
  -- that reverses the same. By such a first: whether one of them stands.
  taken boolean[];
  step_firsts integer[];
  step_posted boolean[] := array_fill(false, array[entry_count]);
  reversal_firsts integer[];
  reversal_posted boolean[] := array_fill(false, array[entry_count]);
  firsts integer[] := array_fill(0, array[entry_count]);
  entry integer := 0;
  earliest integer;
  key integer;
  net numeric;
  verdict text;
begin
  select array_agg(l.key order by l.n), array_agg(l.effect order by l.n), array_agg(l.is_summed order by l.n),
         array_agg(case when l.effect is null then l.carried_no else b.last_no end order by l.n),
         array_agg(case when l.effect is null then l.carried_balance else b.balance end order by l.n)
    into keys, effects, is_summed, prior_nos, prior_balances
    from (
      select u.*, platform_ids[u.entry_no] as platform_id, ledger_effect(u.account, u.amount) as effect,
             split_part(u.account, ':', 1) in ('FEES', 'FX', 'RAIL', 'SUSPENSE')
               and split_part(u.account, ':', -1) = u.currency as is_summed,
             dense_rank() over (order by platform_ids[u.entry_no], u.currency, u.account) as key
        from unnest(entry_nos, accounts, currencies, amounts, carried_nos, carried_balances) with ordinality
             as u (entry_no, account, currency, amount, carried_no, carried_balance, n)) l
    left join ledger_balances b
      on l.effect is not null and b.platform_id = l.platform_id and b.account = l.account and b.currency = l.currency;

  select array_agg(e.step_first order by e.n), array_agg(e.reversal_first order by e.n),
         array_agg((
           select o.seq from ledger_entries o
            where o.platform_id = e.platform_id and o.transaction_id = e.transaction_id and o.step = e.step) is not null
           or (
           select o.seq from ledger_entries o
            where o.platform_id = e.platform_id and o.reverses_seq = e.reversed) is not null order by e.n)
    into step_firsts, reversal_firsts, taken
    from (
      select u.platform_id, u.transaction_id, u.reversed, u.n, ledger_step(u.kind, u.ordinal) as step,
             min(u.n) over (partition by u.platform_id, coalesce(u.transaction_id, u.id),
                                         ledger_step(u.kind, u.ordinal))::integer as step_first,
             -- Few entries reverse anything, and no two platforms have an entry of the same number.
             case when u.reversed is null then u.n else array_position(reverses, u.reversed) end::integer
               as reversal_first
        from unnest(platform_ids, ids, transaction_ids, kinds, ordinals, reverses) with ordinality
             as u (platform_id, id, transaction_id, kind, ordinal, reversed, n)) e;

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
                      when taken[entry] or step_posted[step_firsts[entry]]
                        or reversal_posted[reversal_firsts[entry]] then 'replayed'
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
        reversal_posted[reversal_firsts[entry]] := true;
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
            reversal_posted[reversal_firsts[earliest]] := false;
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
  is_final := array(
    select k.effect is not null and k.account_no = key_nos[k.key]
      from unnest(keys, effects, account_nos) with ordinality as k (key, effect, account_no, n) order by k.n);
end $$;

-- The ceilings of 0002_ledger.sql; the table and its guard hold them too.
create or replace function ledger_balance_max() returns bigint immutable parallel safe language sql
return 1000000000000000000;
create or replace function ledger_amount_max() returns bigint immutable parallel safe language sql
return 100000000000000000;
