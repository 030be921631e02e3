import { DERIVED_CHECKS } from '#foundation/journal/checks.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const journal = {
  name: 'journal',
  // Operators who read the books find an entry, once the follower of the journal has copied it.
  searchPlaces: [
    {
      ...{ type: 'JournalEntry', table: 'journal_chain', id: 'entry_id', at: 'null::timestamptz' },
      operators: ['finance', 'treasury'],
    },
  ],
  ledgerChecks: DERIVED_CHECKS,
} satisfies Manifest;
