import type { Page } from 'playwright-core';

/** The looks of texts that axe has passed, on any page of this process. */
const passed = new Set<string>();

/**
 * The texts of a page, in which axe was injected, that have too little contrast, one line each. Axe takes longer for this rule
 * than for all others together, mostly for texts that look as on an earlier page. It decides by the colour and size of a
 * text, and by the colours behind it. So a text is skipped only if axe has passed another one with the same styles, also in
 * all ancestors, and only if nothing but its ancestors is behind both. All other texts go to axe each time.
 */
export async function contrastFaults(page: Page): Promise<string[]> {
  const known = JSON.stringify([...passed]);
  const checked = await page.evaluate<Checked>(`(() => { ${IN_PAGE}\nreturn checkLooks(${known}); })()`);
  for (const look of checked.passed) passed.add(look);
  return checked.faults;
}

interface Checked {
  readonly passed: readonly string[];
  readonly faults: string[];
}

interface AxeNode {
  readonly element: Element;
  readonly html: string;
  readonly any: readonly { readonly data: { contrastRatio?: number; messageKey?: string | null } | null }[];
}

type AxeResults = readonly { readonly nodes: readonly AxeNode[] }[];

interface Background {
  readonly element: Element;
  readonly box: DOMRect;
}

/** Runs in the page, as do the functions below. */
async function checkLooks(known: readonly string[]): Promise<Checked> {
  const all = [...document.querySelectorAll('*')].filter((element) => element.getClientRects().length > 0);
  const backgrounds = all
    .filter((element) => hasBackground(getComputedStyle(element)))
    .map((element) => ({ element, box: element.getBoundingClientRect() }));
  const drawn = new Map<Element, string>();
  const looks = new Map(
    all
      .filter((element) => hasText(element) && !isUnseen(element))
      .map((element) => [element, describeLook(element, drawn)] as const),
  );
  const isKnown = new Set(known);
  const isSkipped = ([element, look]: readonly [Element, string]) =>
    isKnown.has(look) && isPlain(element, backgrounds);
  const rest = [...looks].filter((entry) => !isSkipped(entry)).map(([element]) => element);
  // Axe looks into other documents and shadow trees as well.
  const hasOthers = all.some((element) => element.shadowRoot !== null || element.matches('iframe, frame'));
  if (rest.length === 0 && !hasOthers) return { passed: [], faults: [] };
  const { axe } = globalThis as unknown as {
    axe: { run(part: object, options: object): Promise<{ violations: AxeResults; passes: AxeResults }> };
  };
  const { violations, passes } = await axe.run(hasOthers ? document : { include: rest }, {
    ...{ runOnly: ['color-contrast'], resultTypes: ['violations', 'passes'] },
    ...{ selectors: false, elementRef: true },
  });
  // A text that axe has passed because it is hidden, or because of a box behind it, says nothing about others.
  const measured = passes
    .flatMap(({ nodes }) => nodes)
    .filter(({ any }) => any.every(({ data }) => typeof data?.contrastRatio === 'number' && !data.messageKey))
    .filter(({ element }) => isPlain(element, backgrounds));
  return {
    passed: measured.flatMap(({ element }) => looks.get(element) ?? []),
    faults: violations.flatMap(({ nodes }) => nodes.map(({ html }) => `color-contrast: ${html}`)),
  };
}

function hasBackground({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean {
  return backgroundImage !== 'none' || !/^rgba\(.*, 0\)$/.test(backgroundColor);
}

/** The elements that axe looks at, and some that it does not. */
function hasText(element: Element): boolean {
  const isText = ({ nodeType, textContent }: Node) => nodeType === Node.TEXT_NODE && textContent?.trim();
  return element.matches('input, select, textarea') || [...element.childNodes].some(isText);
}

/** Whether axe takes it for a text that only screen readers have: it is cut away, or above the page. */
function isUnseen(element: Element): boolean {
  const { clipPath } = getComputedStyle(element);
  return clipPath === 'inset(50%)' || element.getBoundingClientRect().bottom + scrollY < 0;
}

/** Everything about an element that axe decides by, if nothing but its ancestors is behind it. */
function describeLook(element: Element, drawn: Map<Element, string>): string {
  const { color, fontSize, fontWeight, textShadow, webkitTextFillColor, webkitTextStroke } =
    getComputedStyle(element);
  const own = [color, fontSize, fontWeight, textShadow, webkitTextFillColor, webkitTextStroke].join(' ');
  return `${own}${describeInside(element, drawn)}`;
}

/** Everything of an element and its ancestors that colours what is inside. */
function describeInside(element: Element, drawn: Map<Element, string>): string {
  const known = drawn.get(element);
  if (known !== undefined) return known;
  const style = getComputedStyle(element);
  const { backgroundColor, backgroundImage, backgroundClip, opacity, filter, mixBlendMode } = style;
  const behind = hasBackground(style) ? `${backgroundColor} ${backgroundImage} ${backgroundClip}` : '';
  const own = `/${behind}|${opacity}|${filter}|${mixBlendMode}`;
  const { parentElement } = element;
  const all = `${own === '/|1|none|normal' ? '' : own}${parentElement ? describeInside(parentElement, drawn) : ''}`;
  drawn.set(element, all);
  return all;
}

/** Whether each background of its ancestors is behind the whole text, and no other background touches it. */
function isPlain(element: Element, backgrounds: readonly Background[]): boolean {
  const range = document.createRange();
  range.selectNode(element);
  const texts = [element.getBoundingClientRect(), ...range.getClientRects()];
  return backgrounds.every(({ element: other, box }) => {
    if (other.contains(element)) {
      return texts.every(
        ({ left, right, top, bottom }) =>
          left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom,
      );
    }
    // A part of the element is in front of its text, unless it is moved behind it.
    if (element.contains(other) && getComputedStyle(other).position === 'static') return true;
    return texts.every(
      ({ left, right, top, bottom }) =>
        left >= box.right || right <= box.left || top >= box.bottom || bottom <= box.top,
    );
  });
}

const IN_PAGE = [checkLooks, hasBackground, hasText, isUnseen, describeLook, describeInside, isPlain]
  .map(String)
  .join('\n');
