import type { Token, Tokens } from 'marked';

/** What can be linked to by the number of a rule: a heading, an item, the first cell of a row. */
export interface Anchored {
  anchor?: string;
}

const SECTION = /^(\d+(?:\.\d+)*)\.? /;
/** Markdown knows no such item: it would continue the one before. */
const INSERTED = /^(\d+[a-z]|[a-z])\. /;
const COUNTED = /^\d+\. /;
/** `**6.10.**` has its whole number, and `**3a.**` counts within its section. */
const BOLD = /^\*\*(\d+(?:\.\d+)*[a-z]?|[a-z])\.\*\*/;
const FIRST_CELL = /^(?:(\d+(?:\.\d+)+[a-z]?)$|(L\d+[a-z]?)\b)/;

/** Makes an item that was inserted later, such as `3a.`, an item of its own. */
export function separateInserted(text: string): string {
  let isCode = false;
  let isInserted = false;
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode || line === '' || line.startsWith(' ')) return line;
    const wasInserted = isInserted;
    isInserted = INSERTED.test(line);
    if (isInserted) return line.replace(INSERTED, '- **$1.** ');
    return wasInserted && COUNTED.test(line) ? `\n${line}` : line;
  });
  return lines.join('\n');
}

/** Gives every rule the anchor by which it is cited, such as `4.2.3a` (docs/rules/README.md, Numbers). */
export function anchorRules(tokens: readonly Token[]): void {
  const given = new Set<string>();
  const give = (to: Anchored, anchor: string): void => {
    // A second list below the same heading is not numbered on.
    if (!given.has(anchor)) to.anchor = anchor;
    given.add(anchor);
  };
  let section: string | undefined;
  for (const token of tokens) {
    if (token.type === 'heading') {
      section = SECTION.exec(token.text)?.[1];
      if (section !== undefined) give(token as Anchored, section);
    } else if (section !== undefined) {
      for (const [part, anchor] of partsOf(token, section)) give(part, anchor);
    }
  }
}

function partsOf(token: Token, section: string): (readonly [Anchored, string])[] {
  if (token.type === 'table') {
    return (token as Tokens.Table).rows.flatMap(([cell]) => {
      const [, whole, kind] = FIRST_CELL.exec(cell?.text ?? '') ?? [];
      const anchor = whole ?? (kind && `${section}.${kind}`);
      return cell && anchor ? [[cell as Anchored, anchor] as const] : [];
    });
  }
  if (token.type !== 'list') return [];
  const { items, ordered, start } = token as Tokens.List;
  return items.flatMap((item, i) => {
    const number = ordered ? String(Number(start) + i) : BOLD.exec(item.text)?.[1];
    if (number === undefined) return [];
    return [[item as Anchored, number.includes('.') ? number : `${section}.${number}`] as const];
  });
}
