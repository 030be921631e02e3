import type { Capability } from '#capabilities/capability.ts';
import { documentOperations } from '#capabilities/documents/routes.ts';

export const documents = {
  name: 'documents',
  operations: documentOperations,
  searchPlaces: [{ type: 'Document', table: 'documents' }],
} satisfies Capability;
