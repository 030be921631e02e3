import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { audit, RefusedProof } from '#foundation/audit/audit.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { throwStale } from '#foundation/database/reasons.ts';
import { versionedRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import { Change, type ReadTx } from '#foundation/database/tx.ts';
import { type Gate, PASSED } from '#foundation/http/declare/gates.ts';
import { type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import type { Plan } from '#foundation/http/declare/plan.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import { createPerform } from '#foundation/http/perform/perform.ts';
import { component } from '#foundation/http/schema.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal, refuse } from '#foundation/lib/refusals.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { smallServer } from '#tests/harness/small-server.ts';

const BASE = wireNames('Svc').basePath;

interface ShelfRow {
  platform_id: string;
  id: string;
  version: bigint;
  name: string;
  items: number;
}

const SHELVES = versionedRows<ShelfRow>({
  table: 'shelves',
  fixed: { name: 'text' },
  state: { items: 'integer' },
});

/** Minimal operations that can be interrupted: putting items on a shelf, with either kind of plan. */
describe('operations that are prepared and committed', () => {
  const world = testWorld();
  const servers: FastifyInstance[] = [];
  let platform: TestPlatform;
  /** The gate between `prepare` and the commit. */
  let between: Gate['check'];

  before(async () => {
    await world.database.query(sql`
      create table shelves (platform_id uuid not null, id uuid not null, version bigint not null, name text not null,
        items integer not null check (items <= 100), primary key (platform_id, id))`);
    const gate: Gate = { name: 'between', check: (tx, prepared) => between(tx, prepared) };
    for (let i = 0; i < 2; i++) servers.push(await smallServer(world, OPERATIONS, [gate]));
    platform = await world.platform();
  });
  beforeEach(() => {
    between = async () => PASSED;
  });
  after(() => Promise.all(servers.map((server) => server.close())));

  async function givenShelf(items = 0): Promise<string> {
    const id = newUuid();
    const work = await platform.work();
    const row = { platform_id: platform.id, id, version: 1n, name: 'shelf', items };
    await work.write(async (tx) => tx.collect(SHELVES.writer, { from: undefined, row }));
    return id;
  }

  async function itemsOn(id: string): Promise<number | undefined> {
    const [row] = await world.database.query<ShelfRow>(sql`select items from shelves where id = ${id}`);
    return row?.items;
  }

  async function put(
    how: 'shared' | 'own',
    shelf: string,
    body: { items: number },
    {
      key,
      server = 0,
      headers = {},
    }: { key?: string; server?: number; headers?: Record<string, string> } = {},
  ) {
    const reply = await (servers[server] as FastifyInstance).inject({
      method: 'POST',
      url: `${BASE}/shelves/${shelf}/${how}`,
      headers: {
        authorization: platform.authorization,
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      payload: body,
    });
    const isReplayed = reply.headers['idempotency-replayed'] === 'true';
    return { status: reply.statusCode, body: reply.json(), raw: reply.body, isReplayed };
  }

  async function audited(shelf: string) {
    return world.database.query<{ actor_kind: string; action: string; details: object }>(sql`
      select actor_kind, action, details from audit_log where resource like ${`%${shelf}%`} order by at, id`);
  }

  /** Opens once this many calls wait at it. */
  function barrier(count: number): () => Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = count;
    return () => {
      if (--left === 0) resolve();
      return promise;
    };
  }

  /** Runs other steps once, before the first call that arrives is committed. */
  function onceBetween(steps: () => Promise<unknown>): void {
    let isDone = false;
    between = async () => {
      if (!isDone) {
        isDone = true;
        await steps();
      }
      return PASSED;
    };
  }

  for (const how of ['shared', 'own'] as const) {
    describe(`in ${how === 'shared' ? 'a shared commit' : 'a transaction of its own'}`, () => {
      it('platform.md §2.3: the effect, its audit row and the key with the reply are one commit, and a repeated call gets the first reply', async () => {
        const shelf = await givenShelf();
        const first = await put(how, shelf, { items: 3 }, { key: 'once' });
        const again = await put(how, shelf, { items: 3 }, { key: 'once', server: 1 });
        assert.deepEqual([first.status, first.body, first.isReplayed], [201, { items: 3 }, false]);
        assert.deepEqual([again.status, again.raw, again.isReplayed], [201, first.raw, true]);
        assert.equal(await itemsOn(shelf), 3);
        assert.deepEqual(await audited(shelf), [{ actor_kind: 'token', action: `${how}Put`, details: {} }]);
        assert.equal((await put(how, shelf, { items: 4 }, { key: 'once' })).status, 409);
      });

      it('a change between `prepare` and the commit is noticed, and everything is prepared again', async () => {
        const shelf = await givenShelf();
        onceBetween(() => put(how === 'own' ? 'shared' : 'own', shelf, { items: 10 }));
        assert.deepEqual((await put(how, shelf, { items: 1 }, { key: 'late' })).body, { items: 11 });
        assert.equal(await itemsOn(shelf), 11);
        onceBetween(() => put('own', shelf, { items: 85 }));
        const refused = await put(how, shelf, { items: 5 });
        assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT'], 'full by now');
        assert.equal(await itemsOn(shelf), 96);
      });

      it('a call whose rows change before every commit is 503, and has no effect', async () => {
        const shelf = await givenShelf();
        let changes = 0;
        between = async (tx, { input }) => {
          if ((input.body as { items: number }).items !== 7) return PASSED;
          changes++;
          await tx.sql`update shelves set version = version + 1 where id = ${shelf}`;
          return PASSED;
        };
        const busy = await put(how, shelf, { items: 7 }, { key: 'busy' });
        assert.deepEqual([busy.status, busy.body.code], [503, 'SERVICE_UNAVAILABLE']);
        assert.equal(await itemsOn(shelf), 0);
        assert.equal(changes, 20);
        between = async () => PASSED;
        assert.equal((await put(how, shelf, { items: 7 }, { key: 'busy' })).status, 201);
      });

      it('platform.md §2.3: if two calls with one key in two processes are both prepared before either commits, only one has an effect', async () => {
        const shelf = await givenShelf();
        const both = barrier(2);
        between = async () => {
          await both();
          return PASSED;
        };
        const replies = await Promise.all(
          [0, 1].map((server) => put(how, shelf, { items: 2 }, { key: 'two', server })),
        );
        assert.deepEqual(
          replies.map(({ status, body }) => [status, body]),
          [
            [201, { items: 2 }],
            [201, { items: 2 }],
          ],
        );
        assert.deepEqual(replies.map(({ isReplayed }) => isReplayed).sort(), [false, true]);
        assert.equal(await itemsOn(shelf), 2);
        assert.equal((await audited(shelf)).length, 1);
      });

      it('platform.md §2.4: a call that is prepared after the first call with its key took effect gets the first reply, not a refusal', async () => {
        const shelf = await givenShelf(40);
        beforeLook = async () => {
          beforeLook = async () => undefined;
          // The key was looked up and not found; the other process writes it only then.
          await put(how, shelf, { items: 60 }, { key: 'fills' });
        };
        const late = await put(how, shelf, { items: 60 }, { key: 'fills', server: 1 });
        assert.deepEqual([late.status, late.body, late.isReplayed], [201, { items: 100 }, true]);
        assert.equal((await audited(shelf)).length, 1);
      });

      it('platform.md §2.4: the same if a gate refuses because the first call has used something up', async () => {
        const shelf = await givenShelf();
        between = async () => {
          between = async () => PASSED;
          await put(how, shelf, { items: 1 }, { key: 'signed' });
          return refuse('WALLET_SIGNATURE_INVALID', 'It was used.');
        };
        const late = await put(how, shelf, { items: 1 }, { key: 'signed', server: 1 });
        assert.deepEqual([late.status, late.isReplayed, await itemsOn(shelf)], [201, true, 1]);
      });

      it('platform.md §2.5: a `prepare` that refuses leaves nothing, and its key is free', async () => {
        const shelf = await givenShelf(99);
        const refused = await put(how, shelf, { items: 2 }, { key: 'free' });
        assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
        assert.deepEqual([await itemsOn(shelf), await audited(shelf)], [99, []]);
        const other = await put(how, shelf, { items: 1 }, { key: 'free' });
        assert.deepEqual([other.status, other.isReplayed], [201, false]);
      });

      it('a gate may answer instead of the operation, with a status and changes of its own, and the key stores the reply', async () => {
        const shelf = await givenShelf();
        between = async (tx, { input }) => (isSigned(input.request?.headers) ? PASSED : challenge(tx));
        const first = await put(how, shelf, { items: 3 }, { key: 'leg' });
        assert.deepEqual([first.status, first.body], [202, { payloadToSign: 'sign me' }]);
        const again = await put(how, shelf, { items: 3 }, { key: 'leg', server: 1 });
        assert.deepEqual([again.status, again.raw, again.isReplayed], [202, first.raw, true]);
        assert.equal(await itemsOn(shelf), 0);
        const signed = await put(how, shelf, { items: 3 }, { headers: { 'svc-wallet-signature': 'mine' } });
        assert.deepEqual([signed.status, signed.body], [201, { items: 3 }]);
        assert.deepEqual(await audited(shelf), [
          { actor_kind: 'token', action: `${how}Put`, details: { heldBy: 'between' } },
          { actor_kind: 'token', action: `${how}Put`, details: {} },
        ]);
      });

      it('changes that a passed gate adds are committed together with the effect, or not at all', async () => {
        const shelf = await givenShelf();
        let tries = 0;
        between = async (tx) => {
          if (++tries === 1) await tx.sql`update shelves set version = version + 1 where id = ${shelf}`;
          return {
            passes: true,
            alsoCommit: (changes) => audit(changes, { action: 'signature used', resource: shelf }),
          };
        };
        assert.equal((await put(how, shelf, { items: 5 })).status, 201);
        assert.equal(tries, 2, 'the first commit found another version');
        assert.deepEqual(
          (await audited(shelf)).map(({ action }) => action),
          ['signature used', `${how}Put`],
        );
      });

      it('platform.md §1.3.9: a gate that refuses a wrong proof leaves one audit row and no other effect', async () => {
        const shelf = await givenShelf();
        between = async () => {
          const refusal = new Refusal('WALLET_SIGNATURE_INVALID', 'The signature does not match.');
          throw new RefusedProof(refusal, { proof: 'WALLET_SIGNATURE', resource: shelf, reason: 'forged' });
        };
        assert.equal((await put(how, shelf, { items: 1 }, { key: 'forged' })).status, 401);
        assert.deepEqual(
          (await audited(shelf)).map(({ action }) => action),
          ['proof failed'],
        );
        assert.equal(await itemsOn(shelf), 0);
        between = async () => PASSED;
        assert.equal((await put(how, shelf, { items: 1 }, { key: 'forged' })).status, 201);
      });

      it('a gate cannot answer with a status that the operation does not declare', async () => {
        const shelf = await givenShelf();
        between = async (tx) => ({
          passes: false,
          instead: { change: new Change(tx), answer: new Reply(203, {}) },
        });
        assert.equal((await put(how, shelf, { items: 1 }, { key: 'odd' })).status, 500);
        assert.deepEqual(await audited(shelf), []);
      });

      it('the same operation can be performed without a request, for another caller, and once for its key', async () => {
        const shelf = await givenShelf();
        const [own] = OPERATIONS.filter(({ id }) => id === `${how}Put`) as [NamedOperation];
        const acting = await findPlatform(world.database.query, platform.id);
        assert.ok(acting);
        const perform = createPerform(world.app.runtime);
        const call = {
          caller: { kind: 'worker', id: 'approvals', platform: acting },
          params: { shelfId: shelf },
          body: { items: 4 },
          key: 'later',
        } as const;
        const done = [await perform(own, call), await createPerform(world.app.runtime)(own, call)];
        assert.deepEqual(
          done.map(({ status, body, isReplayed = false }) => [status, body, isReplayed]),
          [
            [201, '{"items":4}', false],
            [201, '{"items":4}', true],
          ],
        );
        // A token's key of the same name is a different key.
        assert.deepEqual((await put(how, shelf, { items: 4 }, { key: 'later' })).body, { items: 8 });
        assert.deepEqual(
          (await audited(shelf)).map(({ actor_kind: kind }) => kind),
          ['worker', 'token'],
        );
        await assert.rejects(perform(own, { ...call, body: { items: 93 }, key: 'more' }), Refusal);
        const operator = { ...call.caller, kind: 'operator', roles: [] } as const;
        await assert.rejects(perform(own, { ...call, caller: operator, key: 'other' }), /not declared/);
        assert.equal(await itemsOn(shelf), 8);
      });
    });
  }

  it('a refusal with a change of its own is committed without a gate, an audit row or the key', async () => {
    const shelf = await givenShelf(1);
    let asked = 0;
    between = async () => {
      asked++;
      return PASSED;
    };
    const refused = await put('shared', shelf, { items: 13 }, { key: 'mark' });
    assert.deepEqual([refused.status, refused.body.code], [410, 'CUSTOMER_DELETED']);
    assert.deepEqual([await itemsOn(shelf), asked], [0, 0], 'emptied, as a mark');
    assert.deepEqual(await audited(shelf), []);
    assert.equal((await put('shared', shelf, { items: 2 }, { key: 'mark' })).status, 201);
  });

  it('an operation without `prepare` whose rows change before every commit is 503 as well, not 500', async () => {
    const reply = await (servers[0] as FastifyInstance).inject({
      method: 'POST',
      url: `${BASE}/shelves/${await givenShelf()}/never`,
      headers: { authorization: platform.authorization },
    });
    assert.deepEqual([reply.statusCode, reply.json().code], [503, 'SERVICE_UNAVAILABLE']);
  });

  function isSigned(headers: Readonly<Record<string, unknown>> = {}): boolean {
    return headers['svc-wallet-signature'] !== undefined;
  }

  async function challenge(tx: ReadTx) {
    const answer = new Reply(202, { payloadToSign: 'sign me' });
    return { passes: false, instead: { change: new Change(tx), answer } } as const;
  }
});

const Put = component('Put', { items: Type.Integer({ minimum: 1, maximum: 1000 }) });
const Shelf = component('Shelf', { items: Type.Integer() });
const ShelfChallenge = component('ShelfChallenge', { payloadToSign: Type.String() });

/** Steps that run elsewhere before an operation reads its shelf. */
let beforeLook: () => Promise<void> = async () => undefined;

async function look(tx: ReadTx, id: string): Promise<ShelfRow> {
  await beforeLook();
  const [row] = await tx.sql<ShelfRow>`
    select ${SHELVES.columns('t')} from shelves t where t.platform_id = ${tx.platformId} and t.id = ${id}`;
  return row ?? refuse('NOT_FOUND', 'There is no such shelf.');
}

function checkShelf(row: ShelfRow, items: number): ShelfRow {
  if (row.items + items > 100) refuse('CONFLICT', 'The shelf is full.');
  return { ...row, version: row.version + 1n, items: row.items + items };
}

async function prepareShared(tx: ReadTx, id: string, items: number): Promise<Plan<{ items: number }>> {
  const row = await look(tx, id);
  const change = new Change(tx);
  if (items === 13) {
    change.collect(SHELVES.writer, {
      from: row.version,
      row: { ...row, version: row.version + 1n, items: 0 },
    });
    return { change, answer: new Refusal('CUSTOMER_DELETED', 'Thirteen empties a shelf.') };
  }
  const next = checkShelf(row, items);
  change.collect(SHELVES.writer, { from: row.version, row: next });
  return { change, answer: { items: next.items } };
}

async function prepareOwn(tx: ReadTx, id: string, items: number): Promise<Plan<{ items: number }>> {
  const row = await look(tx, id);
  const next = checkShelf(row, items);
  return {
    async commit(tx) {
      const done = await tx.sql`
        update shelves set items = ${next.items}, version = ${next.version}
         where platform_id = ${tx.platformId} and id = ${id} and version = ${row.version} returning 1`;
      if (done.length === 0) throwStale();
      return { items: next.items };
    },
  };
}

const neverPut = operation('neverPut', {
  route: 'POST /shelves/:shelfId/never',
  area: 'Tests',
  summary: 'Find a shelf changed at every read',
  access: 'transact',
  params: { shelfId: { id: 'Card', missing: 'NOT_FOUND' } },
  codes: [],
  write: async () => throwStale(),
});

const puts = (['shared', 'own'] as const).map((how) =>
  operation(`${how}Put`, {
    route: `POST /shelves/:shelfId/${how}`,
    area: 'Tests',
    summary: 'Put things on a shelf',
    access: 'transact',
    callers: ['token', 'worker'],
    params: { shelfId: { id: 'Card', missing: 'NOT_FOUND' } },
    body: Put,
    status: 201,
    reply: Shelf,
    otherReplies: { 202: ShelfChallenge },
    codes: ['CONFLICT', 'CUSTOMER_DELETED', 'WALLET_SIGNATURE_INVALID'],
    prepare: (tx, { params, body }) =>
      (how === 'shared' ? prepareShared : prepareOwn)(tx, params.shelfId, body.items),
  }),
);

const OPERATIONS: NamedOperation[] = [...puts, neverPut];
