-- What a request had that its operation does not know, as the header of its reply named it (platform.md §1.1.6): JSON,
-- sealed, since a client may put anything where a name belongs. Apart from the bodies, because the list shows it too.
alter table request_logs add column unknown_fields bytea;
-- Ciphertext does not compress.
alter table request_logs alter column unknown_fields set storage external;
comment on column request_logs.unknown_fields is 'sealed: request_logs.unknown_fields:{platform_id}:{id}';
