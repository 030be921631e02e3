import { announcement } from '#foundation/events/reactions.ts';

/** A command did at once what needs a second operator (operator.md §7.2). The transaction may be that of any platform. */
export const breakGlassUsed = announcement<Id<'BreakGlass'>>('breakGlassUsed');
