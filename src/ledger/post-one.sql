-- Posts one entry: the short way for a caller who has just one, with as few statements and expressions as can
-- be, since each of them costs. The rules are those of ledger_post.
--
-- The caller has made sure that the entry balances; its lines are ordered by currency, then account, and on one
-- account what adds comes before what takes. That is the order in which everybody locks; what is not sound
-- fails the table's guard. nos and balances come in as carried_nos and carried_balances of ledger_post.
--
-- Answers 'posted/<seq>/{<running numbers>}/{<balances>}', 'replayed', or 'unknown_account/<line>',
-- 'insufficient/<line>', 'out_of_range/<line>'. A refused entry leaves nothing.
create or replace function ledger_post_one(
  platform uuid, id uuid, kind text, transaction_id uuid, ordinal integer, reverses bigint, created timestamptz,
  recorded timestamptz, accounts text[], currencies text[], amounts bigint[], nos bigint[], balances bigint[]
) returns text language plpgsql
-- A plan made while the table was small must serve when it is large.
set enable_seqscan = off
as $$
declare
  effect bigint;
  no bigint;
  after bigint;
  seq bigint;
begin
  for i in 1 .. cardinality(amounts) loop
    effect := ledger_effect(accounts[i], amounts[i]);
    if effect is not null then
      update ledger_balances b
         set balance = b.balance + effect, last_no = b.last_no + 1, updated_at = created
       where b.platform_id = platform and b.account = accounts[i] and b.currency = currencies[i]
         and b.balance + effect between 0 and 1000000000000000000
      returning b.last_no, b.balance into no, after;
      if not found then
        return ledger_refuse_one(platform, kind, transaction_id, ordinal, reverses, accounts, currencies, amounts, i);
      end if;
      nos[i] := no;
      balances[i] := after;
    elsif nos[i] is not null then
      -- A second line on the same account follows its first and goes on from it.
      if accounts[i] = accounts[i - 1] and currencies[i] = currencies[i - 1] then
        nos[i] := nos[i - 1];
        balances[i] := balances[i - 1];
      end if;
      nos[i] := nos[i] + 1;
      balances[i] := balances[i] - amounts[i];
      if balances[i] not between 0 and 1000000000000000000 then
        return ledger_refuse_one(platform, kind, transaction_id, ordinal, reverses, accounts, currencies, amounts, i);
      end if;
    end if;
  end loop;

  insert into ledger_entries as e
    (platform_id, seq, id, transaction_id, reverses_seq, created_at, recorded_at, ordinal, kind, step,
     accounts, currencies, amounts, account_nos, balances)
  values
    -- Roll-ups rely on it: whoever draws a number has a transaction number already.
    (platform, case when pg_current_xact_id() is not null then nextval('ledger_seq') end, id, transaction_id,
     reverses, created, recorded, ordinal, kind, ledger_step(kind, ordinal), accounts, currencies, amounts, nos,
     balances)
  on conflict do nothing
  returning e.seq into seq;
  if not found then
    return ledger_refuse_one(
      platform, kind, transaction_id, ordinal, reverses, accounts, currencies, amounts, cardinality(amounts) + 1);
  end if;
  return concat_ws('/', 'posted', seq, nos, balances);
end $$;

-- Undoes what ledger_post_one did before it came to the line that it refuses, and says why.
create or replace function ledger_refuse_one(
  platform uuid, kind text, in_transaction uuid, ordinal integer, reverses bigint,
  accounts text[], currencies text[], amounts bigint[], refused integer
) returns text language plpgsql
set enable_seqscan = off
as $$
declare
  own_step constant text := ledger_step(kind, ordinal);
begin
  -- Backwards: what was added may have been taken again.
  for i in reverse refused - 1 .. 1 loop
    update ledger_balances b
       set balance = b.balance - ledger_effect(accounts[i], amounts[i]), last_no = b.last_no - 1
     where b.platform_id = platform and b.account = accounts[i] and b.currency = currencies[i];
  end loop;

  -- Whatever else is wrong, what was done before is no failure.
  perform from ledger_entries e
    where e.platform_id = platform and e.transaction_id = in_transaction and e.step = own_step;
  if not found then
    perform from ledger_entries e where e.platform_id = platform and e.reverses_seq = reverses;
  end if;
  if found then
    return 'replayed';
  end if;

  if ledger_effect(accounts[refused], amounts[refused]) is not null then
    perform from ledger_balances b
      where b.platform_id = platform and b.account = accounts[refused] and b.currency = currencies[refused];
    if not found then
      return 'unknown_account/' || refused;
    end if;
  end if;
  return case
    when coalesce(ledger_effect(accounts[refused], amounts[refused]), -amounts[refused]) < 0 then 'insufficient/'
    else 'out_of_range/'
  end || refused;
end $$;
