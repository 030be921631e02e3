-- URLs that platforms give may hold secrets in their query: they are sealed like those. A migration has no key, so
-- what is there is put aside, and sealed when a process next opens its keys (src/database/seal-clear.ts); the partial
-- indexes say whether anything is left.
alter table platform_configs rename column webhook_endpoint to webhook_endpoint_clear;
alter table platform_configs add column webhook_endpoint bytea;
comment on column platform_configs.webhook_endpoint is 'sealed: platform_configs.webhook_endpoint:{platform_id}';
comment on column platform_configs.webhook_endpoint_clear is 'in clear: webhook_endpoint';
create index platform_configs_clear on platform_configs (platform_id) where webhook_endpoint_clear is not null;

alter table webhook_attempts rename column url to url_clear;
alter table webhook_attempts alter column url_clear drop not null;
alter table webhook_attempts add column url bytea;
alter table webhook_attempts add check ((url is null) <> (url_clear is null));
comment on column webhook_attempts.url is 'sealed: webhook_attempts.url:{event_id}:{attempt}';
comment on column webhook_attempts.url_clear is 'in clear: url';
create index webhook_attempts_clear on webhook_attempts (platform_id, event_id, attempt) where url_clear is not null;

alter table onboarding_links rename column redirect_uri to redirect_uri_clear;
alter table onboarding_links add column redirect_uri bytea;
comment on column onboarding_links.redirect_uri is 'sealed: onboarding_links.redirect_uri:{id}';
comment on column onboarding_links.redirect_uri_clear is 'in clear: redirect_uri';
create index onboarding_links_clear on onboarding_links (platform_id, id) where redirect_uri_clear is not null;

-- It returns the endpoint sealed.
drop function if exists claim_webhooks;
