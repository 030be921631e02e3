-- A connector may demand that this service shows a certificate (docs/rules/connectors.md §1.6). Chain and key are
-- sealed together; the time is that of the part that ends first.
alter table connectors add column client_certificate bytea;
alter table connectors add column client_certificate_until timestamptz;
alter table connectors add check ((client_certificate is null) = (client_certificate_until is null));
comment on column connectors.client_certificate is 'sealed: connectors.client_certificate:{id}';
