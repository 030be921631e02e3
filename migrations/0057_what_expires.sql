-- What expires next on a platform's clock is listed along an index (platform.md §1.5.5).
create index invitations_expiring on invitations (platform_id, expires_at)
  where status = 'PENDING' and expires_at is not null;
create index agent_device_codes_expiring on agent_device_codes (platform_id, expires_at)
  where redeemed_at is null and superseded_at is null;
