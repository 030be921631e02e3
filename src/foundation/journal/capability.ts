import { DERIVED_CHECKS } from '#foundation/journal/checks.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const journal = {
  name: 'journal',
  // An entry is found once the books have it. Those who read the books may read it.
  searchPlaces: [
    {
      ...{ type: 'JournalEntry', table: 'journal_chain', id: 'entry_id', at: 'null::timestamptz' },
      operators: ['finance', 'treasury'],
    },
  ],
  ledgerChecks: DERIVED_CHECKS,
} satisfies Manifest;
