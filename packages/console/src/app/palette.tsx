import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Found, useSide } from './side.ts';

export const isPaletteOpen = signal(false);

const TYPING_MS = 150;

/** Takes an id, an e-mail address, a reference, an amount or the name of a screen, and goes there. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isPaletteOpen.value;
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
    if (!isOpen && dialog.current?.open) dialog.current.close();
  }, [isOpen]);
  const close = () => {
    isPaletteOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="dialog palette" aria-label="Search" onClose={close}>
      {isOpen && <Finder close={close} />}
    </dialog>
  );
}

function Finder({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { route } = useLocation();
  const { findable } = useSide();
  const found = useFound(text);
  const id = useId();
  const chosen = found[Math.min(active, found.length - 1)];
  const open = (item: Found | undefined) => {
    if (!item) return;
    item.prepare?.();
    close();
    if (item.url !== undefined) route(item.url);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(chosen);
    else if (step !== undefined && found.length > 0) setActive((found.length + active + step) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        class="palette-input"
        role="combobox"
        aria-label={`An id, ${findable}, screen or action`}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen ? `${id}-${found.indexOf(chosen)}` : undefined}
        aria-autocomplete="list"
        placeholder={`Id, ${findable} or screen`}
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options id={id} found={found} chosen={chosen} open={open} />
      <p class="unseen" role="status">
        {found.length === 0 ? 'Nothing found' : `${found.length} found`}
      </p>
      {found.length === 0 && <p class="palette-none">Nothing was found.</p>}
    </>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly found: readonly Found[];
  readonly chosen: Found | undefined;
  readonly open: (item: Found) => void;
}

function Options({ id, found, chosen, open }: OptionsProps) {
  return (
    <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Found">
      {found.map((item, i) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as the pattern of a combobox says.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        <div
          key={`${item.url} ${item.title} ${item.hint}`}
          id={`${id}-${i}`}
          role="option"
          aria-selected={item === chosen}
          onClick={() => open(item)}
        >
          <bdi>{item.title}</bdi>
          <span class="soft">{item.hint}</span>
        </div>
      ))}
    </div>
  );
}

/** Screens are found at once; what the API must be asked for comes when the typing pauses. */
function useFound(text: string): readonly Found[] {
  const side = useSide();
  const [asked, setAsked] = useState<{ text: string; found: readonly Found[] }>({ text: '', found: [] });
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(async () => {
      const found = await side.find(text.trim());
      if (!isOld) setAsked({ text, found });
    }, TYPING_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text, side]);
  return [...(asked.text === text ? asked.found : []), ...side.findAtOnce(text.trim())];
}
