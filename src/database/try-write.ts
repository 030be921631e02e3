import { sql } from '#database/sql.ts';

/**
 * Writes something and takes it back: a new table and a row in it need room on the disk, where a change of what is
 * there may find some in a page that is not full. A server that takes no writes, or has no room for any, fails.
 */
export const TRY_WRITE = sql`
  do $$
  begin
    create table write_that_is_taken_back (tried int);
    insert into write_that_is_taken_back values (1);
    raise exception using errcode = 'UNDO0';
  exception when sqlstate 'UNDO0' then
    null;
  end $$`;
