/** connectors.md §5.6: how long the API's cancel waits. */
export const CANCEL_MAX_MS = 10_000;
/** connectors.md §3.3. */
export const CAPABILITIES_EVERY_MS = 300_000;
/** connectors.md §7.5. */
export const LEASE_MS = 60_000;
/** connectors.md §7.7. */
export const DOWN_EVERY_MS = 10_000;
