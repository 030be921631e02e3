/** Who may claim an invitation, beside customers of the platform that claims it (platform.md §5.3). */
export interface InviteesPort {
  /** Whether this address may, though no customer of the claiming platform has it. */
  acceptsStranger(umaAddress: string): boolean;
}
