import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Call, perform } from '../api/call.ts';
import type { Failure } from '../api/failure.ts';
import { useMutation } from '../api/query.ts';
import { FoldedCall } from './code-box.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './states.tsx';
import { clearToasts } from './toast.tsx';

export interface ActionProps<Reply> {
  readonly label: string;
  readonly call: Call<Reply>;
  readonly onDone: (reply: Reply) => void;
  /** For the failure: "The token was not deleted." */
  readonly what: string;
  /** Asks first, in a dialog with this sentence: for what cannot be undone. */
  readonly ask?: string | undefined;
  readonly kind?: 'primary' | 'danger' | 'quiet' | undefined;
  /** Hides the call, where the same call is shown beside it already. */
  readonly isPlain?: boolean | undefined;
  /** What helps after a refusal, such as a button that adds the missing money. */
  readonly help?: ((failure: Failure) => ComponentChildren) | undefined;
}

/** A button that makes one call, and shows that call before it is made. */
export function Action<Reply>(props: ActionProps<Reply>) {
  const { label, call, onDone, what, ask, kind, isPlain = false, help } = props;
  const [isAsking, setAsking] = useState(false);
  const act = useMutation((given: Call<Reply>) => perform(given), onDone);
  const run = async () => {
    if (act.isRunning) return;
    clearToasts();
    const reply = await act.run(call);
    if (reply !== undefined) setAsking(false);
  };
  const button = (
    <button type="button" class={kind} aria-disabled={act.isRunning} onClick={run}>
      {act.isRunning ? 'Working…' : label}
    </button>
  );
  const failed = act.failure && (
    <>
      <Failed what={what} failure={act.failure} />
      {help?.(act.failure)}
    </>
  );
  if (ask === undefined) {
    return (
      <div class="action">
        {button}
        {failed}
        {!isPlain && <FoldedCall call={call} />}
      </div>
    );
  }
  return (
    <>
      <button type="button" class={kind} onClick={() => setAsking(true)}>
        {label}…
      </button>
      <Dialog title={`${label}?`} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{ask}</p>
        {failed}
        <div class="form-foot">
          {button}
          <button type="button" class="quiet" onClick={() => setAsking(false)}>
            Go back
          </button>
        </div>
        <FoldedCall call={call} />
      </Dialog>
    </>
  );
}
