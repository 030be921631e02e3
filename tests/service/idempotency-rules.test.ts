import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeApi, describeOperatorApi, SERVICE } from '#app/compose.ts';
import type { AppParts } from '#app/parts.ts';
import { keyRuleOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

/** How the POSTs of one document treat the key, by their paths. */
interface KeyRules {
  /** Each call must be a new one (platform.md §2.1). */
  readonly ignored: readonly RegExp[];
  readonly required: readonly RegExp[];
  /** The reply shows a secret once. */
  readonly secret: readonly RegExp[];
  /** A payment: the conflict has a code of its own. */
  readonly pays: readonly RegExp[];
}

const OF_PLATFORMS: KeyRules = {
  ignored: [
    /^\/(auth|sca|internal-accounts)\//,
    /^\/cards\/:\w+\/reveal$/,
    /^\/agents\/device-codes\/:\w+\/redeem$/,
  ],
  required: [/^\/stablecoins$/, /^\/stablecoins\/:\w+\/(mints|burns)$/, /^\/stablecoin-provider-accounts$/],
  secret: [/^\/tokens$/, /^\/agents$/, /^\/agents\/:\w+\/device-codes$/, /^\/console-sessions$/],
  pays: [/^(\/agents\/me)?\/quotes(\/:\w+\/execute)?$/, /^(\/agents\/me)?\/transfer-(in|out)$/],
};

const OF_OPERATORS: KeyRules = {
  // Each one is a read that is recorded.
  ignored: [/\/disclose$/, /\/search$/],
  // All about other operators.
  required: [/^\/operators(\/|$)/],
  secret: [
    /^\/operators$/,
    /^\/operators\/:\w+\/address$/,
    /^\/platforms$/,
    /^\/platforms\/:\w+\/tokens$/,
    /^\/connectors$/,
    /^\/connectors\/:\w+\/rotate-secret$/,
    /^\/proposals\/:\w+\/secret$/,
  ],
  pays: [],
};

interface Described {
  parameters?: { name: string; in: string; required: boolean }[];
  responses: Record<string, unknown>;
}

/** Only the declarations are read, so the other parts of the service can be left out. */
const PARTS = { domains: TEST_DOMAINS, names: wireNames('Svc') } as unknown as AppParts;

type Document = { paths: Record<string, Record<string, Described>> };

/** Checks every operation's declaration against the rules for all of them. */
for (const [whose, rules, declared, describeAll] of [
  ['platforms', OF_PLATFORMS, SERVICE.operations, describeApi],
  ['operators', OF_OPERATORS, SERVICE.operatorOperations, describeOperatorApi],
] as const) {
  describe(`operations of ${whose} that accept an Idempotency-Key`, () => {
    const operations = declared(PARTS);
    const posts = operations.filter(({ method }) => method === 'POST');

    const matchesAny = (patterns: readonly RegExp[], { path }: NamedOperation) =>
      patterns.some((pattern) => pattern.test(path));

    it('platform.md §2.1, operator.md §6.1: every POST does, except those that must have an effect each time; some require one', () => {
      for (const operation of posts) {
        const rule = matchesAny(rules.ignored, operation)
          ? 'ignored'
          : matchesAny(rules.required, operation)
            ? 'required'
            : 'optional';
        assert.equal(keyRuleOf(operation), rule, operation.id);
      }
    });

    it('platform.md §2.5: a reply that holds a secret is never stored', () => {
      for (const operation of posts) {
        const isSecret = operation.idempotency?.secretReply ?? false;
        assert.equal(isSecret, matchesAny(rules.secret, operation), operation.id);
      }
    });

    it('platform.md §2.4: a payment’s conflict has a code of its own', () => {
      for (const operation of posts) {
        const code = operation.idempotency?.conflict ?? 'CONFLICT';
        assert.equal(code === 'DUPLICATE_PAY_REQUEST', matchesAny(rules.pays, operation), operation.id);
      }
    });

    it('platform.md §2.1: the document shows the header where it is honoured, with the conflict, and nowhere else', () => {
      const { paths } = describeAll(PARTS.names, PARTS.domains) as unknown as Document;
      for (const operation of operations) {
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
}
