// lane: whole — every operators' operation by every role

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Caller } from '#foundation/http/caller.ts';
import { checkOperator } from '#foundation/http/declare/check-operator.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import {
  EVERY_ROLE,
  OPERATOR_ROLES,
  type OperatorRole,
  type SecondOperator,
} from '#foundation/http/operator-rule.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const SHOWN_ONCE = new URL('../../packages/console/src/ui/operator/shown-once.ts', import.meta.url).href;

/** Roles that may do nothing have nothing to decide. */
const DECIDING = EVERY_ROLE.filter((role) => role !== 'viewer');

type Row = readonly [roles: readonly OperatorRole[], two?: SecondOperator];

/** The changes of operator.md §6, with the roles that may make them, and when a second operator is needed. */
const CHANGES: Readonly<Record<string, Row>> = {
  approveReview: [['compliance']],
  requestChanges: [['compliance']],
  rejectReview: [['compliance'], 'always'],
  eraseCustomer: [['compliance'], 'always'],
  closeAccount: [['compliance'], 'always'],
  closeCard: [['compliance'], 'always'],
  screenExternalAccount: [['compliance']],
  reviewExternalAccount: [['compliance']],
  validateExternalAccount: [['compliance']],
  disableExternalAccount: [['compliance']],
  enableExternalAccount: [['compliance']],
  freezeAccount: [['support', 'compliance']],
  unfreezeAccount: [['compliance']],
  pauseAgent: [['support', 'compliance']],
  provisionAccount: [['treasury'], 'always'],
  addSwiftInstructions: [['treasury'], 'always'],
  refuseAccount: [['treasury']],
  retryAccount: [['treasury']],
  bookDeposit: [['finance'], 'amount'],
  resolveSuspense: [['finance'], 'amount'],
  writeOffDebtOfCustomer: [['finance'], 'always'],
  writeOffDebtOfPlatform: [['finance'], 'always'],
  writeOffException: [['finance'], 'always'],
  collectException: [['finance'], 'amount'],
  settlePayment: [['treasury'], 'amount'],
  failPayment: [['treasury'], 'amount'],
  returnPayment: [['treasury'], 'amount'],
  setRates: [['treasury'], 'always'],
  clearRates: [['treasury'], 'always'],
  stopRates: [['treasury']],
  approveStablecoin: [['treasury'], 'always'],
  declineStablecoin: [['treasury'], 'always'],
  enableStablecoin: [['treasury'], 'always'],
  disableStablecoin: [['treasury']],
  completeStablecoinOperation: [['treasury'], 'always'],
  failStablecoinOperation: [['treasury'], 'always'],
  revokeStablecoinLink: [['treasury']],
  proveLedger: [['finance', 'treasury', 'admin']],
  createPlatform: [['admin'], 'production'],
  setPlatform: [['admin'], 'production'],
  disablePlatform: [['admin']],
  enablePlatform: [['admin']],
  createTokenOfPlatform: [['admin'], 'production'],
  revokeToken: [['admin']],
  rotateWebhookKeyOfPlatform: [['admin']],
  resendWebhook: [['support', 'admin']],
  addConnector: [['treasury'], 'always'],
  setConnector: [['treasury'], 'always'],
  addFilesConnector: [['treasury'], 'always'],
  setFilesProfile: [['treasury'], 'always'],
  adoptBankFiles: [['treasury'], 'always'],
  resendBankFile: [['treasury'], 'always'],
  closeBankFile: [['finance', 'treasury']],
  removeConnector: [['treasury'], 'always'],
  rotateConnectorSecret: [['treasury'], 'always'],
  setConnectorRoute: [['treasury'], 'always'],
  removeConnectorRoute: [['treasury'], 'always'],
  pauseConnector: [['treasury']],
  resumeConnector: [['treasury'], 'always'],
  rewindConnector: [['treasury'], 'always'],
  resolveBreak: [['finance']],
  bookBreak: [['finance'], 'amount'],
  assignBreak: [['finance'], 'amount'],
  bookBankLine: [['finance'], 'amount'],
  bookBankDifference: [['finance'], 'always'],
  takeBackCredit: [['finance'], 'always'],
  setConnectorOwner: [['treasury'], 'always'],
  inviteOperator: [['admin'], 'always'],
  setOperatorRoles: [['admin'], 'always'],
  renewOperatorAddress: [['admin'], 'always'],
  confirmOperator: [['admin']],
  suspendOperator: [['admin']],
  removeOperator: [['admin']],
  endOperatorSessions: [['admin']],
  setBreakOwner: [['finance', 'treasury']],
  noteBreak: [['finance', 'treasury']],
  matchBreak: [['finance'], 'amount'],
  bookOpeningBalance: [['finance'], 'always'],
};

const BOOKS = ['finance', 'treasury'] as const;
const PROOFS = [...BOOKS, 'admin'] as const;
const DISCLOSING = ['support', 'compliance'] as const;

