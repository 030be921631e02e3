import { missingBackup, unprovenBooks } from '#foundation/audit/attention.ts';
import { keepAuditMonths, purgeAuditRows } from '#foundation/audit/month-store.ts';
import { eraseAddresses } from '#foundation/audit/store.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const audit = {
  name: 'audit',
  upkeep: [{ name: 'months of the audit log', run: keepAuditMonths }],
  purges: [purgeAuditRows],
  erasers: [eraseAddresses],
  attention: [unprovenBooks, missingBackup],
} satisfies Manifest;
