import type { RequestLog } from '@corridor/client';
import { useId, useRef, useState } from 'preact/hooks';
import { type Call, callAt } from '../../api/call.ts';
import { invalidate, useMutation } from '../../api/query.ts';
import { consoleFetch, loadSession, session } from '../../api/session.ts';
import { Json } from '../../ui/json.tsx';
import { Failed } from '../../ui/states.tsx';
import { HttpStatus } from '../../ui/status.tsx';
import type { LoggedCall } from './logged-call.ts';
import { HIDDEN } from './words.ts';

interface Sending {
  readonly method: string;
  /** Path and query, below the base path. */
  readonly path: string;
  /** JSON as it was typed. */
  readonly body: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The request itself was refused with 401: the developer is still signed in. */
  readonly isOwnRefusal: boolean;
}

interface SendAgainProps {
  readonly request: RequestLog;
  readonly logged: LoggedCall;
  /** Called with the call as it was typed, so that its curl follows. */
  readonly onEdit: (call: Call) => void;
}

/** Edits a logged request and sends it again. Both replies stand side by side. */
export function SendAgain({ request, logged, onEdit }: SendAgainProps) {
  const [isOpen, setOpen] = useState(false);
  const { body } = logged.declared;
  if (body === 'form') {
    return (
      <p class="section-hint">This call uploads a file, which the log does not keep. Repeat it with curl.</p>
    );
  }
  if (!isOpen) {
    return (
      <p class="requests-edit">
        <button type="button" onClick={() => setOpen(true)}>
          Edit and send again
        </button>
      </p>
    );
  }
  return (
    <Editor
      request={request}
      hasBody={body === 'json'}
      hasKey={logged.declared.hasKey === true}
      onEdit={onEdit}
    />
  );
}

interface EditorProps {
  readonly request: RequestLog;
  readonly hasBody: boolean;
  readonly hasKey: boolean;
  readonly onEdit: (call: Call) => void;
}

/** The call as it was typed; undefined while it cannot be read. */
function readEdited(method: string, { path, body }: Omit<Sending, 'method'>): Call | undefined {
  const [bare = '', search] = path.split('?', 2);
  try {
    const input = { ...Object.fromEntries(new URLSearchParams(search)), ...(body && JSON.parse(body)) };
    return callAt(method, bare, Object.keys(input).length > 0 ? input : undefined);
  } catch {
    return undefined;
  }
}

function Editor({ request, hasBody, hasKey, onEdit }: EditorProps) {
  const [problem, setProblem] = useState<string>();
  const send = useMutation(
    (sending: Sending) => sendRaw(sending, hasKey),
    () => invalidate(),
  );
  const read = (form: HTMLFormElement) => {
    const data = new FormData(form);
    return {
      path: String(data.get('path')).trim(),
      body: hasBody ? String(data.get('body')) : undefined,
    };
  };
  const follow = (event: Event) => {
    const edited = readEdited(request.method, read(event.currentTarget as HTMLFormElement));
    if (edited) onEdit(edited);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    (event.currentTarget as HTMLFormElement).requestSubmit();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (send.isRunning) return;
    const { path, body } = read(event.currentTarget as HTMLFormElement);
    const wrong = findProblem(path, body);
    setProblem(wrong);
    if (wrong === undefined) void send.run({ method: request.method, path, body });
  };
  return (
    <form class="form requests-editor" onSubmit={submit} onInput={follow} onKeyDown={onKeyDown} noValidate>
      <Fields request={request} hasBody={hasBody} problem={problem} />
      {send.failure && <Failed what="The request was not sent." failure={send.failure} />}
      <div class="form-foot">
        <button type="submit" class="primary" aria-disabled={send.isRunning}>
          {send.isRunning ? 'Sending…' : `Send ${request.method}`}
        </button>
      </div>
      {send.data && <Replies request={request} answer={send.data} />}
    </form>
  );
}

function Fields(props: { request: RequestLog; hasBody: boolean; problem: string | undefined }) {
  const { request, hasBody, problem } = props;
  const id = useId();
  const first = useRef<HTMLElement | null>(null);
  /** The button that opened the editor is gone, so the focus goes to what will be edited. */
  const focus = (element: HTMLElement | null) => {
    if (element !== null && first.current === null) {
      first.current = element;
      element.focus();
    }
  };
  const text = JSON.stringify(request.request ?? {}, null, 2);
  return (
    <>
      <div class="field">
        <label for={`${id}-path`}>Path</label>
        <input
          id={`${id}-path`}
          name="path"
          class="requests-path"
          defaultValue={pathOf(request)}
          autoComplete="off"
          spellcheck={false}
          {...(!hasBody && { ref: focus })}
          aria-describedby={`${id}-problem`}
        />
      </div>
      {hasBody && (
        <div class="field">
          <label for={`${id}-body`}>Body</label>
          <textarea
            id={`${id}-body`}
            name="body"
            rows={Math.min(24, text.split('\n').length + 1)}
            defaultValue={text}
            spellcheck={false}
            ref={focus}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-problem`}
          />
        </div>
      )}
      <p id={`${id}-problem`} class="field-refusal" role="status">
        {problem}
      </p>
    </>
  );
}

function pathOf({ path, query }: RequestLog): string {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((item): [string, string] => [name, String(item)]),
    ),
  );
  return search.size > 0 ? `${path}?${decodeURIComponent(String(search))}` : path;
}

/** Finds values that the log hides and text that is not JSON, before the call is sent. */
function findProblem(path: string, body: string | undefined): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//') || path.split('/').includes('..')) {
    return 'The path must begin with a slash and must not contain “..”.';
  }
  if (path.includes(HIDDEN)) return 'Replace the “…” in the path: the log does not keep that value.';
  if (body === undefined) return undefined;
  try {
    JSON.parse(body);
  } catch (error) {
    return `The body is not valid JSON: ${error instanceof Error ? error.message : error}`;
  }
  const count = body.split(`"${HIDDEN}"`).length - 1;
  if (count > 0) {
    return `Replace ${count === 1 ? 'the “…”' : `each of the ${count} “…”`} in the body: the log does not keep such values.`;
  }
  return undefined;
}

/** Sends what was typed, byte for byte: the client would tidy it up. */
async function sendRaw({ method, path, body }: Sending, hasKey: boolean): Promise<Answer> {
  const reply = await consoleFetch(`/console/api/platform${encodeURI(path)}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(hasKey && { 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body !== undefined && { body }),
  });
  const answer = { status: reply.status, text: await reply.text() };
  if (answer.status !== 401) return { ...answer, isOwnRefusal: false };
  // A call can be refused with 401 by itself, for a wrong signature or code. Only the session's own address says more.
  await loadSession();
  return { ...answer, isOwnRefusal: session.value !== null };
}

function Replies({ request, answer }: { request: RequestLog; answer: Answer }) {
  return (
    <div class="requests-pair" role="status">
      <section aria-label="The first reply">
        <h3>
          The first time <HttpStatus code={request.status} />
        </h3>
        <Json value={request.reply ?? 'The log did not keep the body.'} label="first reply" />
      </section>
      <section aria-label="The new reply">
        <h3>
          Now <HttpStatus code={answer.status} />
        </h3>
        {answer.isOwnRefusal && (
          <p class="soft">The call itself was refused. You are still signed in to the console.</p>
        )}
        <Json value={answer.text === '' ? 'The reply has no body.' : answer.text} label="new reply" />
      </section>
    </div>
  );
}
