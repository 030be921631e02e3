import Type from 'typebox';
import { audit } from '#foundation/audit/audit.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { component, dateTime, stringEnum } from '#foundation/http/schema.ts';
import type { LedgerCheck } from '#foundation/ledger/checks.ts';
import { listProofs, openProof, type ProofRow } from './proof-store.ts';

const SHOWN = 10;
const STATUSES = ['WAITING', 'RUNNING', 'HOLDS', 'BROKEN', 'STOPPED'] as const;

const Finding = component('LedgerFinding', 'The result of one check of a verification.', {
  place: Type.Integer({ description: 'Its place in the verification.' }),
  proves: Type.String({ description: 'What it proves.' }),
  rule: Type.String({ description: 'The rule that it proves.' }),
  examined: Type.String({ description: 'How many rows it examined.' }),
  violations: Type.Array(Type.String(), {
    description: 'Contradictions to the check, at most ten. Empty: it holds.',
  }),
});

const Proof = component('LedgerProof', 'A verification of the whole ledger, in one moment of the database.', {
  number: Type.String({ description: 'Its number.' }),
  status: stringEnum(STATUSES, {
    description:
      'Whether it waits for a worker, runs, found that every check holds, found one that does not, or ended without a result.',
  }),
  madeBy: Type.String({ description: 'The actor who asked for it.' }),
  askedAt: dateTime({ description: 'When it was asked for, in real time.' }),
  begunAt: Type.Optional(dateTime({ description: 'The moment whose books it checks.' })),
  finishedAt: Type.Optional(dateTime({ description: 'When it ended.' })),
  place: Type.Integer({ description: 'The check at which it is; 0 before the first one.' }),
  checks: Type.Integer({ description: 'How many checks there are.' }),
  findings: Type.Array(Finding, {
    description: 'The results of the checks so far, in the order of the checks.',
  }),
  trouble: Type.Optional(Type.String({ description: 'Why it ended without a result.' })),
});

const ProofsAnswer = component('LedgerProofs', 'The newest verifications of the ledger.', {
  data: Type.Array(Proof, { description: 'The newest first, at most ten.' }),
});

/** The operations that verify the ledger while the caller watches (money.md §13.9). */
export function proofOperations(roles: readonly OperatorRole[], checks: readonly LedgerCheck[]) {
  return [
    operatorChange('proveLedger', {
      route: 'POST /ledger/proofs',
      area: 'Ledger',
      summary: 'Verify the ledger',
      description:
        'A worker runs every check on one moment of the database, while the service goes on. `GET /ledger/proofs` says how far ' +
        'it is. While a verification waits or runs, no other one begins: the reply is the open one.',
      roles,
      on: 'installation',
      reply: Proof,
      codes: [],
      async change(tx, { body: { reason } }) {
        const [proof, isNew] = await openProof(tx, tx.actor.id, new Date(tx.runtime.clock.now()));
        audit(tx, {
          action: 'ledger verify',
          details: { number: proof.number.toString(), joined: !isNew, reason },
        });
        return presentProof(proof, checks.length);
      },
    }),
    operation('listLedgerProofs', {
      route: 'GET /ledger/proofs',
      area: 'Ledger',
      summary: 'List the newest verifications of the ledger',
      description: 'Those that were started over HTTP, with what each check found.',
      access: 'operator',
      operator: { roles, on: 'installation' },
      reply: ProofsAnswer,
      codes: [],
      read: async (tx) => ({
        data: (await listProofs(tx, SHOWN)).map((row) => presentProof(row, checks.length)),
      }),
    }),
  ];
}

type ProofStatus = (typeof STATUSES)[number];

function presentProof(row: ProofRow, checks: number) {
  const { number, made_by, asked_at, begun_at, finished_at, place, findings, trouble } = row;
  return {
    ...{ number: number.toString(), madeBy: made_by, askedAt: asked_at.toISOString() },
    status: statusOf(row),
    ...(begun_at && { begunAt: begun_at.toISOString() }),
    ...(finished_at && { finishedAt: finished_at.toISOString() }),
    ...{ place, checks, findings: findings.map((one) => ({ ...one, violations: [...one.violations] })) },
    ...(trouble !== null && { trouble }),
  };
}

function statusOf({ begun_at, finished_at, findings, trouble }: ProofRow): ProofStatus {
  if (trouble !== null) return 'STOPPED';
  if (finished_at === null) return begun_at === null ? 'WAITING' : 'RUNNING';
  return findings.some(({ violations }) => violations.length > 0) ? 'BROKEN' : 'HOLDS';
}
