import type { ExplanationParts } from '#foundation/explanation/explain.ts';
import { operatorExplanations } from '#foundation/explanation/operator-routes.ts';
import { explanationOperations, type FlushedLog } from '#foundation/explanation/routes.ts';
import type { Manifest } from '#foundation/manifest.ts';

interface Parts extends ExplanationParts {
  readonly requestLog: FlushedLog;
}

export const explanation = {
  name: 'explanation',
  operatorOperations: (parts: Parts) => operatorExplanations(parts, parts.requestLog),
  operations: (parts: Parts) => explanationOperations(parts, parts.requestLog),
} satisfies Manifest;
