import type { CounterpartyAnswer } from '#rails/counterparties.ts';
import type { RailNotice } from '#rails/payments.ts';
import { LONG_MS, STEP_MS, type Stage } from '#sandbox/rail-outcomes-table.ts';

/** What an address at the sandbox's UMA domain plays. What becomes of payments to it: rail-outcomes-table.ts. */
export interface Scenario {
  readonly lookUp: CounterpartyAnswer;
  /** Whether the provider goes along with a payment to this receiver. */
  readonly takesPayRequests: boolean;
  /** What becomes of a payment from it once it was approved; undefined: nobody of this name sends. */
  readonly incoming: readonly IncomingStage[] | undefined;
  /** What it must know of whom it pays. */
  readonly wantsOfReceiver: readonly string[];
}

/** Like a stage of the rails; the hash of what arrives is that of its transaction. */
export interface IncomingStage extends Omit<Stage, 'notices'> {
  readonly notices: readonly Exclude<RailNotice['kind'], 'payoutFailed'>[];
}

/** The scenario that the name before the domain stands for. */
export function scenarioOf(address: string): Scenario | undefined {
  const name = address.slice(1, address.indexOf('@'));
  return Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
}

/** money.md §9.5. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'success.usd': plays('USD'),
  'success.eur': plays('EUR'),
  'success.mxn': plays('MXN'),
  'pending.long.usd': {
    ...plays('USD'),
    incoming: [
      { afterMs: 0, notices: ['held'] },
      { afterMs: LONG_MS, notices: ['released'] },
    ],
  },
  'fail.compliance.usd': {
    ...plays('USD'),
    incoming: [{ afterMs: STEP_MS, notices: ['complianceRejected'] }],
  },
  'needinfo.usd': { ...plays('USD', 'FULL_NAME', 'BIRTH_DATE'), wantsOfReceiver: ['NATIONALITY'] },
  'fail.version.usd': fails({ kind: 'NO_COMMON_VERSION' }),
  'fail.lnurlp.usd': fails({ kind: 'UNREACHABLE' }),
  'fail.payreq.usd': { ...plays('USD'), takesPayRequests: false, incoming: undefined },
};

function plays(code: string, ...wanted: string[]): Scenario {
  const requiredPayerData = wanted.map((name) => ({ name, mandatory: true, isAskedAnew: true }));
  return {
    lookUp: { kind: 'FOUND', currencies: [{ code, min: 1n, max: 10_000_000n }], requiredPayerData },
    takesPayRequests: true,
    incoming: [{ afterMs: STEP_MS, notices: ['arrived'] }],
    wantsOfReceiver: [],
  };
}

function fails(lookUp: CounterpartyAnswer): Scenario {
  return { lookUp, takesPayRequests: false, incoming: undefined, wantsOfReceiver: [] };
}
