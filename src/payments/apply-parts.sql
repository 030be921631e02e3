-- Parts of apply_transitions, whose arrays they take.

-- Holds the customers of rows that are born and those that money is set going for, so that none of them is deleted
-- before the commit; gives the steps that would begin something for one that is gone.
create or replace function payment_customers_hold(
  platform_ids uuid[], customer_steps integer[], customer_ids uuid[], must_live boolean[]
) returns setof integer language plpgsql as $$
begin
  return query
    with held as materialized (
      select wanted.platform_id, wanted.id, customer.deleted_at
        from (
          select distinct platform_ids[s.step] as platform_id, s.id
            from unnest(customer_steps, customer_ids) as s (step, id)
           order by 1, 2) wanted
       cross join lateral (
          select c.deleted_at from customers c where c.platform_id = wanted.platform_id and c.id = wanted.id
             for key share) customer)
    select s.step
      from unnest(customer_steps, customer_ids, must_live) as s (step, id, must_live)
      join held on held.platform_id = platform_ids[s.step] and held.id = s.id
     where s.must_live and held.deleted_at is not null;
end $$;

-- Holds internal accounts as they are; gives the steps for which one is closed, or frozen where it must move money.
create or replace function payment_internals_hold(
  platform_ids uuid[], held_steps integer[], held_accounts uuid[], must_move boolean[]
) returns setof integer language plpgsql as $$
begin
  return query
    with held as materialized (
      select wanted.platform_id, wanted.id, account.status
        from (
          select distinct platform_ids[s.step] as platform_id, s.id
            from unnest(held_steps, held_accounts) as s (step, id)
           order by 1, 2) wanted
       cross join lateral (
          select i.status from internal_accounts i where i.platform_id = wanted.platform_id and i.id = wanted.id
             for share) account)
    select s.step
      from unnest(held_steps, held_accounts, must_move) as s (step, id, must_move)
      join held on held.platform_id = platform_ids[s.step] and held.id = s.id
     where held.status = 'CLOSED' or (s.must_move and held.status <> 'ACTIVE');
end $$;

-- Claims the keys of the steps that stand, in one order; `key` is the verdict of one that somebody else has. A key
-- is kept with the reply it stands for, and lives for a day.
create or replace function payment_keys_claim(
  platform_ids uuid[], nows timestamptz[], key_scopes text[], keys text[], key_hashes bytea[],
  key_statuses smallint[], key_replies bytea[], inout verdicts text[], inout ok boolean[]
) language plpgsql as $$
declare
  item record;
begin
  for item in
    with wanted as (
      select s.*, row_number() over (partition by s.platform_id, s.scope, s.key order by s.n) as nth
        from unnest(platform_ids, key_scopes, keys, key_hashes, key_statuses, key_replies, nows) with ordinality
             as s (platform_id, scope, key, hash, status, reply, now, n)
       where s.key is not null and ok[s.n]),
    mine as (
      insert into idempotency_keys as k (platform_id, scope, key, body_hash, status, reply, created_at)
      select w.platform_id, w.scope, w.key, w.hash, w.status, w.reply, w.now
        from wanted w
       where w.nth = 1
       order by w.platform_id, w.scope, w.key
          on conflict (platform_id, scope, key) do update
         set body_hash = excluded.body_hash, status = excluded.status, reply = excluded.reply,
             created_at = excluded.created_at
       where k.created_at + idempotency_key_life() <= excluded.created_at
      returning platform_id, scope, key)
    select w.n
      from wanted w
     where w.nth > 1
        or not exists (select from mine m
                        where m.platform_id = w.platform_id and m.scope = w.scope and m.key = w.key)
  loop
    verdicts[item.n] := 'key';
    ok[item.n] := false;
  end loop;
end $$;

-- Holds every ledger account of the lines, in the order in which ledger_post does; with any of an internal
-- account's three its AVAIL too, so that balances told in events belong together.
create or replace function payment_accounts_lock(
  entry_platforms uuid[], line_entries integer[], accounts text[], currencies text[], amounts bigint[]
) returns void language plpgsql as $$
begin
  perform
    from (
      select distinct l.platform_id, l.currency collate "C" as currency, l.account collate "C" as account
        from (
          select entry_platforms[g.entry_no] as platform_id, g.account, g.currency
            from unnest(line_entries, accounts, currencies, amounts) as g (entry_no, account, currency, amount)
           where ledger_effect(g.account, g.amount) is not null
          union all
          select entry_platforms[g.entry_no], 'AVAIL:' || split_part(g.account, ':', 2), g.currency
            from unnest(line_entries, accounts, currencies) as g (entry_no, account, currency)
           where split_part(g.account, ':', 1) in ('HOLD', 'PENDING_IN')) l
       order by 1, 2, 3) wanted
   cross join lateral (
      select from ledger_balances b
       where b.platform_id = wanted.platform_id and b.account = wanted.account and b.currency = wanted.currency
         for no key update) held;
end $$;

-- Posts the entries of the steps that stand. A step stands only with all of its entries.
-- line_balances: what each line given made of its account.
create or replace function payment_entries_post(
  inout verdicts text[], inout refused_accounts text[], inout ok boolean[],
  entry_steps integer[], entry_platforms uuid[], entry_ids uuid[], entry_kinds text[], entry_transactions uuid[],
  reversed_kinds text[], entry_nows timestamptz[],
  line_entries integer[], accounts text[], currencies text[], amounts bigint[], carried_nos bigint[],
  carried_balances bigint[],
  recorded timestamptz,
  out line_balances bigint[]
) language plpgsql as $$
declare
  entry_count constant integer := cardinality(entry_ids);
  reverses bigint[] := array_fill(null::bigint, array[entry_count]);
  -- Which of the entries given are posted; what the nth of them becomes.
  kept integer[] := '{}';
  places integer[] := array_fill(0, array[entry_count]);
  posted record;
  place integer := 0;
