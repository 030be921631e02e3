import assert from 'node:assert/strict';
import type { BodyOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

export type ExplanationReply = BodyOf<'explainTransaction'>;

export async function explained(platform: TestPlatform, transactionId: string): Promise<ExplanationReply> {
  const reply = await platform.call('explainTransaction', { params: { transactionId } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

/** The changes of its own status, in order: `PENDING → PROCESSING`, those of a refund with its name. */
export function movesIn({ type, items }: ExplanationReply): string[] {
  return items
    .filter(
      ({ kind, details }) =>
        kind === 'transition' && (details.of === 'AGENT_ACTION') === (type === 'AGENT_ACTION'),
    )
    .map(({ details: { of, from, to } }) => `${of === 'REFUND' ? 'refund ' : ''}${from} → ${to}`);
}

/** The titles of the items of a kind, in order. */
export function titlesIn(
  { items }: ExplanationReply,
  kind: ExplanationReply['items'][number]['kind'],
): string[] {
  return items.filter((item) => item.kind === kind).map(({ title }) => title);
}

/** The calls that an explanation offers: `POST /quotes/…/execute`. */
export function callsIn({ waiting }: ExplanationReply): string[] {
  return (waiting?.by ?? []).flatMap(({ call }) => (call ? [`${call.method} ${call.path}`] : []));
}
