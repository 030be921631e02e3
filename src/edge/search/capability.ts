import { searchOperations } from '#edge/search/routes.ts';
import type { SearchPlace } from '#foundation/database/search.ts';
import type { Manifest } from '#foundation/manifest.ts';

export const search = {
  name: 'search',
  operations: ({ searchPlaces }: { readonly searchPlaces: readonly SearchPlace[] }) =>
    searchOperations(searchPlaces),
} satisfies Manifest;
