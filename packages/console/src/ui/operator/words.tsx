import { SUMMARIES } from '../../api/operator/generated/summaries.ts';
import { sayField } from '../text.tsx';

/** An operation as its document names it; one of another version by its id. */
export function sayOperation(operation: string): string {
  return SUMMARIES[operation] ?? sayField(operation);
}