begin
  for i in 1 .. entry_count loop
    if ok[entry_steps[i]] then
      kept := kept || i;
      places[i] := cardinality(kept);
      if reversed_kinds[i] is not null then
        reverses[i] := (
          select e.seq from ledger_entries e
           where e.platform_id = entry_platforms[i] and e.transaction_id = entry_transactions[i]
             and e.step = ledger_step(reversed_kinds[i], 0));
      end if;
    end if;
  end loop;
  line_balances := array_fill(null::bigint, array[cardinality(line_entries)]);
  if kept = '{}' then
    return;
  end if;

  if cardinality(kept) = entry_count then
    posted := ledger_post(
      entry_platforms, entry_ids, entry_kinds, entry_transactions, array_fill(0, array[entry_count]), reverses,
      entry_nows, recorded, line_entries, accounts, currencies, amounts, carried_nos, carried_balances, entry_steps);
    line_balances := posted.balances;
  else
    select p.* into posted
      from (
        select array_agg(entry_platforms[k.i] order by k.n) as platform_ids, array_agg(entry_ids[k.i] order by k.n) as ids,
               array_agg(entry_kinds[k.i] order by k.n) as kinds,
               array_agg(entry_transactions[k.i] order by k.n) as transaction_ids,
               array_agg(0 order by k.n) as ordinals, array_agg(reverses[k.i] order by k.n) as reverses,
               array_agg(entry_nows[k.i] order by k.n) as created_ats, array_agg(entry_steps[k.i] order by k.n) as steps
          from unnest(kept) with ordinality as k (i, n)) e
     cross join (
        select array_agg(places[g.entry_no] order by g.n) as entry_nos, array_agg(g.account order by g.n) as accounts,
               array_agg(g.currency order by g.n) as currencies, array_agg(g.amount order by g.n) as amounts,
               array_agg(g.carried_no order by g.n) as carried_nos,
               array_agg(g.carried_balance order by g.n) as carried_balances
          from unnest(line_entries, accounts, currencies, amounts, carried_nos, carried_balances) with ordinality
               as g (entry_no, account, currency, amount, carried_no, carried_balance, n)
         where places[g.entry_no] > 0) l
     cross join lateral ledger_post(
       e.platform_ids, e.ids, e.kinds, e.transaction_ids, e.ordinals, e.reverses, e.created_ats, recorded,
       l.entry_nos, l.accounts, l.currencies, l.amounts, l.carried_nos, l.carried_balances, e.steps) p;
    for i in 1 .. cardinality(line_entries) loop
      if places[line_entries[i]] > 0 then
        place := place + 1;
        line_balances[i] := posted.balances[place];
      end if;
    end loop;
  end if;
  if 'posted' = all (posted.verdicts) then
    return;
  end if;

  -- The first entry that was refused says why.
  for k in reverse cardinality(kept) .. 1 loop
    if posted.verdicts[k] <> 'posted' then
      ok[entry_steps[kept[k]]] := false;
      verdicts[entry_steps[kept[k]]] := posted.verdicts[k];
      refused_accounts[entry_steps[kept[k]]] := (
        select g.account from unnest(accounts, line_entries) with ordinality as g (account, entry_no, n)
         where places[g.entry_no] > 0 order by g.n offset posted.refused_lines[k] - 1 limit 1);
    end if;
  end loop;
end $$;

-- New transactions: those of steps, and the mirrors that steps bring.
create or replace function payment_rows_insert(
  step_rows jsonb, from_versions bigint[], mirror_rows jsonb, mirror_steps integer[], ok boolean[]
) returns void language plpgsql as $$
begin
  insert into transactions
    (platform_id, id, version, type, kind, customer_id, agent_id, quote_id, expires_at, locked_side, source_type,
     source_account, source_uma, destination_type, destination_account, destination_uma, sending_currency,
     sending_amount, receiving_currency, receiving_amount, service_fee, platform_fee, fee_account, reference,
     details, private, created_at, status, failure_reason, pending_reason, executed_at, taken_at, settled_at,
     confirmed_at, funding_hash, payout_hash, refund_status, refund_reason, refund_reference, refund_amount,
     refund_account, refund_initiated_at, refund_settled_at, updated_at, inflight_sent, inflight_sent_no,
     inflight_received, inflight_received_no, refund_payable, refund_payable_no)
  select r.platform_id, r.id, r.version, r.type, r.kind, r.customer_id, r.agent_id, r.quote_id, r.expires_at,
         r.locked_side, r.source_type, r.source_account, r.source_uma, r.destination_type, r.destination_account,
         r.destination_uma, r.sending_currency, r.sending_amount, r.receiving_currency, r.receiving_amount,
         r.service_fee, r.platform_fee, r.fee_account, r.reference, r.details, r.private, r.created_at, r.status,
         r.failure_reason, r.pending_reason, r.executed_at, r.taken_at, r.settled_at, r.confirmed_at,
         r.funding_hash, r.payout_hash, r.refund_status, r.refund_reason, r.refund_reference, r.refund_amount,
         r.refund_account, r.refund_initiated_at, r.refund_settled_at, r.updated_at, r.inflight_sent,
         r.inflight_sent_no, r.inflight_received, r.inflight_received_no, r.refund_payable, r.refund_payable_no
    from (
      select n.*, ok[n.ordinality] and from_versions[n.ordinality] is null as is_wanted
        from jsonb_populate_recordset(null::transactions, step_rows) with ordinality as n
      union all
      select m.*, ok[mirror_steps[m.ordinality]]
        from jsonb_populate_recordset(null::transactions, mirror_rows) with ordinality as m) r
   where r.is_wanted;
end $$;
