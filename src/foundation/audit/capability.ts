import { missingBackup, unprovenBooks } from '#foundation/audit/attention.ts';
import { eraseAddresses, purgeAuditRows } from '#foundation/audit/store.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const audit = {
  name: 'audit',
  purges: [purgeAuditRows],
  erasers: [eraseAddresses],
  attention: [unprovenBooks, missingBackup],
} satisfies Manifest;
