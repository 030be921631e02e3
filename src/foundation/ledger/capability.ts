import { LEDGER_CHECKS } from '#foundation/ledger/checks.ts';
import { OPEN_ITEM_CHECKS } from '#foundation/ledger/open-items-checks.ts';
import { rollUpAfter } from '#foundation/ledger/store.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const ledger = {
  name: 'ledger',
  daily: rollUpAfter,
  ledgerChecks: [...LEDGER_CHECKS, ...OPEN_ITEM_CHECKS],
} satisfies Manifest;
