// lane: whole — every example over HTTP; a package that is built

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CorridorError, createCorridor } from '@corridor/client';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { STORY } from '#tests/checks/example-story.ts';
import {
  createStoryteller,
  type Send,
  STORY_SETTINGS,
  STORY_WORLD,
  type Storyteller,
} from '#tests/checks/storyteller.ts';
import { connectionTo } from '#tests/client/given-client.ts';
import { type Answered, type Call, testWorld } from '#tests/harness/harness.ts';

type Method = (...given: unknown[]) => Promise<object | undefined>;

describe('the client against the running service', () => {
  const world = testWorld(STORY_WORLD);
  let storyteller: Storyteller;
  let methods: Record<string, Method>;

  before(async () => {
    const platform = await world.platform({ settings: STORY_SETTINGS });
    const connection = await connectionTo(world, platform);
    const operations = new Map(world.app.operations.map((operation) => [operation.id, operation]));
    const send: Send = async (id, call) => {
      const replies: Response[] = [];
      const onReply = (reply: Response) => void replies.push(reply);
      const { tokenId: _id, clientSecret: _secret, ...anyone } = connection;
      const credentials = call.as ? { ...anyone, agentToken: call.as.replace('Bearer ', '') } : connection;
      methods = createCorridor({ ...credentials, onReply }) as unknown as typeof methods;
      const operation = operations.get(id);
      assert.ok(operation && methods[id], `the client has no call ${id}`);
      const body = await methods[id](...buildArguments(operation, call)).catch(bodyOfRefusal);
      return answered(replies.at(-1), body);
    };
    storyteller = await createStoryteller(world, platform.id, send);
  });

  after(() => storyteller.close());

  it('sends the examples of all operations, each by its own call, and returns the replies that they show', () =>
    storyteller.tell(STORY));

  it('has one call for each operation of the API, and no other', () => {
    const ids = world.app.operations.map(({ id }) => id);
    assert.deepEqual(Object.keys(methods).sort(), ids.toSorted());
  });
});

/** The arguments of the operation: path parameters, then query and body as one, then options. */
function buildArguments(operation: NamedOperation, { params, query, body, headers, key }: Call): unknown[] {
  const { path, query: hasQuery, body: hasBody } = operation;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => params?.[name]);
  const sent = body instanceof FormData ? Object.fromEntries(body) : body;
  const given = query || sent ? { ...query, ...(sent as object) } : undefined;
  const input = hasQuery || hasBody ? [given] : [];
  const options = {
    ...(headers?.['svc-wallet-signature'] && { walletSignature: headers['svc-wallet-signature'] }),
    ...(headers?.['request-id'] && { requestId: headers['request-id'] }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
  return [...inPath, ...input, options];
}

/** The examples show some refusals too. */
function bodyOfRefusal(error: unknown): object {
  if (!(error instanceof CorridorError)) throw error;
  const { code, reason, status, details } = error;
  return { code, reason, status, details };
}

function answered(reply: Response | undefined, body: object | undefined): Answered {
  const raw = JSON.stringify(body) ?? '';
  return { status: reply?.status ?? 0, headers: {}, raw, body: (body ?? {}) as Answered['body'] };
}
