import { BANK_CASES } from '#cli/connector/bank-cases.ts';
import { type CaseResult, tryCase } from '#cli/connector/case-results.ts';
import { ConnectorClient } from '#cli/connector/connector-client.ts';
import { ORDER_CASES } from '#cli/connector/order-cases.ts';
import { type Case, READING_CASES } from '#cli/connector/reading-cases.ts';
import { describeAnswer, Skip, type Trial } from '#cli/connector/trial.ts';
import type { ConnectorKey, HeaderNames } from '#foundation/connector-protocol/signing.ts';
import type { ClientCertificate } from '#foundation/outbound/client-certificate.ts';

/** All cases, by their numbers. */
export const CASES: readonly Case[] = [...READING_CASES, ...ORDER_CASES, ...BANK_CASES].sort(
  (a, b) => numberOf(a) - numberOf(b),
);

function numberOf({ name }: Case): number {
  return Number(name.slice('CK-'.length));
}

export interface CheckOptions {
  readonly url: string;
  readonly keys: readonly [ConnectorKey, ...ConnectorKey[]];
  readonly names: HeaderNames;
  /** Shown to a connector whose server demands one. */
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly only?: string | undefined;
  readonly restart?: string | undefined;
  onResult?(result: CaseResult): void;
}

/** The connector could not be reached at all. */
export class Unreachable extends Error {}

/** Tries the cases one after another, each on what the connector says that it can do. */
export async function runCheck(options: CheckOptions): Promise<{ results: CaseResult[]; isTest: boolean }> {
  const client = new ConnectorClient(options.url, options.keys, options.names, options.clientCertificate);
  try {
    const read = await client.send({ method: 'GET', path: '/capabilities' });
    if ('error' in read.raw) throw new Unreachable(read.raw.error);
    const answer = client.read('getCapabilities', read);
    const results: CaseResult[] = [];
    const tried = CASES.filter(({ name }) => options.only === undefined || name === options.only);
    const trial =
      answer.kind === 'answer' ? { client, capabilities: answer.body, restart: options.restart } : undefined;
    for (const each of tried) {
      const result = await tryOn(each, trial ?? describeAnswer(answer), {
        client,
        restart: options.restart,
      });
      options.onResult?.(result);
      results.push(result);
    }
    return { results, isTest: trial?.capabilities.test ?? false };
  } finally {
    await client.close();
  }
}

/** CK-1 is tried on anything; the others need capabilities. */
function tryOn(
  each: Case,
  trial: Trial | string,
  { client, restart }: Omit<Trial, 'capabilities'>,
): Promise<CaseResult> {
  return tryCase(each, async () => {
    if (typeof trial !== 'string') {
      if (!each.reads && !trial.capabilities.test) throw new Skip('the connector is not in test mode');
      await each.run(trial);
    } else if (each.name === 'CK-1') {
      await each.run({ client, restart, capabilities: undefined as never });
    } else {
      throw new Skip('the capabilities cannot be read');
    }
    return [];
  });
}
