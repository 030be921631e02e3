import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

export interface ScreenProps {
  /** The heading, and the title of the tab. Use a name without personal values. */
  readonly title: string;
  /** The heading in its place: a name that must not become the title of the tab. */
  readonly name?: string | undefined;
  /** One line: the answer to the question that brings people here. */
  readonly answer?: ComponentChildren;
  /** Buttons and links beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Every screen has this around it: its heading gets the focus when the screen opens. */
export function Screen({ title, name, answer, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} – Corridor`;
  }, [title]);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1 tabIndex={-1}>{name === undefined ? breakable(title) : <bdi>{name}</bdi>}</h1>
        {/* An empty line keeps the place of an answer that is still being read. */}
        <p class="screen-answer">{answer || '\u00a0'}</p>
        {actions && <div class="screen-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Lets a long name, such as `OUTGOING_PAYMENT.COMPLETED`, break between its words. */
function breakable(name: string): ComponentChildren {
  const parts = name.split(/(?<=[._])/);
  return parts.flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]));
}

export interface SectionProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Draws a card around it; tables draw their own. */
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}

export function Section({ title, hint, actions, isCard = false, children }: SectionProps) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {actions && <div class="screen-actions">{actions}</div>}
      </div>
      {hint && <p class="section-hint">{hint}</p>}
      {isCard ? <div class="card">{children}</div> : children}
    </section>
  );
}

/** Names and values of one thing. An undefined value is left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Two columns on a wide screen: what happens, and what stands beside it. */
export function Columns({ main, side }: { main: ComponentChildren; side: ComponentChildren }) {
  return (
    <div class="columns">
      <div>{main}</div>
      <div>{side}</div>
    </div>
  );
}

/** Tabs by the pattern of the ARIA guide: arrows change the tab. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: Readonly<Record<string, () => ComponentChildren>>;
}) {
  const names = Object.keys(tabs);
  const [chosen, choose] = useState(names[0] ?? '');
  const active = names.includes(chosen) ? chosen : (names[0] ?? '');
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(active) + step + names.length) % names.length] ?? '';
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === active}
            aria-controls={`${id}-panel`}
            tabIndex={name === active ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`}>
        {tabs[active]?.()}
      </div>
    </div>
  );
}
