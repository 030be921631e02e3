/** Addresses that may claim an invitation, beside those of the claiming platform's customers (platform.md §5.3). */
export interface InviteesPort {
  /** Whether this address may claim it although no customer of the claiming platform has it. */
  acceptsStranger(umaAddress: string): boolean;
}
