import { announcement } from '#foundation/events/reactions.ts';

/**
 * An operator lost a role, was suspended or removed, or has to register again. Pending proposals of this
 * operator end in the same commit. The transaction may be that of any platform.
 */
export const operatorCurtailed = announcement<{ operatorId: Id<'Operator'>; reason: string }>(
  'operatorCurtailed',
);
