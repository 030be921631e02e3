import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';

/** A transfer in plain SQL, the yardstick of the budgets: begin, five prepared statements, commit. */
export interface PlainTransfers {
  transfer(): Promise<void>;
}

const ACCOUNTS = 10_000;
const TELLERS = 1_000;
const BRANCHES = 100;

/** TPC-B shaped. The tables are created again; `database` should hold as many connections as there are callers. */
export async function setup(database: Database): Promise<PlainTransfers> {
  await database.query(
    sql`drop table if exists plain_accounts, plain_tellers, plain_branches, plain_history`,
  );
  await database.query(
    sql`create table plain_accounts (id integer primary key, balance bigint not null, filler text not null)
        with (fillfactor = 60)`,
  );
  await database.query(
    sql`create table plain_tellers (id integer primary key, balance bigint not null, filler text not null)
        with (fillfactor = 60)`,
  );
  await database.query(
    sql`create table plain_branches (id integer primary key, balance bigint not null, filler text not null)
        with (fillfactor = 60)`,
  );
  await database.query(
    sql`create table plain_history (account_id integer, teller_id integer, branch_id integer, delta bigint,
                                    at timestamptz, filler text)`,
  );
  // DDL takes no parameters, so the sizes stand in the rows alone.
  await database.query(
    sql`insert into plain_accounts select n, 0, repeat('x', 84) from generate_series(1, ${ACCOUNTS}::integer) n`,
  );
  await database.query(
    sql`insert into plain_tellers select n, 0, repeat('x', 84) from generate_series(1, ${TELLERS}::integer) n`,
  );
  await database.query(
    sql`insert into plain_branches select n, 0, repeat('x', 88) from generate_series(1, ${BRANCHES}::integer) n`,
  );
  for (const table of [sql`plain_accounts`, sql`plain_tellers`, sql`plain_branches`]) {
    await database.query(sql`analyze ${table}`);
  }
  return { transfer: () => transfer(database) };
}

async function transfer(database: Database): Promise<void> {
  const account = pick(ACCOUNTS);
  const teller = pick(TELLERS);
  const branch = pick(BRANCHES);
  const delta = BigInt(pick(10_000) - 5_000);
  await database.transaction(async (run) => {
    await run(sql`update plain_accounts set balance = balance + ${delta} where id = ${account}`);
    await run(sql`select balance from plain_accounts where id = ${account}`);
    await run(sql`update plain_tellers set balance = balance + ${delta} where id = ${teller}`);
    await run(sql`update plain_branches set balance = balance + ${delta} where id = ${branch}`);
    await run(
      sql`insert into plain_history (account_id, teller_id, branch_id, delta, at, filler)
          values (${account}, ${teller}, ${branch}, ${delta}, clock_timestamp(), repeat('x', 22))`,
    );
  });
}

function pick(count: number): number {
  return 1 + Math.floor(Math.random() * count);
}
