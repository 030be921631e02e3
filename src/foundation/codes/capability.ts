import { purgeAttempts } from '#foundation/codes/limit-store.ts';
import { purgeCodes } from '#foundation/codes/store.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const codes = {
  name: 'codes',
  purges: [purgeCodes, purgeAttempts],
} satisfies Manifest;
