drop function if exists payment_executions;

-- Loads everything that decides whether quotes can be executed, for any number of quotes and platforms. Each look-up is
-- by key, in its row's own platform. It is a function so that it is planned once per connection: the statement itself
-- would be planned again for each number of quotes, which takes longer than running it. Conditions other than keys are
-- computed in the output, where they cannot mislead the planner to another index.
create or replace function payment_executions(
  platform_ids uuid[], quote_ids uuid[], key_scopes text[], keys text[], signer_keys text[], nows timestamptz[]
) returns table (
  n bigint, found transactions, customer_status text, terms_consent jsonb, region text,
  source_status text, source_type text, source_us_validation text, source_available bigint,
  destination_status text, destination_type text, destination_us_validation text,
  is_enabled boolean, is_signer boolean, has_key boolean, key_hash bytea, key_status smallint, key_reply bytea
) stable language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
begin
  return query
  select q.n, t, c.status, c.terms_consent, c.region,
         case when se.deleted_at is null then coalesce(si.status, se.status) end, si.type, se.us_validation,
         sb.balance::bigint,
         case when de.deleted_at is null then coalesce(di.status, de.status) end, di.type, de.us_validation,
         p.supported_currencies @> jsonb_build_array(jsonb_build_object(
           'currencyCode', t.sending_currency, 'enabledTransactionTypes', jsonb_build_array(t.type))),
         -- Only a payment from a wallet is signed.
         case when q.signer_key is not null and si.type = 'EMBEDDED_WALLET' then
           wallet_has_signer(t.platform_id, si.id, q.signer_key, q.now) end,
         idempotency_key_is_alive(k.created_at, q.now), k.body_hash, k.status, k.reply
    from unnest(platform_ids, quote_ids, key_scopes, keys, signer_keys, nows) with ordinality
         as q (platform_id, quote_id, scope, key, signer_key, now, n)
    left join transactions t on t.platform_id = q.platform_id and t.quote_id = q.quote_id
    left join customers c on c.platform_id = t.platform_id and c.id = t.customer_id
    left join internal_accounts si
      on si.platform_id = t.platform_id and si.id = case when t.source_type <> 'EXTERNAL' then t.source_account end
    left join ledger_balances sb
      on sb.platform_id = t.platform_id and sb.account = 'AVAIL:' || si.id and sb.currency = t.sending_currency
    left join external_accounts se
      on se.platform_id = t.platform_id and se.id = case when t.source_type = 'EXTERNAL' then t.source_account end
    left join internal_accounts di
      on di.platform_id = t.platform_id
     and di.id = case when t.destination_type <> 'EXTERNAL' then t.destination_account end
    left join external_accounts de
      on de.platform_id = t.platform_id
     and de.id = case when t.destination_type = 'EXTERNAL' then t.destination_account end
    left join platform_configs p on p.platform_id = t.platform_id
    left join idempotency_keys k
      on k.platform_id = q.platform_id and k.scope = q.scope and k.key = q.key;
end $$;
