import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Database } from '#foundation/database/database.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Tables that have few rows in any installation. Their lists may read all rows. */
const SMALL = ['connectors', 'connector_routes', 'platforms'];

/** Values that some row might have, by the type of the field. */
const WHOLE = [
  'ada@example.com',
  '$ada@uma.example',
  '+4915112345678',
  'Ada Lovelace',
  'REF-1',
  '4111111111111111',
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

describe('the query plans of what operators read over HTTP', () => {
  let heard: Sql[] | undefined;
  const world = testWorld({ prepare: async (database) => listen(database) });
  let platformId: PlatformId;

  /** Is called with each statement that reads, also in a transaction. */
  function listen(database: Database): void {
    const { query, lookUp, transaction } = database;
    const noted =
      (send: Database['query']): Database['query'] =>
      (piece) => {
        heard?.push(piece);
        return send(piece);
      };
    Object.assign(database, {
      query: noted(query),
      lookUp: noted(lookUp),
      transaction: <T>(steps: Parameters<typeof transaction<T>>[0]) =>
        transaction<T>((run, runAll) => steps(noted(run), runAll)),
    });
  }

  before(async () => {
    const platform = await givenPlatform(world);
    platformId = platform.id;
    await givenPayer(platform);
  });

  /** Returns the plans of a call's statements, while the planner has to use indexes wherever it can. */
  async function plansOf(
    operation: NamedOperation,
    called: { query: object; body?: object },
    off: readonly string[],
  ): Promise<PlanNode[]> {
    const caller: OperatorCaller = {
      ...{ kind: 'operator', id: `Operator:${newUuid()}`, roles: EVERY_ROLE, platform: INSTALLATION },
      session: { id: newUuid(), steppedUpAt: new Date(world.clock.now()) },
    };
    heard = [];
    const { status } = await world.app.perform(operation, { caller, params: {}, ...called } as never);
    const statements = heard;
    heard = undefined;
    assert.equal(status, 200, operation.id);
    const plans: PlanNode[] = [];
    for (const statement of statements) {
      const plan = await world.app.runtime.database.transaction(async (run) => {
        for (const way of off) await run(sql`select set_config(${`enable_${way}`}, 'off', true)`);
        const rows = await run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          sql`explain (format json) ${statement}`,
        );
        return rows[0]?.['QUERY PLAN'][0].Plan;
      });
      if (plan) plans.push(plan);
    }
    return plans;
  }

  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  const wholeTables = (plans: readonly PlanNode[]): string[] =>
    plans
      .flatMap(nodesOf)
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '')
      .filter((table) => !SMALL.includes(table));
  /** Returns sorts of more rows than a small table has, or than a limit below the sort lets through. */
  const sortsOf = (plans: readonly PlanNode[]): string[] =>
    plans
      .flatMap(nodesOf)
      .filter((node) => node['Node Type'] === 'Sort' && isOpenBelow(node))
      .map((node) => JSON.stringify(node));
  const isOpenBelow = (node: PlanNode): boolean => {
    const { 'Relation Name': table, 'Node Type': type, Plans = [] } = node;
    if (type === 'Limit') return false;
    return (table !== undefined && !SMALL.includes(table)) || Plans.some(isOpenBelow);
  };

  it('operator.md §6.2: the first page of every list walks an index in the list’s own order', async () => {
    const lists = world.app.operatorOperations.filter(({ id }) => id.startsWith('listAll'));
    assert.ok(lists.length >= 25);
    const found: Record<string, string[]> = {};
    for (const list of lists) {
      const { properties = {} } = list.query as { properties?: object };
      const query = { limit: 20, ...('platform' in properties && { platform: platformId }) };
      const plans = await plansOf(list, { query }, ['seqscan', 'bitmapscan', 'sort']);
      const faults = [...wholeTables(plans), ...sortsOf(plans)];
      if (faults.length > 0) found[list.id] = faults;
    }
    assert.deepEqual(found, {});
  });

  it('operator.md §6.2: every search by a whole value reads the rows of the value along an index', async () => {
    const searches = world.app.operatorOperations.filter(({ path }) => path.endsWith('/search'));
    assert.ok(searches.length >= 5);
    const found: Record<string, string[]> = {};
    for (const search of searches) {
      const { properties = {} } = search.body as { properties?: Record<string, unknown> };
      for (const field of Object.keys(properties)) {
        for (const value of WHOLE) {
          const plans = await plansOf(search, { query: {}, body: { [field]: value } }, ['seqscan']).catch(
            (error) => {
              // A name is no e-mail address.
              if (error instanceof Refusal) return [];
              throw error;
            },
          );
          const faults = wholeTables(plans);
          if (faults.length > 0) found[`${search.id} ${field} ${value}`] = faults;
        }
      }
    }
    assert.deepEqual(found, {});
  });
});
