-- Operators who sign in at an OpenID Connect issuer (operator.md §1.3a). The first sign-in ties an operator to issuer
-- and subject, which alone count from then on.
alter table operators
  add column issuer text check (length(issuer) between 1 and 500),
  add column subject text check (length(subject) between 1 and 255),
  add constraint operators_identity check ((issuer is null) = (subject is null));
create unique index operators_by_subject on operators (issuer, subject) where issuer is not null;

-- An operator to whom the issuer gives no role any more has none, and can do nothing.
alter table operators drop constraint operators_roles_check;
alter table operators add constraint operators_roles_check check (
  roles <@ array['viewer', 'support', 'compliance', 'finance', 'treasury', 'admin']
);

-- Refuses to give an operator the account of somebody else at the issuer: only a new address unties the old one
-- (operator.md §1.5).
create function guard_operator_identity() returns trigger language plpgsql as $$
begin
  if old.issuer is not null and (old.issuer, old.subject) is distinct from (new.issuer, new.subject)
     and not (new.issuer is null and new.status = 'INVITED') then
    raise exception 'an operator is tied to one account of the issuer'
      using errcode = 'restrict_violation', constraint = 'operators_identity_kept';
  end if;
  return new;
end $$;

create trigger operators_keep_identity before update of issuer, subject on operators
  for each row execute function guard_operator_identity();
