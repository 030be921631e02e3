import type { Capability } from '#capabilities/capability.ts';
import { destroyOldTexts } from '#capabilities/reconciliation/purge.ts';
import {
  operatorStatements,
  type StatementParts,
  statementOperations,
} from '#capabilities/statements/routes.ts';

/** Statements of our accounts; the upkeep is that of the banks' statements, which bring nothing else to the service. */
export const statements = {
  name: 'statements',
  operations: (parts: StatementParts) => statementOperations(parts),
  operatorOperations: (parts: StatementParts) => operatorStatements(parts),
  upkeep: [destroyOldTexts],
} satisfies Capability;
