-- Applies a set of steps, each to one transaction of any platform, in the order given and each with its own
-- verdict; a step that is refused leaves nothing and disturbs no other. The number of statements does not depend
-- on the size of the set. Locks are taken in one order: transactions by id, customers, internal accounts,
-- idempotency keys, ledger accounts, volume counters.
--
-- The first group of arrays has one element per step. from_versions says which version of the row the step was
-- made from, null for a new row. step_rows has the row after each step (state columns suffice for one that
-- exists), mirror_rows rows that are born with a step: JSON arrays of transactions. Everything else says in an
-- array of its own (…_steps) to which step it belongs, steps ascending. The customers are those of rows that are
-- born and those that are to be paid. Internal accounts are held where no entry locks their ledger accounts: those that
-- must_move money, and those that money, fees and refunds are to go to, which must not be closed. The ledger's arrays are those of ledger_post;
-- reversed_kinds says which earlier entry of the same transaction an entry takes back.
--
-- Verdicts: applied; stale (the row has another version, or somebody else was quicker: look again and make the
-- step anew); key (the idempotency key is taken: look again); limit (the day's volume has no room; volumes_used
-- says what is used, as a fraction); replayed, insufficient, unknown_account, out_of_range as ledger_post says.
create or replace function apply_transitions(
  platform_ids uuid[], ids uuid[], from_versions bigint[], nows timestamptz[], step_rows jsonb,
  mirror_steps integer[], mirror_rows jsonb,
  customer_steps integer[], customer_ids uuid[], must_live boolean[],
  held_steps integer[], held_accounts uuid[], must_move boolean[],
  key_scopes text[], keys text[], key_hashes bytea[], key_statuses smallint[], key_replies bytea[],
  corridors text[], volume_numerators numeric[], volume_denominators numeric[], volume_limits numeric[],
  event_steps integer[], event_types text[], event_resources text[], event_decisions text[], event_facts jsonb,
  cancel_steps integer[], cancel_kinds text[], cancel_keys text[],
  job_steps integer[], job_kinds text[], job_keys text[], job_dues timestamptz[], job_payloads jsonb,
  audit_steps integer[], audit_ids uuid[], audit_actor_kinds text[], audit_actor_ids text[], audit_actions text[],
  audit_resources text[], audit_requests text[], audit_addresses text[],
  active_steps integer[], active_accounts uuid[],
  entry_steps integer[], entry_platforms uuid[], entry_ids uuid[], entry_kinds text[], entry_transactions uuid[],
  reversed_kinds text[], entry_nows timestamptz[],
  line_entries integer[], accounts text[], currencies text[], amounts bigint[], carried_nos bigint[],
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
  entry_count constant integer := cardinality(entry_ids);
  has_new constant boolean := array_position(from_versions, null) is not null;
  has_old constant boolean := array_remove(from_versions, null) <> '{}';
  has_keys constant boolean := array_remove(keys, null) <> '{}';
  has_volumes constant boolean := array_remove(corridors, null) <> '{}';
  -- Balances on hold or pending: rare, and told in events together with the spendable one.
  has_reserved constant boolean := array_to_string(accounts, ' ') ~ '(^| )(HOLD|PENDING_IN):';
  ok boolean[] := array_fill(true, array[step_count]);
  is_tight boolean := false;
  claimed boolean[];
  line_balances bigint[];
  written integer;
  item record;
  -- What a part of this answers. Assigned and not selected: that needs no plan to be set up.
  part record;
begin
  verdicts := array_fill('applied'::text, array[step_count]);
  refused_accounts := array_fill(null::text, array[step_count]);
  volumes_used := array_fill(null::text, array[step_count]);

  if has_old then
    -- The row that was waited for is seen as it is then. A second step of one transaction comes too late anyhow.
    for item in
      select s.n
        from (
          select u.*, row_number() over (partition by u.platform_id, u.id order by u.n) as nth
            from unnest(platform_ids, ids, from_versions) with ordinality as u (platform_id, id, version, n)
           order by u.platform_id, u.id) s
        left join lateral (
          select t.version from transactions t
           where s.version is not null and t.platform_id = s.platform_id and t.id = s.id
             for no key update) held on true
       where s.nth > 1 or s.version is distinct from held.version
    loop
      ok[item.n] := false;
      verdicts[item.n] := 'stale';
    end loop;
  end if;

  -- Who deletes a customer or closes an account holds its row to the end: what would begin there waits for that, and
  -- is made anew.
  if customer_steps <> '{}' then
    for item in select h.n from payment_customers_hold(platform_ids, customer_steps, customer_ids, must_live) h (n) loop
      ok[item.n] := false;
      verdicts[item.n] := 'stale';
    end loop;
  end if;
  if held_steps <> '{}' then
    for item in select h.n from payment_internals_hold(platform_ids, held_steps, held_accounts, must_move) h (n) loop
      ok[item.n] := false;
      verdicts[item.n] := 'stale';
    end loop;
  end if;

  if has_keys then
    part := payment_keys_claim(platform_ids, nows, key_scopes, keys, key_hashes, key_statuses, key_replies, verdicts, ok);
    verdicts := part.verdicts;
    ok := part.ok;
    claimed := ok;
  end if;

  -- Far from the limit a counter is touched once, at the very end. Near it the steps are judged one by one with
  -- the counter held; the ledger accounts come first, so that everybody locks in one order.
  if has_volumes then
    is_tight := payment_volumes_tight(platform_ids, nows, corridors, volume_numerators, volume_denominators,
                                      volume_limits, ok);
  end if;
  if is_tight or has_reserved then
    perform payment_accounts_lock(entry_platforms, line_entries, accounts, currencies, amounts);
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
    part := payment_entries_post(
      verdicts, refused_accounts, ok, entry_steps, entry_platforms, entry_ids, entry_kinds, entry_transactions,
      reversed_kinds, entry_nows, line_entries, accounts, currencies, amounts, carried_nos, carried_balances, recorded);
    verdicts := part.verdicts;
    refused_accounts := part.refused_accounts;
    ok := part.ok;
    line_balances := part.line_balances;
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
  if active_steps <> '{}' and exists (
    select from unnest(active_steps, active_accounts) as a (step, id)
     where ok[a.step] and (
       select i.status from internal_accounts i where i.platform_id = platform_ids[a.step] and i.id = a.id) <> 'ACTIVE')
  then
    raise exception 'an internal account was closed or frozen meanwhile' using errcode = 'serialization_failure';
  end if;

  if has_old then
    update transactions t
       set version = t.version + 1, status = r.row ->> 'status', failure_reason = r.row ->> 'failure_reason',
           pending_reason = r.row ->> 'pending_reason', executed_at = (r.row ->> 'executed_at')::timestamptz,
           taken_at = (r.row ->> 'taken_at')::timestamptz, settled_at = (r.row ->> 'settled_at')::timestamptz,
           confirmed_at = (r.row ->> 'confirmed_at')::timestamptz, funding_hash = r.row ->> 'funding_hash',
           payout_hash = r.row ->> 'payout_hash', refund_status = r.row ->> 'refund_status',
           refund_reason = r.row ->> 'refund_reason', refund_reference = r.row ->> 'refund_reference',
           refund_amount = (r.row ->> 'refund_amount')::bigint, refund_account = (r.row ->> 'refund_account')::uuid,
           refund_initiated_at = (r.row ->> 'refund_initiated_at')::timestamptz,
           refund_settled_at = (r.row ->> 'refund_settled_at')::timestamptz,
           updated_at = nows[r.n], inflight_sent = (r.row ->> 'inflight_sent')::bigint,
           inflight_sent_no = (r.row ->> 'inflight_sent_no')::bigint,
           inflight_received = (r.row ->> 'inflight_received')::bigint,
           inflight_received_no = (r.row ->> 'inflight_received_no')::bigint,
           refund_payable = (r.row ->> 'refund_payable')::bigint,
           refund_payable_no = (r.row ->> 'refund_payable_no')::bigint
      from jsonb_array_elements(step_rows) with ordinality as r (row, n)
     where ok[r.n] and from_versions[r.n] is not null
       and t.platform_id = platform_ids[r.n] and t.id = ids[r.n];
  end if;
  if has_new or mirror_steps <> '{}' then
    perform payment_rows_insert(step_rows, from_versions, mirror_rows, mirror_steps, ok);
  end if;

  insert into events (platform_id, type, resource_id, facts, once, decision, created_at)
  select platform_ids[e.step], e.type, e.resource, event_facts -> (e.n - 1)::integer, e.decision is not null,
         e.decision, nows[e.step]
    from unnest(event_steps, event_types, event_resources, event_decisions) with ordinality
         as e (step, type, resource, decision, n)
   where ok[e.step]
  union all
  -- One for each entry and each internal account whose spendable balance it changed (money.md §10.4).
  select entry_platforms[l.entry_no], 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:' || l.id,
         internal_account_facts(i, l.balance, l.balance + coalesce((
           select sum(b.balance) from ledger_balances b
            where b.platform_id = i.platform_id and b.currency = i.currency
              and b.account in ('HOLD:' || l.id, 'PENDING_IN:' || l.id)), 0)::bigint,
           entry_nows[l.entry_no]),
         false, null, entry_nows[l.entry_no]
    from (
      select u.entry_no, u.balance, case when u.account like 'AVAIL:%' then substr(u.account, 7)::uuid end as id
        from unnest(line_entries, accounts, line_balances) as u (entry_no, account, balance)
       where not has_reserved and u.account like 'AVAIL:%' and ok[entry_steps[u.entry_no]]) l
    join internal_accounts i on i.platform_id = entry_platforms[l.entry_no] and i.id = l.id;
  if has_reserved then
    perform payment_balance_events(entry_platforms, entry_nows, entry_steps, ok, line_entries, accounts, currencies,
                                   amounts);
  end if;

  if cancel_steps <> '{}' then
    delete from jobs j
     using (
       select d.platform_id, d.id
         from unnest(cancel_steps, cancel_kinds, cancel_keys) as c (step, kind, key)
        cross join lateral (
          -- One that is being done right now is left alone: it will find what has become of the transaction.
          select w.platform_id, w.id from jobs w
           where w.platform_id = platform_ids[c.step] and w.kind = c.kind and w.key = c.key
             for update skip locked) d
        where ok[c.step]) gone
     where j.platform_id = gone.platform_id and j.id = gone.id;
  end if;
  if job_steps <> '{}' then
    loop
      insert into jobs (platform_id, kind, key, payload, due_at, created_at)
      select platform_ids[c.step], c.kind, c.key, job_payloads -> (c.n - 1)::integer, c.due_at, nows[c.step]
        from unnest(job_steps, job_kinds, job_keys, job_dues) with ordinality as c (step, kind, key, due_at, n)
       where ok[c.step]
       -- Quotes share the work that expires them: who schedules the same waits for the other, all in one order.
       order by platform_ids[c.step], c.kind, c.key, c.n
          on conflict (platform_id, kind, key) where key is not null do nothing;
      get diagnostics written = row_count;
      exit when written = cardinality(job_steps);
      -- What waited already is held, so that it is not done before this commit, which counts on it; what was done in
      -- between is scheduled anew.
      exit when (
        select coalesce(bool_and(waiting.id is not null), true)
          from unnest(job_steps, job_kinds, job_keys) as c (step, kind, key)
          left join lateral (
            select j.id from jobs j
             where j.platform_id = platform_ids[c.step] and j.kind = c.kind and j.key = c.key
               for key share) waiting on true
         where ok[c.step]);
    end loop;
  end if;
  if audit_steps <> '{}' then
    insert into audit_log (id, platform_id, at, actor_kind, actor_id, action, resource, request_id, remote_address)
    select a.id, platform_ids[a.step], recorded, a.actor_kind, a.actor_id, a.action, a.resource, a.request,
           a.address
      from unnest(audit_steps, audit_ids, audit_actor_kinds, audit_actor_ids, audit_actions, audit_resources,
                  audit_requests, audit_addresses)
           as a (step, id, actor_kind, actor_id, action, resource, request, address)
     where ok[a.step];
  end if;

  if has_keys and claimed <> ok then
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
