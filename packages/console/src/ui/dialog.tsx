import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus inside, closes on Escape, and gives the focus back. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
    if (!isOpen && dialog.current?.open) dialog.current.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      {isOpen && (
        <>
          <div class="dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
              ✕
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
