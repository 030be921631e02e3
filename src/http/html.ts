/** Text that is markup already. Only `html` makes it, so nothing reaches a page without being escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | undefined | readonly Piece[];

/** The one place of escaping: values become text, pieces of markup stay what they are. */
export function html(parts: TemplateStringsArray, ...values: Piece[]): Html {
  let text = parts[0] ?? '';
  for (const [i, value] of values.entries()) text += render(value) + (parts[i + 1] ?? '');
  return new Html(text);
}

function render(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (piece === false || piece === undefined) return '';
  if (typeof piece === 'object') return piece.map(render).join('');
  return String(piece).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
