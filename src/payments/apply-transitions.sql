-- Applies a set of steps, each to one transaction of any platform, in the order given and each with its own
-- verdict; a step that is refused leaves nothing and disturbs no other. The number of statements does not depend
-- on the size of the set. Locks are taken in one order: transactions by id, idempotency keys, ledger accounts,
-- volume counters.
--
-- The first group of arrays has one element per step. from_versions says which version of the row the step was
-- made from, null for a new row. step_rows has the row after each step (state columns suffice for one that
-- exists), mirror_rows rows that are born with a step: JSON arrays of transactions. The ledger's arrays are those
-- of ledger_post, with entry_steps saying whose entry it is and reversed_kinds which earlier entry of the same
-- transaction it takes back. events, jobs, audits and active_accounts are JSON arrays whose objects say in `step`
-- to which step they belong.
--
-- Verdicts: applied; stale (the row has another version, or somebody else was quicker: look again and make the
-- step anew); key (the idempotency key is taken: look again); limit (the day's volume has no room; volumes_used
-- says what is used, as a fraction); replayed, insufficient, unknown_account, out_of_range as ledger_post says.
create or replace function apply_transitions(
  platform_ids uuid[], ids uuid[], from_versions bigint[], nows timestamptz[], step_rows jsonb,
  key_scopes text[], keys text[], key_hashes bytea[], key_statuses smallint[], key_replies bytea[],
  corridors text[], volume_numerators numeric[], volume_denominators numeric[], volume_limits numeric[],
  mirror_steps integer[], mirror_rows jsonb, events_told jsonb, jobs_changed jsonb, audits jsonb, active_accounts jsonb,
  entry_steps integer[], entry_ids uuid[], kinds text[], reversed_kinds text[],
  entry_nos integer[], accounts text[], currencies text[], amounts bigint[], carried_nos bigint[],
  carried_balances bigint[],
  recorded timestamptz,
  out verdicts text[], out refused_accounts text[], out volumes_used text[]
) language plpgsql
-- Plans made while the tables were small must serve when they are large: look-ups by key, always.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- A plan without its cheaper ways looks expensive enough to be compiled, which takes longer than the work.
set jit = off
as $$
declare
  step_count constant integer := cardinality(ids);
  entry_count constant integer := coalesce(cardinality(entry_ids), 0);
  has_keys constant boolean := array_remove(keys, null) <> '{}';
  has_volumes constant boolean := array_remove(corridors, null) <> '{}';
  ok boolean[] := array_fill(true, array[step_count]);
  claimed boolean[] := array_fill(false, array[step_count]);
  kept integer[];
  places integer[];
  posted record;
  item record;
  is_tight boolean := false;
  used payment_volumes;
  touched integer;
