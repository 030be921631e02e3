import type { ComponentChildren } from 'preact';
import { type Call, curlOf, typescriptOf } from '../api/call.ts';
import { commandLine, exportsLine } from '../api/shell.ts';
import { Copy } from './copy.tsx';
import { Tabs } from './layout.tsx';

/** A text to be copied, as it is. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{highlight(text)}</code>
      </pre>
      <Copy text={text} label={`Copy: ${label}`} />
    </div>
  );
}

/** A call as curl, as TypeScript and, if there is one, as a command: the same that the button beside it does. */
export function CodeBox({ call }: { call: Call }) {
  const { command } = call;
  return (
    <div class="code-box">
      <Tabs
        label="Show the call as"
        tabs={{
          curl: () => (
            <>
              <Exports />
              <Code text={curlOf(call)} label="curl" />
            </>
          ),
          TypeScript: () => <Code text={typescriptOf(call)} label="TypeScript" />,
          ...(command !== undefined && { Command: () => <Command command={command} /> }),
        }}
      />
    </div>
  );
}

/** A command of the service, as it works in the folder of Corridor. */
export function Command({ command }: { command: string }) {
  return (
    <>
      <Exports />
      <Code text={commandLine(command)} label="corridor command" />
    </>
  );
}

/** What a new shell needs first. The secret is not known here: the service prints it once. */
function Exports() {
  return (
    <div class="code-first">
      <p>
        First, once in a shell: the line that <code>npm start</code> printed or, with your own token (
        <a href="/console/settings">Settings</a> makes one):
      </p>
      <Code text={exportsLine()} label="line for a new shell" />
      <p>Then:</p>
    </div>
  );
}

/** The call, folded away until somebody opens it. */
export function FoldedCall({ call, isOpen = false }: { call: Call; isOpen?: boolean }) {
  return (
    <details class="folded" open={isOpen}>
      <summary>Show the call</summary>
      <CodeBox call={call} />
    </details>
  );
}

const TOKENS =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(\b(?:await|const|import|from|true|false|null|curl|corridor)\b)|(#.*$)/gm;

/** Strings, words of the language and comments, as elements: never as markup. */
function highlight(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const found of text.matchAll(TOKENS)) {
    parts.push(text.slice(end, found.index));
    const kind = found[1] !== undefined ? 'string' : found[2] !== undefined ? 'word' : 'comment';
    parts.push(
      <span key={found.index} class={`code-${kind}`}>
        {kind === 'string' ? <bdi>{found[0]}</bdi> : found[0]}
      </span>,
    );
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}
