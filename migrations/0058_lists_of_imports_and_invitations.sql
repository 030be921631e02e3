-- Lists of imports and invitations are read along an index (platform.md §1.4). Ties between invitations are broken by a
-- UUID that follows from the code, because the keys of all lists end in one.
create index customer_imports_newest on customer_imports (platform_id, created_at desc, id desc);
create index invitations_listed on invitations (platform_id, created_at desc, (md5(code)::uuid) desc);
create index invitations_listed_by_customer
  on invitations (platform_id, customer_id, created_at desc, (md5(code)::uuid) desc);
drop index invitations_newest;
drop index invitations_of_customer;
