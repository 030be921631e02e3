-- Returns the facts that an event stores about an internal account at a posting; renderAccountEvents (events.ts)
-- renders them. Balances are those after the posting: AVAIL, and AVAIL + HOLD + PENDING_IN. The table has the
-- balances after the whole commit, so `later` names the changes by later entries of the commit, which are
-- subtracted. The entries have locked the ledger accounts, and closing an account also locks them, so the status that
-- is read here cannot change any more. If `later` says that the account must be active, any other status ends the
-- commit as `stale`.
--
-- A function of a single query in SQL, so that PostgreSQL inlines it into the insert of the events. Otherwise it would
-- set the query up again for each event.
create or replace function account_facts_at_commit(
  its_platform uuid, its_id uuid, later jsonb, posted_at timestamptz
) returns table (facts jsonb) stable language sql as $$
  select case when a.status <> 'ACTIVE' and (later ->> 'mustBeActive')::boolean then refuse_commit('stale')
         else jsonb_build_object(
           'id', a.id,
           'status', a.status,
           'fundingCount', a.funding_count,
           'privateEnabled', a.private_enabled,
           'available', (money.available - (later ->> 'available')::bigint)::text,
           'total', (money.total - (later ->> 'total')::bigint)::text,
           'updatedAt', greatest(a.updated_at, posted_at)) end
    from internal_accounts a
   cross join lateral (
           select sum(b.balance) filter (where b.account = 'AVAIL:' || its_id) as available, sum(b.balance) as total
             from ledger_balances b
            where b.platform_id = its_platform and b.account = any(ledger_accounts_of(its_id))
              and b.currency = a.currency) money
   where a.platform_id = its_platform and a.id = its_id
$$;
