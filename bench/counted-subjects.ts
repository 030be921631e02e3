import { takeEffect } from '#capabilities/cards/notices/receive-notice.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { authorize, issueCards } from './cards.ts';
import { type Call, type CountedDatabase, countCalls } from './counted-database.ts';
import { startNaivePeer } from './naive-peer-process.ts';
import { openPayers, quoteBody } from './service.ts';
import { setup } from './tpcb.ts';
import type { Piece } from './valgrind.ts';
import { openWireClient } from './wire-client.ts';
import { openService } from './world.ts';

/** The parts of one operation whose instructions are reported, each with a label for each piece. */
export type Sample = Readonly<Record<string, readonly LabelledPiece[]>>;

export interface LabelledPiece extends Piece {
  readonly label: string;
}

export function instructionsOf(pieces: readonly LabelledPiece[]): number {
  return pieces.reduce((total, { instructions }) => total + instructions, 0);
}

/** An operation, prepared on an ordinary server: `begin` is called after the restart, and `once` may then run so many times. */
export interface Subject {
  begin(collect: () => Promise<Piece[]>): Promise<void>;
  once(): Promise<Sample>;
}

export interface SubjectParts {
  /** An empty database. */
  readonly databaseUrl: string;
  readonly closers: (() => Promise<void>)[];
  /** How often `once` will be called. */
  readonly times: number;
}

export const SUBJECTS: Readonly<Record<string, (parts: SubjectParts) => Promise<Subject>>> = {
  async payment(parts) {
    const { world, counted } = await openWorld(parts);
    const { accounts, destination } = await openPayers(world.call, {
      customers: ACCOUNTS,
      funds: 100_000_000_000,
      config: {},
    });
    const quotes: string[] = [];
    for (let i = 0; i < parts.times; i++) {
      const body = quoteBody(accounts[i % ACCOUNTS] as string, destination);
      quotes.push((await world.call<{ id: string }>('POST', '/quotes', body)).id);
    }
    return lookAndCommit(counted, async () => {
      const id = quotes.pop() as string;
      await world.call('POST', `/quotes/${id}/execute`, undefined, id);
    });
  },
  async card(parts) {
    const { world, counted } = await openWorld(parts);
    const cards = await issueCards(world, CARDS);
    let turn = 0;
    return lookAndCommit(counted, () =>
      authorize(world, cards[turn++ % CARDS] as CardId, (work, notice) => takeEffect(work, notice, false)),
    );
  },
  peer: (parts) => naivePeer(parts, false),
  guarded: (parts) => naivePeer(parts, true),
  async transfer({ databaseUrl, closers }) {
    const counted = openCounted(databaseUrl, closers);
    const plain = await setup(counted.database);
    return {
      begin: async (collect) => counted.begin(collect),
      async once() {
        await plain.transfer();
        return { 'whole transaction': counted.take().flatMap(labelPieces) };
      },
    };
  },
};

const ACCOUNTS = 50;
/** As in `npm run bench`: with few rows PostgreSQL would choose other plans for the peer. */
const PEER_ACCOUNTS = 300;
const CARDS = 8;
/** Under valgrind everything takes fifty times as long. */
const SILENCE_MAX_MS = 300_000;

function openCounted(url: string, closers: (() => Promise<void>)[]): CountedDatabase {
  const database = openDatabase({ url, connectionsMax: 1, silenceMaxMs: SILENCE_MAX_MS });
  closers.push(database.close);
  return countCalls(database);
}

async function openWorld({ databaseUrl, closers }: SubjectParts) {
  await migrate(databaseUrl);
  const database = openDatabase({ url: databaseUrl, connectionsMax: 1, silenceMaxMs: SILENCE_MAX_MS });
  const counted = countCalls(database);
  const world = await (await openService(databaseUrl, closers, counted.database))('counted');
  return { world, counted };
}

/** An operation of the service in this process: what it reads before it decides, and what it commits. */
function lookAndCommit(counted: CountedDatabase, run: () => Promise<void>): Subject {
  return {
    async begin(collect) {
      counted.begin(collect);
    },
    async once() {
      await run();
      const calls = counted.take().filter((call) => !isBeside(call));
      const [commits, looks] = [calls.filter(isCommit), calls.filter((call) => !isCommit(call))];
      return {
        'look and commit': calls.flatMap(labelPieces),
        look: looks.flatMap(labelPieces),
        commit: commits.flatMap(labelPieces),
      };
    },
  };
}

const isCommit = ({ does }: Call) => does === 'commit' || does === 'transaction';

/** The request log and other writes that no caller waits for. */
const isBeside = (call: Call) =>
  !isCommit(call) && call.texts.some((text) => /^\s*(insert|update|delete)/.test(text));

/** Each piece by the text of its statement; what follows the last statement is the end of the trip. */
function labelPieces({ does, texts, pieces }: Call): LabelledPiece[] {
  let statement = 0;
  return pieces.map((piece) => {
    const text = piece.endsTrip ? undefined : texts[statement++];
    const label = piece.endsTrip ? `end of ${does}` : (text ?? does).replace(/\s+/g, ' ').trim().slice(0, 90);
    return { ...piece, label };
  });
}

/** The trips of the peer for one payment, in its order. */
const PEER_TRIPS = [
  ...['credentials', 'begin', 'key', 'quote', 'balance', 'first entry', 'second entry', 'transaction'],
  ...['events', 'job', 'audit', 'reply', 'volume', 'commit'],
];
const PEER_READS = ['credentials', 'quote'];

async function naivePeer(
  { databaseUrl, closers, times }: SubjectParts,
  isGuarded: boolean,
): Promise<Subject> {
  const peer = await startNaivePeer({ databaseUrl, closers, customers: PEER_ACCOUNTS, isGuarded });
  const quotes = await peer.makeQuotes(peer.accounts, times);
  return countedPeer(async () => {
    const client = await openWireClient(peer.origin);
    closers.push(async () => client.close());
    return async () => {
      const { status, body } = await client.send(peer.execution(quotes.pop() as string));
      if (status !== 200) throw new Error(`the peer answered ${status}: ${body}`);
    };
  });
}

function countedPeer(open: () => Promise<() => Promise<void>>): Subject {
  let collect: () => Promise<Piece[]> = async () => [];
  let run: () => Promise<void> = async () => undefined;
  return {
    async begin(collecting) {
      collect = collecting;
      run = await open();
    },
    async once() {
      await collect();
      await run();
      const trips = splitTrips(await collect());
      // The first request opens the connection, which takes trips of its own.
      if (trips.length !== PEER_TRIPS.length) return {};
      const pieces = trips.flat();
      return {
        'whole request': pieces,
        'its writes': pieces.filter(({ label }) => !PEER_READS.includes(label)),
      };
    },
  };
}

function splitTrips(pieces: readonly Piece[]): LabelledPiece[][] {
  const trips: LabelledPiece[][] = [[]];
  for (const piece of pieces) {
    trips.at(-1)?.push({ ...piece, label: PEER_TRIPS[trips.length - 1] ?? '' });
    if (piece.endsTrip) trips.push([]);
  }
  return trips.slice(0, -1);
}
