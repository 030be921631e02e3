import type { ComponentChildren } from 'preact';
import { Copy } from './copy.tsx';
import { placeOf } from './id.tsx';

/** A payload, indented; ids in it are links to their pages. Text that is no JSON is shown as it is. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? indent(value) : (JSON.stringify(value, null, 2) ?? '');
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code dir="ltr">{paint(text)}</code>
      </pre>
      <Copy text={text} label={`Copy: ${label}`} />
    </div>
  );
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi;

function paint(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const found of text.matchAll(TOKENS)) {
    parts.push(text.slice(end, found.index));
    parts.push(paintOne(found));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

function paintOne(found: RegExpExecArray): ComponentChildren {
  const [all, quoted, colon] = found;
  if (quoted === undefined)
    return (
      <span key={found.index} class="json-plain">
        {all}
      </span>
    );
  if (colon !== undefined) {
    return (
      <span key={found.index} class="json-name">
        <bdi>{quoted}</bdi>
        {colon}
      </span>
    );
  }
  const place = placeOf(quoted.slice(1, -1));
  return (
    <span key={found.index} class="json-string">
      {place === undefined ? <bdi>{quoted}</bdi> : <a href={place}>{quoted}</a>}
    </span>
  );
}
