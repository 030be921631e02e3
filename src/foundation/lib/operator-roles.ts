/** The roles of the people who run the service (operator.md §2.1). They add up, and no role contains another. */
export const OPERATOR_ROLES = ['viewer', 'support', 'compliance', 'finance', 'treasury', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** For operations that only read: every operator may see everything, masked for the role. */
export const EVERY_ROLE: readonly OperatorRole[] = OPERATOR_ROLES;

/** Roles that decide something: a viewer only reads. */
export const DECIDING_ROLES: readonly OperatorRole[] = OPERATOR_ROLES.filter((role) => role !== 'viewer');
