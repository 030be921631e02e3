-- References of banks may name a person, so the key of their hashes is rotated with that of all others
-- (docs/decisions/0056-rotating-keyed-hashes.md). Lines are compared only while all of them have hashes of one version.
comment on column bank_lines.reference_hashes is 'hash: bank reference';
comment on column bank_ours.reference_hashes is 'hash: bank reference';

-- Stores the hashes of a line's references in the version that is written now.
create function choose_bank_reference_hashes() returns trigger language plpgsql as $$
declare
  versions constant hash_versions := held_hash_versions();
begin
  if tg_op = 'INSERT' or new.reference_hashes is distinct from old.reference_hashes then
    new.reference_hashes := array(
      select choose_hash(reference.hash, versions, false)
        from unnest(new.reference_hashes) with ordinality as reference(hash, place) order by reference.place);
  end if;
  return new;
end $$;
create trigger bank_lines_hashes before insert or update of reference_hashes on bank_lines
  for each row execute function choose_bank_reference_hashes();
create trigger bank_ours_hashes before insert or update of reference_hashes on bank_ours
  for each row execute function choose_bank_reference_hashes();
