import { CHANGES } from '../../api/operator/generated/changes.ts';
import { sayField } from '../text.tsx';

/** An operation as its document names it; one of another version by its id. */
export function sayOperation(operation: string): string {
  return CHANGES[operation]?.summary ?? sayField(operation);
}
