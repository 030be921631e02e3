/** A block of code in a document, between two fences. */
export interface CodeBlock {
  /** `js` of a block that begins with three backticks and `js wallet.js`. */
  readonly language: string;
  /** `wallet.js` of the same; empty where the block names no file. */
  readonly file: string;
  readonly text: string;
  /** The number of its first line of code, from one. */
  readonly line: number;
}

const FENCE = /^```(?<language>\w*) ?(?<file>\S*)\n(?<text>[\s\S]*?)^```$/gm;

/** All blocks of code, in their order. */
export function codeBlocks(document: string): CodeBlock[] {
  return [...document.matchAll(FENCE)].map(({ index, groups = {} }) => ({
    language: groups.language ?? '',
    file: groups.file ?? '',
    text: groups.text ?? '',
    line: document.slice(0, index).split('\n').length + 1,
  }));
}
