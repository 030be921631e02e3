import type { CounterpartiesPort, CounterpartyAnswer } from '#rails/counterparties.ts';

/** Plays every provider of UMA addresses: names at its own domain stand for outcomes, others are out of reach. */
export function sandboxCounterparties(sandboxUmaDomain: string): CounterpartiesPort {
  return {
    async lookUp({ address, domain }) {
      if (domain !== sandboxUmaDomain) return { kind: 'UNREACHABLE' };
      return scenarioOf(address)?.lookUp ?? { kind: 'NOT_FOUND' };
    },
  };
}

export interface Scenario {
  readonly lookUp: CounterpartyAnswer;
}

/** The scenario that the name before the domain stands for. */
export function scenarioOf(address: string): Scenario | undefined {
  const name = address.slice(1, address.indexOf('@'));
  return Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
}

/** money.md §9.5; what comes of paying them is decided later. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'success.usd': takes('USD'),
  'success.eur': takes('EUR'),
  'success.mxn': takes('MXN'),
  'pending.long.usd': takes('USD'),
  'fail.compliance.usd': takes('USD'),
  'needinfo.usd': takes('USD', 'FULL_NAME', 'BIRTH_DATE'),
  'fail.version.usd': { lookUp: { kind: 'NO_COMMON_VERSION' } },
  'fail.lnurlp.usd': { lookUp: { kind: 'UNREACHABLE' } },
  'fail.payreq.usd': takes('USD'),
};

function takes(code: string, ...wanted: string[]): Scenario {
  const requiredPayerData = wanted.map((name) => ({ name, mandatory: true }));
  return { lookUp: { kind: 'FOUND', currencies: [{ code, min: 1n, max: 10_000_000n }], requiredPayerData } };
}
