-- The ACTIVE sessions of these wallets that a key signs for (wallets.md §6.7.42). This is the only definition.
create or replace function wallet_signers(of_platform uuid, wallets uuid[], public_key text, at timestamptz)
returns table (id uuid, account_id uuid, credential_id uuid) stable language sql as $$
  select s.id, s.account_id, s.credential_id
    from wallet_sessions s
   where s.platform_id = of_platform and s.account_id = any(wallets) and s.public_keys @> array[public_key]
     and s.revoked_at is null and s.expires_at > at
$$;

-- Whether a key signs for this wallet. It is in plpgsql, so that it never becomes part of the caller's plan: a
-- statement that calls it for few of its rows pays nothing for the others.
create or replace function wallet_has_signer(of_platform uuid, wallet uuid, public_key text, at timestamptz)
returns boolean stable language plpgsql as $$
begin
  return exists (select from wallet_signers(of_platform, array[wallet], public_key, at));
end $$;
