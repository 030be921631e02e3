import { type CodeBlock, codeBlocks } from '#tests/checks/markdown.ts';
import type { Judge } from '#tests/harness/judges.ts';

/** A step of a guide: what is pasted into the shell, and what the guide says that it prints. */
export interface Step {
  readonly code: string;
  /** The block that follows at once, where it is no code; `…` stands for anything. */
  readonly prints: string | undefined;
  /** Where it stands in the guide. */
  readonly line: number;
}

/**
 * What a reader does, block by block: `sh` is pasted into one shell, a block that names a file (`py verify.py`) is saved under
 * that name, `json` after `sh` is what it prints.
 */
export function stepsOf(guide: string): Step[] {
  const blocks = codeBlocks(guide);
  return blocks.flatMap((block, i): Step[] => {
    const { file, text, line } = block;
    if (file)
      return [{ code: `cat > '${file}' <<'${END_OF_FILE}'\n${text}${END_OF_FILE}`, line, prints: undefined }];
    if (block.language !== 'sh') return [];
    const next = blocks[i + 1];
    return [{ code: text, line, prints: isOutput(next) ? next.text : undefined }];
  });
}

const END_OF_FILE = 'END_OF_FILE';

/** Blocks that no step runs, saves or compares, and files that no step after them names. */
export function passedOver(guide: string): CodeBlock[] {
  const blocks = codeBlocks(guide);
  return blocks.filter((block, i) => {
    if (block.file) {
      return !blocks.slice(i).some(({ language, text }) => language === 'sh' && text.includes(block.file));
    }
    if (block.language === 'sh' || OPENING.test(block.text)) return false;
    return !(isOutput(block) && blocks[i - 1]?.language === 'sh' && !blocks[i - 1]?.file);
  });
}

/** How guides begin: the line that the service prints as “In a shell”, with other credentials. */
const OPENING =
  /^export CORRIDOR_URL=\S+ CORRIDOR_AUTH=<token id>:<client secret>; export API=\S+ AUTH=\S+\n$/;

function isOutput(block: CodeBlock | undefined): block is CodeBlock {
  return block?.language === 'json' && !block.file;
}

/** What a guide has to have installed, by what its shell code starts. Node.js, curl and bash have to be there anyway. */
export const TOOLS: readonly { readonly starts: RegExp; readonly judge: Judge }[] = [
  { starts: /\bopenssl /, judge: 'openssl' },
  { starts: /\bpython3 /, judge: 'python' },
  { starts: /\bgo run /, judge: 'go' },
  { starts: /\bjava /, judge: 'java' },
];

/** One program of all steps, as somebody has them who pasted them into one shell; each announces itself. */
export function scriptOf(steps: readonly Step[]): string {
  return steps.map(({ code }, i) => `printf '${MARK}%s\\n' ${i}\n${code}`).join('\n');
}

/** What each step printed. */
export function outputsOf(stdout: string): string[] {
  return stdout
    .split(MARK)
    .slice(1)
    .map((part) => part.replace(/^\d+\n/, ''));
}

const MARK = '=== step ';

/** Whether this was printed, line by line; lines end where they like. */
export function isAsTold(told: string, printed: string): boolean {
  const pattern = told
    .trim()
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^\\n]*');
  return new RegExp(`^${pattern}$`).test(printed.trim());
}
