import {
  ACCOUNT_KINDS,
  type AccountKindName,
  kindsOwnedBy,
  kindsWithBalance,
  LEDGER_KINDS,
  SHARED_STEPS,
} from '#foundation/ledger/kinds.ts';

/** SQL functions about the kinds of accounts and entries, generated from src/foundation/ledger/kinds.ts. */

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

const kinds = Object.entries(LEDGER_KINDS);
const numbers = JSON.stringify(
  Object.fromEntries(
    kinds.flatMap(([name, no]) => [
      [name, no],
      [no, no],
    ]),
  ),
);
const names = JSON.stringify(Object.fromEntries(kinds.map(([name, no]) => [no, name])));

const steps = Object.entries(SHARED_STEPS).map(
  ([step, shared]) =>
    `when ledger_number(kind) in (${list(shared.map((kind) => LEDGER_KINDS[kind]))}) then '${step}'`,
);

const sign = (name: AccountKindName) => (ACCOUNT_KINDS[name].adds === 'DEBIT' ? 'amount' : '-amount');
const effects = kindsWithBalance('kept').map((name) => `when '${name}' then ${sign(name)}`);
const owned = kindsOwnedBy('internal account').map((name) => `'${name}:' || id::text`);

export default `
-- The number of a kind of entries in money.md §11; null if there is no such kind. Earlier versions stored the number.
create or replace function ledger_number(kind text) returns text immutable parallel safe language sql return
  '${numbers}'::jsonb ->> kind;

-- The name of a kind, which may be stored as its number.
create or replace function ledger_kind(kind text) returns text immutable parallel safe language sql return
  coalesce('${names}'::jsonb ->> kind, kind);

-- The journal line by line, for reading.
create or replace view ledger_lines as
  select e.platform_id, e.seq, l.line_no, e.id as entry_id, ledger_kind(e.kind) as kind, e.transaction_id, e.created_at,
         l.account, l.currency, case when l.amount > 0 then 'DEBIT' else 'CREDIT' end as side,
         abs(l.amount) as amount, l.account_no, l.balance_after
    from ledger_entries e
   cross join lateral unnest(e.accounts, e.currencies, e.amounts, e.account_nos, e.balances) with ordinality
         as l (account, currency, amount, account_no, balance_after, line_no);

-- The step of an entry, which a transaction may post once: the number of its kind with its ordinal, or the step that
-- several kinds share. Null if there is no such kind.
create or replace function ledger_step(kind text, ordinal integer) returns text immutable parallel safe language sql return
  case ${steps.join(' ')} else ledger_number(kind) || '#' || ordinal::text end;

-- The effect of a line on the balance of an account that has a row in ledger_balances. Null for any other account.
create or replace function ledger_effect(account text, amount bigint) returns bigint immutable parallel safe language sql return
  case split_part(account, ':', 1) ${effects.join(' ')} end;

-- All ledger accounts of an internal account. PostgreSQL inlines it into the calling statement, so an index can be used.
create or replace function ledger_accounts_of(id uuid) returns text[] immutable parallel safe language sql return
  array[${owned.join(', ')}];

-- Refuses an invalid entry. Lines of one currency are adjacent and cancel out. Lines of shared accounts have no balance;
-- all others have a running number and the balance after the line. A reversed entry must exist.
create or replace function ledger_guard() returns trigger language plpgsql as $$
declare
  line_count constant integer := cardinality(new.amounts);
  net bigint := 0;
  sound boolean := line_count > 1
    and line_count = cardinality(new.accounts) and line_count = cardinality(new.currencies)
    and line_count = cardinality(new.account_nos) and line_count = cardinality(new.balances)
    and new.ordinal >= 0 and new.step = ledger_step(new.kind, new.ordinal);
begin
  for i in 1 .. line_count loop
    net := net + new.amounts[i];
    sound := sound and abs(new.amounts[i]) between 1 and 100000000000000000
      and (net = 0 or new.currencies[i] = new.currencies[i + 1])
      and case when new.account_nos[i] is null
            then new.balances[i] is null
             and split_part(new.accounts[i], ':', 1) = any ('{${kindsWithBalance('summed').join(',')}}')
             and split_part(new.accounts[i], ':', -1) = new.currencies[i]
            else new.account_nos[i] > 0 and new.balances[i] >= 0
             and split_part(new.accounts[i], ':', 1)
                   = any ('{${[...kindsWithBalance('kept'), ...kindsWithBalance('carried')].join(',')}}')
          end;
  end loop;
  if new.reverses_seq is not null then
    sound := sound and exists (
      select from ledger_entries e where e.platform_id = new.platform_id and e.seq = new.reverses_seq);
  end if;
  if sound is not true then
    raise exception 'ledger entry % of platform % is not sound', new.seq, new.platform_id
      using errcode = 'check_violation', table = 'ledger_entries', constraint = 'ledger_entries_sound';
  end if;
  return new;
end $$;
-- A trigger and not a check constraint, which every statement would parse again: a fifth of the time of a posting.
create or replace trigger ledger_entries_sound before insert on ledger_entries
  for each row execute function ledger_guard();
`;
