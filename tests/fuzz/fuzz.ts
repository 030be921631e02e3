import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { exchange, type Sending, statusesOf } from '#tests/fuzz/exchange.ts';
import { makeKnown } from '#tests/fuzz/known.ts';
import { anySending, formSendings } from '#tests/fuzz/requests.ts';
import type { Route } from '#tests/fuzz/surface.ts';

export interface FuzzOptions {
  readonly port: number;
  readonly authorization: string;
  readonly routes: readonly Route[];
  readonly requests: number;
  readonly seed: number;
  /** Signs an operator with every role in; called for each round, because each operator makes one change in a second. */
  operatorCookie(): Promise<string>;
  /** Called from time to time, with the number of requests sent. */
  onProgress?(sent: number): Promise<void>;
  /** Whether to continue. */
  isOver?(): boolean;
}

export interface FuzzReport {
  readonly sent: number;
  /** How many answers had which status. */
  readonly statuses: ReadonlyMap<number, number>;
  /**
   * Answers of 500 and above other than "not implemented", requests that should have had an answer, and addresses for
   * forms that never looked into one: a wrong token or link would let everything else pass.
   */
  readonly faults: readonly string[];
}

const AT_ONCE = 8;
/** After this many requests the known resources are created again, because by then they are deleted, used up or expired. */
export const KNOWN_FOR = 400;
const FAULTS_MAX = 50;

/** Sends broken requests to every address of the service, each over its own connection. */
export async function fuzz({
  port,
  authorization,
  routes,
  requests,
  seed,
  operatorCookie,
  onProgress,
  isOver,
}: FuzzOptions): Promise<FuzzReport> {
  const random = new SeededRandom(seed);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  /** The addresses that refused a request for its content. */
  const readers = new Set<string>();
  let sent = 0;
  const sendOne = async (sending: Sending): Promise<void> => {
    const received = await exchange(port, sending);
    const found = statusesOf(received);
    for (const status of found) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (found.includes(BAD_REQUEST)) readers.add(sending.what);
    const isMissing = sending.end === 'wait' && found.length === 0;
    if (isMissing || found.some(isFault)) faults.push(describeFault(sending, received));
  };
  while (sent < requests && faults.length < FAULTS_MAX && !isOver?.()) {
    const known = await makeKnown(`http://127.0.0.1:${port}`, authorization, await operatorCookie());
    const forms = sent === 0 ? formSendings(routes, random, known) : [];
    const round = [...forms];
    while (round.length < KNOWN_FOR && sent + round.length < requests)
      round.push(anySending(routes, random, known));
    await sendAll(round, sendOne);
    const unread = new Set(forms.map(({ what }) => what)).difference(readers);
    for (const what of unread) faults.push(`${what} has read none of the forms`);
    sent += round.length;
    await onProgress?.(sent);
  }
  return { sent, statuses, faults };
}

async function sendAll(
  sendings: readonly Sending[],
  sendOne: (sending: Sending) => Promise<void>,
): Promise<void> {
  const left = sendings.values();
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (const sending of left) await sendOne(sending);
  });
  await Promise.all(lanes);
}

const BAD_REQUEST = 400;
const NOT_IMPLEMENTED = 501;

function isFault(status: number): boolean {
  return status >= 500 && status !== NOT_IMPLEMENTED;
}

function describeFault({ what, pieces, end }: Sending, received: string): string {
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString('latin1').replace(/authorization: \w+ \S+/g, 'authorization: …');
  return `${what.slice(0, 120)} (${pieces.map(({ length }) => length).join('+')} bytes, ${end})\n${JSON.stringify(text.slice(0, 1_500))}\n→ ${JSON.stringify(received.slice(0, 800))}`;
}
