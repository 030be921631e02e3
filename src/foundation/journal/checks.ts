import type { Run } from '#foundation/database/database.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { describeFault, storedChain, walkChain } from '#foundation/journal/chain.ts';
import { listStoredEnds } from '#foundation/journal/chain-store.ts';
import { isSignedBy } from '#foundation/journal/heads.ts';
import {
  type JournalKeyRow,
  listAllHeads,
  listKeys,
  type SignedHead,
} from '#foundation/journal/heads-store.ts';
import { checkRows, type LedgerCheck } from '#foundation/ledger/checks.ts';
import { kindsWithBalance } from '#foundation/ledger/kinds.ts';

/** Kinds of accounts that have no sum, because a whole platform shares each account. */
const shared = rawSql(`all('{${kindsWithBalance('summed').join(',')}}')`);

/** The entries that the follower has read. */
const READ_LINES = sql`
  select l.platform_id, l.account, l.currency, l.created_at as at, l.seq, l.line_no,
         case l.side when 'DEBIT' then l.amount else -l.amount end as amount
    from ledger_lines l
    join journal_marks m on m.platform_id = l.platform_id and l.seq <= m.seq`;

const linesAgree = checkRows(
  'the lines of the accounts are the lines of the journal, each once',
  'money.md §13.1',
  sql`select platform_id, account, currency, at, seq, line_no, k.amount as kept, j.amount as posted,
             k.amount = j.amount as ok
        from (select platform_id, account, currency, at, seq, line_no, amount from account_lines
               where line_no > 0) k
        full join (${READ_LINES}) j using (platform_id, account, currency, at, seq, line_no)`,
  sql`format('line %s of entry %s of platform %s on %s: kept %s, posted %s', r.line_no, r.seq, r.platform_id, r.account,
             coalesce(r.kept::text, 'nothing'), coalesce(r.posted::text, 'nothing'))`,
);

const kindsAgree = checkRows(
  'the line of a kind of accounts is the sum of the lines of its accounts',
  'money.md §13.2',
  sql`select platform_id, account, currency, at, seq, k.amount as kept, j.amount as posted, k.amount = j.amount as ok
        from (select platform_id, account, currency, at, seq, amount from account_lines where line_no = 0) k
        full join (
          select l.platform_id, split_part(l.account, ':', 1) as account, l.currency, l.at, l.seq,
                 sum(l.amount) as amount
            from (${READ_LINES}) l
           where split_part(l.account, ':', 1) <> ${shared}
           group by 1, 2, 3, 4, 5
          having sum(l.amount) <> 0) j using (platform_id, account, currency, at, seq)`,
  sql`format('entry %s of platform %s on all %s: kept %s, posted %s', r.seq, r.platform_id, r.account,
             coalesce(r.kept::text, 'nothing'), coalesce(r.posted::text, 'nothing'))`,
);

const balancesFollow = checkRows(
  'the balance after each line of an account is the sum of its lines up to there',
  'money.md §13.1',
  sql`select k.platform_id, k.account, k.currency, k.seq, k.line_no,
             k.balance = sum(k.amount) over (
               partition by k.platform_id, k.account, k.currency order by k.at, k.seq, k.line_no
               rows unbounded preceding) as ok
        from account_lines k`,
  sql`format('the balance of %s in %s, platform %s, after line %s of entry %s is not the sum of its lines',
             r.account, r.currency, r.platform_id, r.line_no, r.seq)`,
);

const chainHolds: LedgerCheck = {
  name: 'no entry was changed, removed or inserted since it was added to its chain',
  rule: 'money.md §13.6',
  async run(run: Run) {
    let examined = 0n;
    const violations: string[] = [];
    for (const end of await listStoredEnds(run)) {
      const { fault, entryCount } = await walkChain(run, storedChain(run, end));
      examined += entryCount;
      if (fault) violations.push(describeFault(fault));
    }
    return { examined, violations };
  },
};

const headsAreSigned: LedgerCheck = {
  name: 'the service has signed every head of a chain',
  rule: 'money.md §13.7',
  async run(run: Run) {
    const isSigned = (head: SignedHead, keys: readonly JournalKeyRow[]) => {
      const key = keys.find(({ id }) => id === head.keyId);
      return key !== undefined && isSignedBy(key.publicKey, head);
    };
    let examined = 0n;
    const violations: string[] = [];
    for (let page = await listAllHeads(run); page.length > 0; page = await listAllHeads(run, page.at(-1))) {
      examined += BigInt(page.length);
      // Read after the heads, because a worker may add a key and sign with it meanwhile.
      const keys = await listKeys(run);
      for (const head of page.filter((one) => !isSigned(one, keys))) {
        const { seq, platformId, keyId } = head;
        violations.push(`the head at entry ${seq} of platform ${platformId} is not signed by key ${keyId}`);
      }
    }
    return { examined, violations };
  },
};

/** The checks of what is derived from the journal. */
export const DERIVED_CHECKS: readonly LedgerCheck[] = [
  linesAgree,
  kindsAgree,
  balancesFollow,
  chainHolds,
  headsAreSigned,
];
