import type { ExplanationParts } from '#foundation/explanation/explain.ts';
import { explanationOperations, type FlushedLog } from '#foundation/explanation/routes.ts';
import type { Manifest } from '#foundation/manifest.ts';

interface Parts extends ExplanationParts {
  readonly requestLog: FlushedLog;
}

export const explanation = {
  name: 'explanation',
  operations: (parts: Parts) => explanationOperations(parts, parts.requestLog),
} satisfies Manifest;
