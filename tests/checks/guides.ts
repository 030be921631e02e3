import { type CodeBlock, codeBlocks } from '#tests/checks/markdown.ts';
import { SEND_COMMAND } from '#tests/harness/command-line.ts';
import type { Judge } from '#tests/harness/judges.ts';

/** A step of a guide: the pasted shell code, and the expected output. */
export interface Step {
  readonly code: string;
  /** The block that follows directly, if it is not code; `…` stands for anything. */
  readonly prints: string | undefined;
  /** Its place in the guide. */
  readonly line: number;
}

/**
 * The steps of a reader, block by block: `sh` is pasted into one shell, a block that names a file (`py verify.py`) is saved
 * under that name, and `json` after `sh` is the expected output.
 */
export function parseSteps(guide: string): Step[] {
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

/** Blocks that no step runs, saves or compares, and files that no later step names. */
export function listUnusedBlocks(guide: string): CodeBlock[] {
  const blocks = codeBlocks(guide);
  return blocks.filter((block, i) => {
    if (block.file) {
      return !blocks.slice(i).some(({ language, text }) => language === 'sh' && text.includes(block.file));
    }
    if (block.language === 'sh' || OPENING.test(block.text)) return false;
    return !(isOutput(block) && blocks[i - 1]?.language === 'sh' && !blocks[i - 1]?.file);
  });
}

/** The beginning of a guide: the line that the service prints as “In a shell”, with other credentials. */
const OPENING =
  /^export CORRIDOR_URL=\S+ CORRIDOR_AUTH=<token id>:<client secret>; export API=\S+ AUTH=\S+\n$/;

function isOutput(block: CodeBlock | undefined): block is CodeBlock {
  return block?.language === 'json' && !block.file;
}

/** The programs that a guide needs, by the commands in its shell code. Node.js, curl and bash are required anyway. */
export const TOOLS: readonly { readonly starts: RegExp; readonly judge: Judge }[] = [
  { starts: /\bopenssl /, judge: 'openssl' },
  { starts: /\bpython3 /, judge: 'python' },
  { starts: /\bgo run /, judge: 'go' },
  { starts: /\bjava /, judge: 'java' },
];

/** One program of all steps, as if they were pasted into one shell; each step announces itself. */
export function renderScript(steps: readonly Step[]): string {
  return steps.map(({ code }, i) => `printf '${MARK}%s\\n' ${i}\n${code}`).join('\n');
}

/** Programs in other languages that only read files which the guide has saved. */
const READS_FILES_ONLY = /^(?:(?:python3|go run|java) .*\n)+$/;

/**
 * The steps of a reader who repeats a guide, without programs that would only repeat their result because they call no
 * service: starting the compilers of three languages takes longer than the rest of their guide.
 */
export function listRepeatedSteps(steps: readonly Step[]): Step[] {
  return steps.filter(({ code }) => !READS_FILES_ONLY.test(code));
}

/**
 * A program in place of npm that runs the scripts `corridor` and `node`. Commands that come to an end by themselves run in the
 * tests' reused process for commands, whose socket it is given: a start of their own takes most of their processor time.
 * Those that run on are processes of the given binary. Another script fails.
 */
export function renderShortNpm(node: string, binary: string, commands: string): string {
  return `#!/bin/bash
case "$1 $2 $3 $4 $5" in
  'run -s corridor -- serve' | 'run -s corridor -- listen') exec '${node}' '${binary}' "\${@:5}" ;;
  'run -s corridor -- '*) shift 4 ;;
  'run -s node -- '*) exec '${node}' "\${@:5}" ;;
  *) echo "no guide may need npm $*" >&2; exit 1 ;;
esac
COMMANDS='${commands}'
${SEND_COMMAND}
`;
}

/** The output of each step. */
export function parseOutputs(stdout: string): string[] {
  return stdout
    .split(MARK)
    .slice(1)
    .map((part) => part.replace(/^\d+\n/, ''));
}

const MARK = '=== step ';

/** Whether the output matches, whatever its line breaks. */
export function isAsTold(told: string, printed: string): boolean {
  const pattern = told
    .trim()
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^\\n]*');
  return new RegExp(`^${pattern}$`).test(printed.trim());
}