/** What only some operators read (operator.md §2.3, §4.2, §4.3, §6.3). */
const READS: Readonly<Record<string, readonly OperatorRole[]>> = {
  getTrialBalance: BOOKS,
  getBookBalance: BOOKS,
  listBookAccounts: BOOKS,
  listBookLines: BOOKS,
  getBookEntry: BOOKS,
  getBookEntryByNumber: BOOKS,
  listJournalHeads: PROOFS,
  listLedgerChecks: PROOFS,
  listLedgerProofs: PROOFS,
  showAccountStatement: ['finance'],
  listReconciledAccounts: BOOKS,
  listAccountProofs: BOOKS,
  showAccountProof: BOOKS,
  exportReconciliation: BOOKS,
  listBreakSuggestions: BOOKS,
  openReview: ['compliance'],
  downloadDocument: ['compliance'],
  listOperators: ['admin'],
  getOperator: ['admin'],
  exportAccessReview: ['admin'],
};

/** Families of operations, by their names. */
const FAMILIES: readonly (readonly [RegExp, readonly OperatorRole[]])[] = [
  [/^disclose(?:Payments|Quotes|StablecoinOperations|ExternalAccounts)Field$/, [...DISCLOSING, 'finance']],
  // The operator who decides looks at what the decision is about.
  [/^(?:approve|reject|withdraw|take)Proposal$|^(?:showProposalSecret|discloseProposalField)$/, DECIDING],
  [/^disclose\w+Field$/, DISCLOSING],
  [/^(?:listAll|searchAll|show|explain)\w+$|^findRecords$/, EVERY_ROLE],
  [
    /^(?:listProposals|getProposalById|listBreakGlassUses|listConnectorRoutes|listOperatorNames|readFigures|readRates|readSystem)$/,
    EVERY_ROLE,
  ],
  [/^(?:listWork|listWorkItems)$/, EVERY_ROLE],
  [/^(?:take|release|note)Work$|^acknowledgeBreakGlass$/, DECIDING],
  [/^\w+OwnPasskeys?$|^\w+OwnSessions$|^getPasskeyChallenge$/, EVERY_ROLE],
];

/** The row of an operation, whatever it is. An operation without a word here fails. */
function rowOf({ id }: NamedOperation): Row {
  const change = CHANGES[id];
  if (change) return change;
  const roles = READS[id] ?? FAMILIES.find(([pattern]) => pattern.test(id))?.[1];
  return [roles ?? assert.fail(`${id} has no word here: say which roles may call it`)];
}

