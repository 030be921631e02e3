/** Writes XML from values: they are escaped here, and never joined as markup by a caller (bank-files.md §3.6). */

/** An element, or nothing where its content is absent. */
export type Markup = string | undefined;

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPED[character] ?? '');
}

/** An element with a text; none without a text. */
export function leaf(name: string, text: string | undefined, attributes = ''): Markup {
  return text === undefined || text === '' ? undefined : `<${name}${attributes}>${escapeXml(text)}</${name}>`;
}

/** An element with others in it; none if all of them are absent. */
export function branch(name: string, children: readonly Markup[]): Markup {
  const content = children.filter((child) => child !== undefined).join('');
  return content === '' ? undefined : `<${name}>${content}</${name}>`;
}

export function attribute(name: string, value: string): string {
  return ` ${name}="${escapeXml(value)}"`;
}

/** A whole document in UTF-8. */
export function xmlDocument(namespace: string, children: readonly Markup[]): Buffer {
  const content = children.filter((child) => child !== undefined).join('');
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document${attribute('xmlns', namespace)}>${content}</Document>\n`,
  );
}
