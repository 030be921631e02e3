import { bookOperations } from '#foundation/books/routes.ts';
import type { ExplanationParts } from '#foundation/explanation/explain.ts';
import type { LedgerCheck } from '#foundation/ledger/checks.ts';
import type { Manifest } from '#foundation/manifest.ts';

interface Parts extends ExplanationParts {
  readonly ledgerChecks: readonly LedgerCheck[];
}

export const books = {
  name: 'books',
  operatorOperations: (parts: Parts) => bookOperations(parts),
} satisfies Manifest;
