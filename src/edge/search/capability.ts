import { findRecords } from '#edge/search/find-records.ts';
import { searchOperations } from '#edge/search/routes.ts';
import type { SearchPlace } from '#foundation/database/search.ts';
import type { Manifest } from '#foundation/manifest.ts';

interface Parts {
  readonly searchPlaces: readonly SearchPlace[];
}

export const search = {
  name: 'search',
  operations: ({ searchPlaces }: Parts) => searchOperations(searchPlaces),
  operatorOperations: ({ searchPlaces }: Parts) => [findRecords(searchPlaces)],
} satisfies Manifest<Parts>;
