-- W46a: where a wallet's identity key is derived from its words. Wallets that were made before this column have
-- account 0; new ones say their own path.
alter table wallet_keys add column derivation_path text collate "C" not null default 'm/8797555''/0''/0''';
