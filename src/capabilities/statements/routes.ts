import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { EMPTY_STATEMENT } from '#capabilities/statements/examples.ts';
import { readStatementPage } from '#capabilities/statements/read-statement.ts';
import { openStatementFile, replyWith } from '#capabilities/statements/render.ts';
import {
  AccountStatement,
  AccountStatementQuery,
  STATEMENT_QUERY,
  type StatementQuery,
} from '#capabilities/statements/schemas.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageQuery } from '#foundation/http/schema.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { recordRead } from '#foundation/records/record-read.ts';

export interface StatementParts {
  readonly transactionSources: readonly TransactionSource[];
}

const DESCRIPTION =
  'Opening balance, every movement and closing balance of an account over days of a time zone, amounts on hold included. ' +
  'The movements are in the order in which they were booked. JSON comes in pages; the other formats are one file of at most ' +
  '100,000 movements. Once a period ended five minutes ago, its statement is always the same.';

export const statementOperations = (parts: StatementParts) => [
  operation('getAccountStatement', {
    route: 'GET /account-statements',
    area: 'Internal Accounts',
    summary: 'Read the statement of an account',
    description: DESCRIPTION,
    access: 'view',
    isBeyondContract: true,
    query: AccountStatementQuery,
    reply: AccountStatement,
    codes: ['ACCOUNT_NOT_FOUND', 'INVALID_INPUT'],
    examples: {
      'A month without movements': {
        query: { accountId: EXAMPLE_IDS.adaUsd, from: '2020-02-01', to: '2020-02-29' },
        reply: EMPTY_STATEMENT,
      },
    },
    handle: (work, { query: { accountId, ...query } }) =>
      answer(work, parts, parseId('InternalAccount', accountId), query),
  }),
];

/** The same for operators, in clear (operator.md §4.3); who looked is recorded, since a statement names people. */
export const operatorStatements = (parts: StatementParts) => [
  operation('showAccountStatement', {
    route: 'GET /internal-accounts/:id/statement',
    area: 'Accounts',
    summary: 'Read the statement of an account',
    description: DESCRIPTION,
    access: 'operator',
    operator: { roles: ['finance'], on: 'resource', stepUp: true },
    params: { id: { id: 'InternalAccount', missing: 'ACCOUNT_NOT_FOUND', description: 'The account.' } },
    query: pageQuery(STATEMENT_QUERY),
    reply: AccountStatement,
    codes: ['ACCOUNT_NOT_FOUND', 'INVALID_INPUT', 'STEP_UP_REQUIRED'],
    async handle(work, { caller, params: { id }, query }) {
      const resource = publicId('InternalAccount', id);
      const fields = ['statement', query.from, query.to];
      const platformId = work.platform.id;
      await recordRead(work.runtime, caller as OperatorCaller, {
        kind: 'EXPORT',
        platformId,
        resource,
        fields,
      });
      return answer(work, parts, id, query);
    },
  }),
];

function answer(
  work: CallWork,
  { transactionSources: sources }: StatementParts,
  id: AccountId | undefined,
  query: StatementQuery,
) {
  const { format = 'json' } = query;
  if (format === 'json') return work.read((tx) => readStatementPage(tx, sources, id, query));
  return openStatementFile(work, { id, sources, query: { ...query, format } }).then(replyWith);
}
