import type { Manifest } from '#foundation/manifest.ts';
import { AUDIT_LIST, READS_LIST } from '#foundation/records/audit-records.ts';
import { recordOperations } from '#foundation/records/operations.ts';
import { eraseReadReasons, purgeReads } from '#foundation/records/reads-store.ts';

export const records = {
  name: 'records',
  operatorOperations: recordOperations([AUDIT_LIST, READS_LIST], []),
  purges: [purgeReads],
  erasers: [eraseReadReasons],
} satisfies Manifest;
