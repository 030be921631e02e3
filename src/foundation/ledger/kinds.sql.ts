import {
  ACCOUNT_KINDS,
  type AccountKindName,
  kindsOwnedBy,
  kindsWithBalance,
  SHARED_STEPS,
} from '#foundation/ledger/kinds.ts';

/** SQL functions about the kinds of accounts and entries, generated from src/foundation/ledger/kinds.ts. */

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

const steps = Object.entries(SHARED_STEPS).map(
  ([step, kinds]) => `when kind in (${list(kinds)}) then '${step}'`,
);

const sign = (name: AccountKindName) => (ACCOUNT_KINDS[name].adds === 'DEBIT' ? 'amount' : '-amount');
const effects = kindsWithBalance('kept').map((name) => `when '${name}' then ${sign(name)}`);
const owned = kindsOwnedBy('internal account').map((name) => `'${name}:' || id::text`);

export default `
-- The step of an entry, which a transaction may post once: its kind and ordinal, or the step that several kinds share.
create or replace function ledger_step(kind text, ordinal integer) returns text immutable parallel safe language sql return
  case ${steps.join(' ')} else kind || '#' || ordinal::text end;

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
    and new.kind <> '' and new.ordinal >= 0 and new.step = ledger_step(new.kind, new.ordinal);
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
