import { RuleLink } from '../../ui/states.tsx';
import { Text } from '../../ui/text.tsx';
import { REFUSALS } from './refusals.ts';

/** The rule that a refusal follows, with the fields that it names. */
export function Refusal({ code, reply }: { code: string; reply: unknown }) {
  const [rule, when] = REFUSALS[code] ?? [];
  const fields = fieldsOf(reply);
  return (
    <div class="requests-refusal">
      <p>
        <code>{code}</code> {rule !== undefined && <RuleLink rule={rule} />}
      </p>
      {when !== undefined && <RuleText text={when} />}
      {fields.length > 0 && (
        <p>
          Fields that were refused:{' '}
          {fields.map((field, i) => (
            <span key={field}>
              {i > 0 && ', '}
              <code>
                <Text>{field}</Text>
              </code>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** The names of the refused fields; the log keeps nothing else about them. */
export function fieldsOf(reply: unknown): string[] {
  const { details } = (reply ?? {}) as { details?: { errors?: { field?: string }[] } };
  return (details?.errors ?? []).map(({ field = '' }) => field);
}

const PARTS = /`([^`]+)`|(?:([a-z-]+\.md) )?§([\d.]*[\da-z])/g;

/** Text of the rules: names as code, numbers of other rules as links. */
function RuleText({ text }: { text: string }) {
  const parts = [];
  let file = 'platform.md';
  let end = 0;
  for (const found of text.matchAll(PARTS)) {
    const [all, name, other, number] = found;
    parts.push(text.slice(end, found.index));
    if (other !== undefined) file = other;
    parts.push(
      name === undefined ? (
        <RuleLink key={found.index} rule={`${file} §${number}`} />
      ) : (
        <code key={found.index}>{name}</code>
      ),
    );
    end = found.index + all.length;
  }
  return (
    <p class="requests-when">
      {parts}
      {text.slice(end)}
    </p>
  );
}
