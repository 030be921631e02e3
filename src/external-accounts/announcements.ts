import { announcement } from '#events/reactions.ts';

/** Whether the platform issues a token of this name; whoever keeps issued tokens accepts its own (accounts.md §4.4). */
export const issuedTokenAsked = announcement<{ readonly code: string; accept(): void }>('issuedTokenAsked');
