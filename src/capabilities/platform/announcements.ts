import { announcement } from '#foundation/events/reactions.ts';

/** A currency was added to the platform's list, at its creation or later; it may have been in the list before. */
export const currencyConfigured = announcement<{ code: string }>('currencyConfigured');

/** The platform set a new webhook endpoint; clearing it is not announced (platform.md §3.2.3). */
export const webhookEndpointChanged = announcement<{ endpoint: string }>('webhookEndpointChanged');
