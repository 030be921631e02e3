import type { Capability } from '#capabilities/capability.ts';
import { BOOKING_CHECKS, MATCH_CHECKS } from '#capabilities/reconciliation/ledger-checks.ts';
import { lineChanges } from '#capabilities/reconciliation/operator/changes.ts';
import { reconciliationReads } from '#capabilities/reconciliation/operator/reads.ts';
import { destroyOldTexts, type RetentionParts } from '#capabilities/reconciliation/purge.ts';
import {
  operatorStatements,
  type StatementParts,
  statementOperations,
} from '#capabilities/statements/routes.ts';

/** Statements of our accounts, and those of banks: what operators book about their lines, and the end of their texts. */
export const statements = {
  name: 'statements',
  operations: (parts: StatementParts) => statementOperations(parts),
  operatorOperations: (parts: StatementParts) => [
    ...operatorStatements(parts),
    ...reconciliationReads,
    ...lineChanges,
  ],
  ledgerChecks: [...MATCH_CHECKS, ...BOOKING_CHECKS],
  upkeep: ({ bankTextsKeptDays }: RetentionParts) => destroyOldTexts(bankTextsKeptDays),
} satisfies Capability;
