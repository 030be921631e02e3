import { RuleLink } from '../../ui/states.tsx';
import { Text } from '../../ui/text.tsx';
import { REFUSALS } from './refusals.ts';
import { HIDDEN } from './words.ts';

/** Why the call was refused, as its reply said it; then the rule, and when the code is sent in general. */
export function Refusal({ code, reply }: { code: string; reply: unknown }) {
  const [rule, when] = REFUSALS[code] ?? [];
  const { reason, fields } = refusalOf(reply);
  return (
    <div class="requests-refusal">
      {reason !== undefined && (
        <p>
          <strong>
            <Text>{reason}</Text>
          </strong>
        </p>
      )}
      {fields.length > 1 && (
        <ul>
          {fields.map(({ field, message }, i) => (
            <li key={i}>
              <code>
                <Text>{field}</Text>
              </code>{' '}
              <Text>{message}</Text>
            </li>
          ))}
        </ul>
      )}
      <p>
        <code>{code}</code> {rule !== undefined && <RuleLink rule={rule} />}
      </p>
      {when !== undefined && (
        <details class="folded">
          <summary>When this code is sent</summary>
          <RuleText text={when} />
        </details>
      )}
    </div>
  );
}

interface LoggedRefusal {
  readonly reason: string | undefined;
  readonly fields: readonly { readonly field: string; readonly message: string }[];
}

/** What the log keeps of a refusal. The reason is missing where it may quote another party. */
export function refusalOf(reply: unknown): LoggedRefusal {
  const { reason, details } = (reply ?? {}) as {
    reason?: string;
    details?: { errors?: { field?: string; message?: string }[] };
  };
  const fields = (details?.errors ?? []).map(({ field = '', message = '' }) => ({ field, message }));
  return { reason: reason === HIDDEN ? undefined : reason, fields };
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
