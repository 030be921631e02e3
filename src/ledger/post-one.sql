-- Posts one entry: the short way for a caller who has just one. The rules are those of ledger_post.
--
-- The caller has made sure that the entry balances; its lines are ordered by currency, then account, and on one
-- account what adds comes before what takes. That is the order in which everybody locks; what is not sound
-- fails the table's check. carried_nos and carried_balances are those of ledger_post.
--
-- Answers 'posted/<seq>/{<running numbers>}/{<balances>}', 'replayed', or 'unknown_account/<line>',
-- 'insufficient/<line>', 'out_of_range/<line>'. A refused entry leaves nothing.
create or replace function ledger_post_one(
  platform uuid, id uuid, kind text, transaction_id uuid, ordinal integer, reverses bigint, created timestamptz,
  recorded timestamptz, accounts text[], currencies text[], amounts bigint[], carried_nos bigint[],
  carried_balances bigint[]
) returns text language plpgsql
-- A plan made while the table was small must serve when it is large.
set enable_seqscan = off
as $$
declare
  balance_max constant bigint := 1000000000000000000;
  -- Roll-ups rely on it: whoever draws from ledger_seq has a transaction number already.
  xid constant xid8 := pg_current_xact_id();
  own_step constant text := ledger_step(kind, ordinal);
  refusal text;
  effect bigint;
  no bigint;
  after bigint;
  seq bigint;
  account_nos bigint[] := carried_nos;
  balances bigint[] := carried_balances;
  passed integer := 0;
begin
  for i in 1 .. cardinality(amounts) loop
    effect := ledger_effect(accounts[i], amounts[i]);
    if effect is not null then
      update ledger_balances b
         set balance = b.balance + effect, last_no = b.last_no + 1, updated_at = created
       where b.platform_id = platform and b.account = accounts[i] and b.currency = currencies[i]
         and b.balance + effect between 0 and balance_max
      returning b.last_no, b.balance into no, after;
      if not found then
        refusal := case when effect < 0 then 'insufficient' else 'out_of_range' end;
        perform from ledger_balances b
          where b.platform_id = platform and b.account = accounts[i] and b.currency = currencies[i];
        refusal := case when found then refusal else 'unknown_account' end || '/' || i;
        exit;
      end if;
      account_nos[i] := no;
      balances[i] := after;
    elsif carried_nos[i] is not null then
      -- A second line on the same account follows its first and goes on from it.
      if accounts[i] = accounts[i - 1] and currencies[i] = currencies[i - 1] then
        account_nos[i] := account_nos[i - 1] + 1;
        balances[i] := balances[i - 1] - amounts[i];
      else
        account_nos[i] := carried_nos[i] + 1;
        balances[i] := carried_balances[i] - amounts[i];
      end if;
      if balances[i] not between 0 and balance_max then
        refusal := case when balances[i] < 0 then 'insufficient/' else 'out_of_range/' end || i;
        exit;
      end if;
    end if;
    passed := i;
  end loop;

  if refusal is null then
    seq := nextval('ledger_seq');
    insert into ledger_entries
      (platform_id, seq, id, transaction_id, reverses_seq, created_at, recorded_at, ordinal, kind, step,
       accounts, currencies, amounts, account_nos, balances)
    values
      (platform, seq, id, transaction_id, reverses, created, recorded, ordinal, kind, own_step,
       accounts, currencies, amounts, account_nos, balances)
    on conflict do nothing;
    if found then
      return concat_ws('/', 'posted', seq, account_nos, balances);
    end if;
  end if;

  -- Backwards: what was added may have been taken again.
  for i in reverse passed .. 1 loop
    update ledger_balances b
       set balance = b.balance - ledger_effect(accounts[i], amounts[i]), last_no = b.last_no - 1
     where b.platform_id = platform and b.account = accounts[i] and b.currency = currencies[i];
  end loop;
  -- Refused or not, what was done before is no failure.
  perform from ledger_entries e
    where e.platform_id = platform and e.transaction_id = ledger_post_one.transaction_id and e.step = own_step;
  if not found then
    perform from ledger_entries e where e.platform_id = platform and e.reverses_seq = reverses;
  end if;
  return case when found then 'replayed' else refusal end;
end $$;
