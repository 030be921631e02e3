/** XML that is markup already: only `xml` makes it, so that no value gets into a document without being escaped. */
export class Xml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type XmlPiece = Xml | string | false | undefined | readonly XmlPiece[];

/** Values become text, pieces of markup stay markup. Markup that is indented in the code gets no white space from it. */
export function xml(parts: TemplateStringsArray, ...values: XmlPiece[]): Xml {
  const raw = parts.raw.map((part) => part.replaceAll(/\s*\n\s*/g, ''));
  return new Xml(String.raw({ raw }, ...values.map(render)));
}

/** An element with a text; none without a text. */
export function leaf(name: string, text: string | undefined, attributes?: Xml): Xml | undefined {
  return text === undefined || text === '' ? undefined : xml`<${name}${attributes}>${text}</${name}>`;
}

/** An element with others in it; none if all of them are absent. */
export function branch(name: string, children: readonly XmlPiece[]): Xml | undefined {
  const content = render(children);
  return content === '' ? undefined : xml`<${name}>${new Xml(content)}</${name}>`;
}

/** Characters that no XML document may have, not even escaped. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

function render(piece: XmlPiece): string {
  if (piece instanceof Xml) return piece.text;
  if (piece === false || piece === undefined) return '';
  if (typeof piece === 'object') return piece.map(render).join('');
  return piece
    .replaceAll(FORBIDDEN, '')
    .replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
