import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { listOperations } from './list-operations.ts';
import type { RecordList, RecordShow } from './record-list.ts';
import { showOperations } from './show-operations.ts';

/** Everything that operators do with lists and records, made from their declarations (operator.md §6). */
export function recordOperations(
  lists: readonly RecordList[],
  shows: readonly RecordShow[],
): NamedOperation[] {
  return [...lists.flatMap(listOperations), ...shows.flatMap(showOperations)];
}
