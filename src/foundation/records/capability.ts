import type { Manifest } from '#foundation/manifest.ts';
import { eraseReadReasons, purgeReads } from '#foundation/records/reads-store.ts';

export const records = {
  name: 'records',
  purges: [purgeReads],
  erasers: [eraseReadReasons],
} satisfies Manifest;
