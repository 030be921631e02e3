import { DERIVED_CHECKS } from '#foundation/journal/checks.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const journal = {
  name: 'journal',
  ledgerChecks: DERIVED_CHECKS,
} satisfies Manifest;
