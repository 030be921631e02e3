import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { describeApi } from '#app/compose.ts';
import { keyRuleOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS, testWorld } from '#tests/harness/harness.ts';

/** Operations where each call must be a new one (platform.md §2.1). */
const IGNORED = [
  /^\/(auth|sca|internal-accounts)\//,
  /^\/cards\/:\w+\/reveal$/,
  /^\/agents\/device-codes\/:\w+\/redeem$/,
];

/** Operations that require the key. */
const REQUIRED = [
  /^\/stablecoins$/,
  /^\/stablecoins\/:\w+\/(mints|burns)$/,
  /^\/stablecoin-provider-accounts$/,
];

/** Operations that show a secret once. */
const SECRET = [/^\/tokens$/, /^\/agents$/, /^\/agents\/:\w+\/device-codes$/, /^\/console-sessions$/];

interface Described {
  parameters?: { name: string; in: string; required: boolean }[];
  responses: Record<string, unknown>;
}

/** Checks every operation's declaration against the rules for all of them. */
describe('operations that accept an Idempotency-Key', () => {
  const world = testWorld();
  let posts: NamedOperation[];

  before(() => {
    posts = world.app.operations.filter(({ method }) => method === 'POST');
  });

  const matchesAny = (patterns: RegExp[], { path }: NamedOperation) =>
    patterns.some((pattern) => pattern.test(path));

  it('platform.md §2.1: every POST does, except those that must have an effect each time; some require one', () => {
    for (const operation of posts) {
      const rule = matchesAny(IGNORED, operation)
        ? 'ignored'
        : matchesAny(REQUIRED, operation)
          ? 'required'
          : 'optional';
      assert.equal(keyRuleOf(operation), rule, operation.id);
    }
  });

  it('platform.md §2.5: a reply that holds a secret is never stored', () => {
    for (const operation of posts) {
      assert.equal(operation.idempotency?.secretReply ?? false, matchesAny(SECRET, operation), operation.id);
    }
  });

  it('platform.md §2.4: a payment’s conflict has a code of its own', () => {
    const pays = [/^(\/agents\/me)?\/quotes(\/:\w+\/execute)?$/, /^(\/agents\/me)?\/transfer-(in|out)$/];
    for (const operation of posts) {
      const code = operation.idempotency?.conflict ?? 'CONFLICT';
      assert.equal(code === 'DUPLICATE_PAY_REQUEST', matchesAny(pays, operation), operation.id);
    }
  });

  it('platform.md §2.1: the document shows the header where it is honoured, with the conflict, and nowhere else', () => {
    const { paths } = describeApi(wireNames('Svc'), TEST_DOMAINS) as unknown as {
      paths: Record<string, Record<string, Described>>;
    };
    for (const operation of world.app.operations) {
      const path = operation.path.replace(/:(\w+)/g, '{$1}');
      const described = paths[path]?.[operation.method.toLowerCase()];
      assert.ok(described, operation.id);
      const { parameters = [], responses } = described;
      const header = parameters.find(({ name }) => name === 'Idempotency-Key');
      const rule = keyRuleOf(operation);
      assert.equal(header !== undefined, rule !== 'ignored', operation.id);
      if (!header) continue;
      assert.equal(header.required, rule === 'required', operation.id);
      assert.ok('409' in responses && '400' in responses, operation.id);
    }
  });
});
