-- A column of sealed values says so, and what its values are bound to, in a comment: key rotation reads the
-- comments of the schema. Later tables bring theirs with their migrations; these are the first one's.
comment on column platforms.webhook_private_key is 'sealed: platforms.webhook_private_key:{id}';
comment on column idempotency_keys.reply is 'sealed: idempotency_keys.reply:{platform_id}:{scope}:{key}';
