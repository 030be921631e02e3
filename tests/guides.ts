import { codeBlocks } from '#tests/markdown.ts';

/** A step of a guide: a block of shell code, and what the guide says that it prints. */
export interface Step {
  readonly code: string;
  /** The block that follows at once, where it is no code; `…` stands for anything. */
  readonly prints: string | undefined;
  /** Where the code stands in the guide. */
  readonly line: number;
}

export function stepsOf(guide: string): Step[] {
  const blocks = codeBlocks(guide);
  return blocks.flatMap(({ language, text, line }, i) => {
    if (language !== 'sh') return [];
    const next = blocks[i + 1];
    return [{ code: text, line, prints: next?.language === 'json' ? next.text : undefined }];
  });
}

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
