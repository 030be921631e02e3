import type { Capability } from '#capabilities/capability.ts';
import { tokenOperations } from '#capabilities/tokens/routes.ts';

export const tokens = { name: 'tokens', operations: tokenOperations } satisfies Capability;
