-- Returns the facts that an event stores about an internal account at a posting; renderAccountEvents (events.ts)
-- renders them. Balances are those after the posting: AVAIL, and AVAIL + HOLD + PENDING_IN.
create or replace function internal_account_facts(
  account internal_accounts, available bigint, total bigint, posted_at timestamptz
) returns jsonb stable language sql as $$
  select jsonb_build_object(
    'id', account.id,
    'status', account.status,
    'fundingCount', account.funding_count,
    'privateEnabled', account.private_enabled,
    'available', available::text,
    'total', total::text,
    'updatedAt', greatest(account.updated_at, posted_at))
$$;