begin
  verdicts := array_fill('applied'::text, array[step_count]);
  refused_accounts := array_fill(null::text, array[step_count]);
  volumes_used := array_fill(null::text, array[step_count]);

  perform
    from (select s.platform_id, s.id from unnest(platform_ids, ids, from_versions) as s (platform_id, id, version)
           where s.version is not null order by 1, 2) wanted
   cross join lateral (
      select from transactions t where t.platform_id = wanted.platform_id and t.id = wanted.id
         for no key update) held;

  for item in
    select s.n, row_number() over (partition by s.platform_id, s.id order by s.n) > 1
                or (s.version is not null and s.version is distinct from (
                      select t.version from transactions t where t.platform_id = s.platform_id and t.id = s.id))
                as is_stale
      from unnest(platform_ids, ids, from_versions) with ordinality as s (platform_id, id, version, n)
  loop
    if item.is_stale then
      ok[item.n] := false;
      verdicts[item.n] := 'stale';
    end if;
  end loop;

  if has_keys then
    delete from idempotency_keys k
     using unnest(platform_ids, key_scopes, keys, nows) as s (platform_id, scope, key, now)
     where s.key is not null and k.platform_id = s.platform_id and k.scope = s.scope and k.key = s.key
       and k.created_at <= s.now - interval '24 hours';
    for item in
      with mine as (
        insert into idempotency_keys (platform_id, scope, key, body_hash, status, reply, created_at)
        select s.platform_id, s.scope, s.key, s.hash, s.status, s.reply, s.now
          from unnest(platform_ids, key_scopes, keys, key_hashes, key_statuses, key_replies, nows) with ordinality
               as s (platform_id, scope, key, hash, status, reply, now, n)
         where s.key is not null and ok[s.n]
         order by s.platform_id, s.scope, s.key
            on conflict do nothing
        returning platform_id, scope, key)
      select s.n
        from unnest(platform_ids, key_scopes, keys) with ordinality as s (platform_id, scope, key, n)
       where s.key is not null and ok[s.n]
         and (not exists (select from mine c
                           where c.platform_id = s.platform_id and c.scope = s.scope and c.key = s.key)
              or exists (select from unnest(platform_ids, key_scopes, keys) with ordinality
                                as o (platform_id, scope, key, n)
                          where o.platform_id = s.platform_id and o.scope = s.scope and o.key = s.key and o.n < s.n
                            and ok[o.n]))
    loop
      verdicts[item.n] := 'key';
    end loop;
    for i in 1 .. step_count loop
      ok[i] := verdicts[i] = 'applied';
      claimed[i] := ok[i] and keys[i] is not null;
    end loop;
  end if;

  -- Far from the limit a counter is touched once, at the very end. Near it the steps are judged one by one with
  -- the counter held; the ledger accounts come first, so that everybody locks in one order.
  if has_volumes then
    is_tight := payment_volumes_tight(platform_ids, nows, corridors, volume_numerators, volume_denominators,
                                      volume_limits, ok);
  end if;
  if is_tight or exists (select from unnest(accounts) a where a like 'HOLD:%' or a like 'PENDING_IN:%') then
    -- With any of an internal account's three its AVAIL is held too: balances told in events belong together.
    perform
      from (
        select distinct l.platform_id, l.currency collate "C" as currency, l.account collate "C" as account
          from (
            select platform_ids[entry_steps[g.entry_no]] as platform_id, g.account, g.currency
              from unnest(entry_nos, accounts, currencies, amounts) as g (entry_no, account, currency, amount)
             where ledger_effect(g.account, g.amount) is not null
            union all
            select platform_ids[entry_steps[g.entry_no]], 'AVAIL:' || split_part(g.account, ':', 2), g.currency
              from unnest(entry_nos, accounts, currencies) as g (entry_no, account, currency)
             where split_part(g.account, ':', 1) in ('HOLD', 'PENDING_IN')) l
         order by 1, 2, 3) wanted
     cross join lateral (
        select from ledger_balances b
         where b.platform_id = wanted.platform_id and b.account = wanted.account and b.currency = wanted.currency
           for no key update) held;
  end if;
  if is_tight then
    for item in
      select j.n, j.used_numerator, j.used_denominator
        from payment_volumes_judge(platform_ids, nows, corridors, volume_numerators, volume_denominators,
                                   volume_limits, ok) j
    loop
      ok[item.n] := false;
      verdicts[item.n] := 'limit';
      volumes_used[item.n] := item.used_numerator || '/' || item.used_denominator;
    end loop;
  end if;

  if entry_count > 0 then
    -- Entries of steps that stand, numbered anew: places[n] is what the nth entry given becomes.
    places := array_fill(0, array[entry_count]);
    kept := '{}';
    for i in 1 .. entry_count loop
      if ok[entry_steps[i]] then
        kept := kept || i;
        places[i] := cardinality(kept);
      end if;
    end loop;
    if cardinality(kept) > 0 then
      select p.* into posted
        from (
          select array_agg(platform_ids[entry_steps[k.i]] order by k.n) as platform_ids,
                 array_agg(entry_ids[k.i] order by k.n) as ids, array_agg(kinds[k.i] order by k.n) as kinds,
                 array_agg(ids[entry_steps[k.i]] order by k.n) as transaction_ids,
                 array_agg(0 order by k.n) as ordinals,
                 array_agg((select o.seq from ledger_entries o
                             where o.platform_id = platform_ids[entry_steps[k.i]]
                               and o.transaction_id = ids[entry_steps[k.i]] and o.step = reversed_kinds[k.i] || '#0')
                           order by k.n) as reverses,
                 array_agg(nows[entry_steps[k.i]] order by k.n) as created_ats
            from unnest(kept) with ordinality as k (i, n)) e
       cross join (
          select array_agg(places[g.entry_no] order by g.n) as entry_nos, array_agg(g.account order by g.n) as accounts,
                 array_agg(g.currency order by g.n) as currencies, array_agg(g.amount order by g.n) as amounts,
                 array_agg(g.carried_no order by g.n) as carried_nos,
                 array_agg(g.carried_balance order by g.n) as carried_balances
            from unnest(entry_nos, accounts, currencies, amounts, carried_nos, carried_balances) with ordinality
                 as g (entry_no, account, currency, amount, carried_no, carried_balance, n)
           where places[g.entry_no] > 0) l
       cross join lateral ledger_post(
         e.platform_ids, e.ids, e.kinds, e.transaction_ids, e.ordinals, e.reverses, e.created_ats, recorded,
         l.entry_nos, l.accounts, l.currencies, l.amounts, l.carried_nos, l.carried_balances) p;
      for item in
        select entry_steps[k.i] as step, k.verdict,
               (select g.account from unnest(accounts, entry_nos) with ordinality as g (account, entry_no, n)
                 where places[g.entry_no] > 0 order by g.n offset k.line - 1 limit 1) as account
          from unnest(kept, posted.verdicts, posted.refused_lines) with ordinality as k (i, verdict, line, n)
         where k.verdict <> 'posted'
         order by k.n desc
      loop
        -- The first entry that was refused says why.
        ok[item.step] := false;
        verdicts[item.step] := item.verdict;
        refused_accounts[item.step] := item.account;
      end loop;
      if exists (select from unnest(kept, posted.verdicts) as k (i, verdict)
                  where k.verdict = 'posted' and not ok[entry_steps[k.i]]) then
        raise exception 'half of a step was posted' using errcode = 'data_exception';
      end if;
    end if;
  end if;

  -- Who was told that there is no room for a step that then did not stand after all is judged again.
  if is_tight then
    for item in
      select s.n
        from unnest(platform_ids, corridors, verdicts) with ordinality as s (platform_id, corridor, verdict, n)
       where s.verdict = 'limit'
         and exists (select from unnest(platform_ids, corridors, verdicts) with ordinality
                            as o (platform_id, corridor, verdict, n)
                      where o.platform_id = s.platform_id and o.corridor = s.corridor and o.n < s.n
                        and o.verdict not in ('applied', 'limit', 'stale', 'key'))
    loop
      verdicts[item.n] := 'stale';
    end loop;
  end if;

  -- Closing an account locks its ledger accounts, so what is seen here, after they were locked, stays.
  if exists (
    select from jsonb_to_recordset(active_accounts) as a (step integer, id uuid)
     cross join lateral (
       select i.status from internal_accounts i where i.platform_id = platform_ids[a.step] and i.id = a.id) account
     where ok[a.step] and account.status <> 'ACTIVE')
  then
    raise exception 'an internal account was closed or frozen meanwhile' using errcode = 'serialization_failure';
  end if;

  update transactions t
     set version = r.version, status = r.status, failure_reason = r.failure_reason, pending_reason = r.pending_reason,
         executed_at = r.executed_at, taken_at = r.taken_at, settled_at = r.settled_at,
         confirmed_at = r.confirmed_at, funding_hash = r.funding_hash, payout_hash = r.payout_hash,
         refund_status = r.refund_status, refund_reason = r.refund_reason, refund_reference = r.refund_reference,
         refund_amount = r.refund_amount, refund_account = r.refund_account,
         refund_initiated_at = r.refund_initiated_at, refund_settled_at = r.refund_settled_at,
         updated_at = r.updated_at, inflight_sent = r.inflight_sent, inflight_sent_no = r.inflight_sent_no,
         inflight_received = r.inflight_received, inflight_received_no = r.inflight_received_no,
         refund_payable = r.refund_payable, refund_payable_no = r.refund_payable_no
    from jsonb_populate_recordset(null::transactions, step_rows) with ordinality as r
   where ok[r.ordinality] and from_versions[r.ordinality] is not null
     and t.platform_id = r.platform_id and t.id = r.id;

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

  perform payment_events(platform_ids, nows, events_told, ok, entry_steps, entry_nos, accounts, currencies, amounts);

  delete from jobs j
   using (
     select d.platform_id, d.id
       from jsonb_to_recordset(jobs_changed) as c (step integer, does text, kind text, key text)
      cross join lateral (
        -- One that is being done right now is left alone: it will find what has become of the transaction.
        select w.platform_id, w.id from jobs w
         where w.platform_id = platform_ids[c.step] and w.kind = c.kind and w.key = c.key
           for update skip locked) d
      where c.does = 'cancel' and ok[c.step]) gone
   where j.platform_id = gone.platform_id and j.id = gone.id;
  insert into jobs (platform_id, kind, key, payload, due_at, created_at)
  select platform_ids[c.step], c.kind, c.key, c.payload, c.due_at, nows[c.step]
    from jsonb_to_recordset(jobs_changed)
         as c (step integer, does text, kind text, key text, payload jsonb, due_at timestamptz)
   where c.does = 'schedule' and ok[c.step]
      on conflict (platform_id, kind, key) where key is not null do nothing;

  insert into audit_log
    (id, platform_id, at, actor_kind, actor_id, action, resource, request_id, remote_address, details)
  select a.id, platform_ids[a.step], recorded, a.actor_kind, a.actor_id, a.action, a.resource, a.request_id,
         a.remote_address, coalesce(a.details, '{}')
    from jsonb_to_recordset(audits)
         as a (step integer, id uuid, actor_kind text, actor_id text, action text, resource text, request_id text,
               remote_address text, details jsonb)
   where ok[a.step];

  if has_keys then
    -- A refusal frees the key again.
    delete from idempotency_keys k
     using unnest(platform_ids, key_scopes, keys) with ordinality as s (platform_id, scope, key, n)
     where claimed[s.n] and not ok[s.n]
       and k.platform_id = s.platform_id and k.scope = s.scope and k.key = s.key;
  end if;
  if has_volumes then
    perform payment_volumes_add(platform_ids, nows, corridors, volume_numerators, volume_denominators,
                                volume_limits, ok);
  end if;
end $$;
