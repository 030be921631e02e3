import type { Page, Request } from 'playwright-core';
import { accessibilityFaults, COLOURS_ONLY } from '#tests/harness/browser.ts';
import { type ConsolePage, LAYOUT_SHIFT_MAX } from '#tests/harness/console-page.ts';

export interface Opened extends ConsolePage {
  readonly pending: Set<Request>;
}

export interface Walked {
  readonly width: number;
  /** Looked at afterwards, without another load. */
  readonly other: number;
  /** The screen asks for something that its platform does not have. */
  readonly isRefused?: boolean;
}

/** Loads a screen once, and returns all that is wrong with it at both widths and in both themes. */
export async function walk(opened: Opened, address: string, { width, other, isRefused }: Walked) {
  const { page, faults, pending } = opened;
  const found: string[] = [];
  const complain = (what: string, lines: readonly string[]) =>
    found.push(...lines.map((line) => `${address}: ${what}: ${line}`));
  const earlier = faults.length;
  const refusals: string[] = [];
  const note = (reply: { status(): number; url(): string }) =>
    reply.status() >= 400 && refusals.push(`${reply.status()} ${reply.url()}`);
  page.on('response', note);
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  pending.clear();
  await opened.open(address);
  await settle(opened, pending);
  const { shift, violations } = await page.evaluate(() => ({
    shift: (globalThis as unknown as { layoutShift: number }).layoutShift,
    violations: (globalThis as unknown as { violations: string[] }).violations,
  }));
  if (shift > LAYOUT_SHIFT_MAX) complain('moved while it loaded', [String(shift)]);
  complain('policy', violations);
  for (const at of [width, other]) {
    await page.setViewportSize({ width: at, height: 900 });
    complain(`at ${at}`, await accessibilityFaults(page));
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) complain(`at ${at}`, [`${excess} px wider than its window`]);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  complain('dark', await accessibilityFaults(page, COLOURS_ONLY));
  page.off('response', note);
  complain('error', faults.slice(earlier));
  if (!isRefused) complain('refused', [...refusals, ...(await page.locator('.failed').allInnerTexts())]);
  return found;
}

/** The console, which from now on gets its replies one by one. */
export async function watched(opened: ConsolePage): Promise<Opened> {
  await opened.page.addInitScript(replyInTurn);
  return { ...opened, pending: pendingCalls(opened.page) };
}

/**
 * Runs in the page, before anything of it. Every reply is drawn before the next one comes, so that what moves does not depend
 * on the speed of the machine.
 */
function replyInTurn(): void {
  const ask = globalThis.fetch;
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const page = globalThis as unknown as { repliesAhead: number };
  page.repliesAhead = 0;
  let turn: Promise<unknown> = Promise.resolve();
  globalThis.fetch = (input, init) => {
    const asked = ask(input, init);
    if (String(input instanceof Request ? input.url : input).includes('/events/feed')) return asked;
    page.repliesAhead += 1;
    const reply = turn.then(() => asked);
    turn = reply.then(drawn, drawn).then(() => {
      page.repliesAhead -= 1;
    });
    return reply;
  };
}

/** The calls of the page that wait for their replies; the feed waits for events. */
function pendingCalls(page: Page): Set<Request> {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().includes('/events/feed')) pending.add(request);
  });
  page.on('requestfinished', (request) => void pending.delete(request));
  page.on('requestfailed', (request) => void pending.delete(request));
  return pending;
}

/** Waits until the screen has read everything and has drawn it: a call may follow from what another one brought. */
async function settle({ page, settle: load }: ConsolePage, pending: ReadonlySet<Request>): Promise<void> {
  let quietFrames = 0;
  while (quietFrames < 3) {
    await load();
    const ahead = await page.evaluate(repliesAhead);
    quietFrames = pending.size + ahead === 0 ? quietFrames + 1 : 0;
  }
}

/** Runs in the page. The replies that it has yet to draw, after the next frame. */
function repliesAhead(): Promise<number> {
  const page = globalThis as unknown as { repliesAhead: number };
  return new Promise((resolve) => requestAnimationFrame(() => resolve(page.repliesAhead)));
}

/** Runs in the page. Whether it shows the text, and what of it is more than text, or not kept apart from our own. */
export function strangersText(): { isThere: boolean; faults: string[] } {
  const made = [...document.querySelectorAll('[onerror], img[src="x"]')].map(({ outerHTML }) => outerHTML);
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const turned: string[] = [];
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const text = node.textContent ?? '';
    const isApart = text.includes('\u2068') || node.parentElement?.closest('bdi, option, textarea');
    if (text.includes('\u202E') && !isApart) turned.push(node.parentElement?.outerHTML.slice(0, 200) ?? '');
  }
  return {
    isThere: document.body.textContent?.includes('<img src=x onerror=') === true,
    faults: [...made.map((html) => `element: ${html}`), ...turned.map((html) => `not kept apart: ${html}`)],
  };
}
