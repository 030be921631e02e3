import { type ExplanationParts, explainWithPhrases } from '#foundation/explanation/explain.ts';
import type { FlushedLog } from '#foundation/explanation/routes.ts';
import { type PresentedItem, TransactionExplanation } from '#foundation/explanation/schemas.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { maskFields } from '#foundation/records/mask.ts';

/** The resources that can be explained, and where operators find their explanation. */
const EXPLAINED = [
  { type: 'Transaction', place: 'payments', missing: 'TRANSACTION_NOT_FOUND', name: 'Payment' },
  { type: 'Quote', place: 'quotes', missing: 'QUOTE_NOT_FOUND', name: 'Quote' },
  {
    type: 'StablecoinOperation',
    place: 'stablecoin-operations',
    missing: 'STABLECOIN_OPERATION_NOT_FOUND',
    name: 'StablecoinOperation',
  },
  { type: 'AgentAction', place: 'agent-actions', missing: 'NOT_FOUND', name: 'AgentAction' },
] as const;

/** Details that people or outside parties wrote. A code among them stays, and a number keeps its end (operator.md §4.1). */
const WRITTEN = ['reason', 'bankReference', 'reference', 'lastError'];

function withoutTexts(
  { items, ...explanation }: TransactionExplanation,
  written: readonly string[],
): TransactionExplanation {
  const masked = items.map((item) => ({ ...item, details: maskWritten(item.details) }));
  const phrases = written.filter((phrase) => phrase !== '').map((phrase) => RegExp.escape(phrase));
  if (phrases.length === 0) return { ...explanation, items: masked };
  const pattern = new RegExp(`(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  const leaveOut = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(pattern, '') : value;
  return JSON.parse(JSON.stringify({ ...explanation, items: masked }), leaveOut) as TransactionExplanation;
}

function maskWritten(details: PresentedItem['details']): PresentedItem['details'] {
  const entries = Object.entries(details ?? {}).map(([name, value]) => [
    name,
    WRITTEN.includes(name) ? maskFields(value, name) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The explanations of operator.md §8, with what platforms do not see. The command also prints texts. */
export function operatorExplanations(parts: ExplanationParts, log: FlushedLog) {
  return EXPLAINED.map(({ type, place, missing, name }) =>
    operation(`explain${name}`, {
      route: `GET /${place}/:id/explanation`,
      area: 'Payments',
      summary: 'Explain why its money is where it is',
      description:
        'One timeline of everything that happened and is due, with the lines of all accounts and the operators who acted. ' +
        'It says what an unfinished transaction waits for, and why a failed one failed.',
      access: 'operator',
      operator: { roles: EVERY_ROLE, on: 'resource' },
      params: { id: { id: type, missing, description: 'The id of the record.' } },
      reply: TransactionExplanation,
      codes: [missing, 'TRANSACTION_NOT_FOUND'],
      async handle(work, { params: { id } }) {
        await log.flush();
        const resource = publicId(type, id);
        const found = await work.read((tx) => explainWithPhrases(tx, parts, resource, 'OPERATOR'));
        return withoutTexts(found.explanation, found.written);
      },
    }),
  );
}
