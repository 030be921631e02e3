import { type Html, html, type Piece } from '#foundation/http/html-page.ts';

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;

/** Comment, string and word of each language that our documents use. */
const LANGUAGES: Readonly<Record<string, RegExp>> = {
  sh: shape('(?<=^|\\s)#.*$', STRING, 'curl|npm|node|export|corridor|call|jq|openssl|docker'),
  js: shape(
    '//.*$',
    STRING,
    'await|async|const|let|for|of|if|return|import|from|new|throw|try|catch|function|export',
  ),
  python: shape('#.*$', STRING, 'def|import|from|return|if|else|for|in|not|class|with|as|try|except|raise'),
  go: shape('//.*$', STRING, 'func|package|import|return|if|else|for|range|var|type|struct|defer|nil'),
  java: shape('//.*$', STRING, 'class|public|static|void|return|if|else|for|new|import|throws|var|final'),
  json: shape('(?!)', STRING, 'true|false|null'),
};

const SAME_AS: Readonly<Record<string, string>> = {
  bash: 'sh',
  mjs: 'js',
  ts: 'js',
  javascript: 'js',
  typescript: 'js',
  py: 'python',
};

function shape(comment: string, string: string, words: string): RegExp {
  return new RegExp(`(?<comment>${comment})|(?<string>${string})|(?<word>\\b(?:${words})\\b)`, 'gm');
}

/** Marks comments, strings and words of a language. Code without a language, or in an unknown one, stays plain. */
export function highlight(code: string, language = ''): Html {
  const pattern = LANGUAGES[SAME_AS[language] ?? language];
  if (!pattern) return html`${code}`;
  const pieces: Piece[] = [];
  let end = 0;
  for (const { index, groups = {}, 0: found } of code.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
    pieces.push(code.slice(end, index), html`<span class="${kind}">${found}</span>`);
    end = index + found.length;
  }
  return html`${[...pieces, code.slice(end)]}`;
}
