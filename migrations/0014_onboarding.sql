-- Links to the hosted onboarding page (customers.md §6).

create table onboarding_links (
  platform_id uuid not null references platforms,
  id uuid not null,
  customer_id uuid not null,
  -- SHA-256 of the link's secret: 256 random bits need no salt, and the row does not open the page.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  -- Sealed, as platform_configs.webhook_endpoint is.
  redirect_uri bytea constraint onboarding_links_redirect_sealed check (get_byte(redirect_uri, 0) < 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When a complete form was taken.
  used_at timestamptz,
  -- When the customer was deleted.
  revoked_at timestamptz,
  primary key (platform_id, id),
  foreign key (platform_id, customer_id) references customers
);
comment on column onboarding_links.redirect_uri is 'sealed: onboarding_links.redirect_uri:{id}';
create unique index onboarding_links_secret on onboarding_links (platform_id, secret_hash);
create index onboarding_links_by_customer on onboarding_links (platform_id, customer_id);
create index onboarding_links_by_age on onboarding_links (platform_id, expires_at);
