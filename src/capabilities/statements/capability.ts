import type { Capability } from '#capabilities/capability.ts';
import {
  operatorStatements,
  type StatementParts,
  statementOperations,
} from '#capabilities/statements/routes.ts';

export const statements = {
  name: 'statements',
  operations: (parts: StatementParts) => statementOperations(parts),
  operatorOperations: (parts: StatementParts) => operatorStatements(parts),
} satisfies Capability;
