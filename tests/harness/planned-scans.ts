import assert from 'node:assert/strict';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** How a statement has read one table. */
export interface Scan {
  readonly 'Node Type': string;
  readonly 'Relation Name': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops'?: number;
}

interface PlanNode extends Partial<Scan> {
  readonly Plans?: readonly PlanNode[];
}

/** Runs the statement with the plan that PostgreSQL chooses, and returns how each table was read. */
export async function plannedScans(tx: Pick<ReadTx, 'query'>, statement: Sql): Promise<Scan[]> {
  const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`
    explain (analyze, timing off, format json) ${statement}`);
  assert.ok(row);
  return flatten(row['QUERY PLAN'][0].Plan).filter(isScan);
}

/** The rows that a scan read, returned or discarded. */
export function rowsRead({ 'Actual Rows': given, 'Rows Removed by Filter': removed = 0 }: Scan): number {
  return given + removed;
}

function flatten({ Plans = [], ...node }: PlanNode): PlanNode[] {
  return [node, ...Plans.flatMap(flatten)];
}

function isScan(node: PlanNode): node is Scan {
  return 'Relation Name' in node;
}
