import { announcement } from '#events/reactions.ts';

/**
 * Whether the platform issues a token with this code: the capability that keeps such tokens accepts it (accounts.md
 * §4.4).
 */
export const issuedTokenLookup = announcement<{ readonly code: string; accept(): void }>('issuedTokenLookup');
