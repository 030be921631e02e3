import { Readable } from 'node:stream';
import { listAllOperators } from '#capabilities/operators/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { csvCell, csvLine } from '#foundation/records/csv.ts';

const COLUMNS = ['id', 'name', 'email', 'status', 'roles', 'invitedBy', 'createdAt', 'lastSeenAt'] as const;

/** operator.md §2.3: a file for those who review once a year who can do what. */
export const accessReview = operation('exportAccessReview', {
  route: 'GET /operators/access-review',
  area: 'Operators',
  summary: 'Export who has which role',
  description:
    'A CSV file of all people who run the service, also those who were removed, with their roles and their last visit. The ' +
    'export is in the audit log.',
  access: 'operator',
  operator: { roles: ['admin'], on: 'installation', stepUp: true },
  codes: [],
  async handle(work) {
    const people = await work.write(async (tx) => {
      const found = await listAllOperators(tx);
      audit(tx, { action: 'operator access-review', details: { operators: found.length } });
      return found;
    });
    const lines = people.map((person) => {
      const row = { ...person, id: publicId('Operator', person.id) };
      return csvLine(COLUMNS.map((column) => csvCell(row[column])));
    });
    return new Reply(200, Readable.from([csvLine(COLUMNS), ...lines]) as never, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="access-review.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  },
});