describe('which operators may do what', () => {
  const world = testWorld();
  const declared = () => world.app.operatorOperations;
  const session = { id: 'x' as Id<'OperatorSession'>, steppedUpAt: undefined };

  const refusalOf = (operation: NamedOperation, roles: readonly OperatorRole[], steppedUpAt?: Date) =>
    checkOperator(
      operation,
      {
        ...{ kind: 'operator', id: 'Operator:x', platform: INSTALLATION, roles },
        session: { ...session, steppedUpAt },
      },
      world.clock,
    );

  it('operator.md §6: every operation has the roles and the second operator of its row, and every row an operation', () => {
    const ids = new Set(declared().map(({ id }) => id));
    for (const id of [...Object.keys(CHANGES), ...Object.keys(READS)]) assert.ok(ids.has(id), id);
    for (const [pattern] of FAMILIES)
      assert.ok(
        [...ids].some((id) => pattern.test(id)),
        String(pattern),
      );
    for (const operation of declared()) {
      const { id, operator } = operation;
      const [roles, two] = rowOf(operation);
      assert.deepEqual(operator?.roles.toSorted(), roles.toSorted(), id);
      assert.equal(operator?.two, two, id);
    }
  });

  it('operator.md §2.1, §2.2, §10.1: each operation accepts its roles and refuses every other, and names those that may', () => {
    assert.ok(declared().length > 0);
    for (const operation of declared()) {
      const rule = operation.operator ?? assert.fail(operation.id);
      assert.equal(operation.access, 'operator', operation.id);
      for (const role of OPERATOR_ROLES) {
        const refusal = refusalOf(operation, [role], new Date(world.clock.now()));
        assert.equal(refusal === undefined, rule.roles.includes(role), `${operation.id} ${role}`);
        if (refusal) assert.deepEqual(refusal.details, { roles: rule.roles });
      }
      assert.equal(refusalOf(operation, [])?.code, 'FORBIDDEN', operation.id);
    }
  });

  it('operator.md §7.1: the command line has no session, and may make every call', () => {
    for (const operation of declared()) {
      const caller = { kind: 'operator', id: 'root', platform: INSTALLATION, roles: [] } as const;
      assert.equal(checkOperator(operation, caller, world.clock), undefined, operation.id);
    }
  });

  it('operator.md §3.4: what asks first needs a proof of presence that is at most five minutes old', () => {
    const asking = declared().filter(({ operator }) => operator?.stepUp);
    assert.ok(asking.some(({ id }) => id === 'settlePayment'));
    for (const operation of asking) {
      const minutesAgo = (minutes: number) => new Date(world.clock.now() - minutes * 60_000);
      assert.equal(refusalOf(operation, OPERATOR_ROLES)?.code, 'STEP_UP_REQUIRED', operation.id);
      assert.equal(
        refusalOf(operation, OPERATOR_ROLES, minutesAgo(5))?.code,
        'STEP_UP_REQUIRED',
        operation.id,
      );
      assert.equal(refusalOf(operation, OPERATOR_ROLES, minutesAgo(4)), undefined, operation.id);
    }
  });

  it('operator.md §6.1: the console shows each secret that a reply has, and takes nothing else for one', async () => {
    const { secretsOf } = (await import(SHOWN_ONCE)) as { secretsOf(reply: object): readonly unknown[] };
    for (const { id, method, reply, idempotency } of declared()) {
      const { properties = {} } = (reply ?? {}) as { properties?: object };
      // The reply of a proposed operation is inside that of the proposal.
      if (method !== 'POST' || 'reply' in properties) continue;
      const shown = secretsOf(Object.fromEntries(Object.keys(properties).map((name) => [name, name])));
      assert.equal(shown.length > 0, idempotency?.secretReply === true, id);
    }
  });

  it('operator.md §6.1: every change takes a reason of 3 to 200 characters, and is no operation of platforms', () => {
    const open = new Set(world.app.operations.map(({ id }) => id));
    for (const { id, method, body } of declared()) {
      assert.ok(!open.has(id), id);
      if (id in CHANGES) assert.equal(method, 'POST', id);
      // Searching and taking work change nothing that an operation is about.
      if (method === 'GET' || /^searchAll|^findRecords$|Work$/.test(id)) continue;
      assert.equal(method, 'POST', id);
      const { reason } = (body as unknown as { properties: Record<string, Record<string, unknown>> })
        .properties;
      assert.deepEqual([reason?.minLength, reason?.maxLength], [3, 200], id);
    }
  });

  it('operator.md §6.1: a change leaves one audit row, with the roles used, the session and the reason', async () => {
    const own = await givenPlatform(world);
    const payer = await givenPayer(own);
    const platform = await findPlatform(world.database.query, own.id);
    assert.ok(platform);
    const caller: Caller = {
      ...{ kind: 'operator', id: 'Operator:ada', platform, roles: ['finance', 'support'], session },
    };
    const freeze = declared().find(({ id }) => id === 'freezeAccount') ?? assert.fail();
    const params = { accountId: uuidOf(payer.account('USD').id) };
    const body = { reason: 'case 4711' };
    const call = { caller, params, body, key: 'once' };
    const first = await world.app.perform(freeze, call);
    assert.deepEqual(JSON.parse(first.body), { id: payer.account('USD').id, status: 'FROZEN' });
    assert.deepEqual(JSON.parse((await world.app.perform(freeze, call)).body), JSON.parse(first.body));
    const rows = await auditLines(world, own, 'account freeze');
    assert.deepEqual(
      rows.map(({ actor_kind, actor_id, details }) => [actor_kind, actor_id, details]),
      [['operator', 'Operator:ada', { rolesUsed: ['support'], session: session.id, reason: 'case 4711' }]],
    );
    const all = await auditLines(world, own, 'freezeAccount');
    assert.deepEqual(all, []);
    const unfreeze = declared().find(({ id }) => id === 'unfreezeAccount') ?? assert.fail();
    await assert.rejects(world.app.perform(unfreeze, { ...call, key: 'other' }), { code: 'FORBIDDEN' });
  });

  it('platform.md §2.2, operator.md §6.1: a key belongs to its operator, and to one body', async () => {
    const own = await givenPlatform(world);
    const payer = await givenPayer(own);
    const platform = (await own.work()).platform;
    const freeze = declared().find(({ id }) => id === 'freezeAccount') ?? assert.fail();
    const call = (name: string, reason: string) =>
      world.app.perform(freeze, {
        caller: { kind: 'operator', id: `Operator:${name}`, platform, roles: ['support'], session },
        ...{ params: { accountId: uuidOf(payer.account('USD').id) }, body: { reason }, key: 'once' },
      });
    assert.equal((await call('ada', 'case 4711')).isReplayed, undefined);
    assert.equal((await call('ada', 'case 4711')).isReplayed, true);
    await assert.rejects(call('ada', 'case 4712'), { code: 'CONFLICT' });
    await assert.rejects(call('grace', 'case 4711'), { code: 'CONFLICT' }, 'the account is frozen already');
    assert.equal((await auditLines(world, own, 'account freeze')).length, 1);
  });
});
