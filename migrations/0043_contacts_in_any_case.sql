-- W49: two spellings of an e-mail address that differ only in upper and lower case are one address. E-mail addresses of
-- customers are ASCII, so the folding of the collation "C" is all that is needed, and it is the same on every server.
-- Credentials without issuer and WebAuthn id are those of the OTP kinds.
create index wallet_credentials_by_folded_contact on wallet_credentials (platform_id, lower(nickname collate "C"))
  where issuer is null and webauthn_id is null;
drop index wallet_credentials_by_contact;
