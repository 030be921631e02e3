import { randomUUID } from 'node:crypto';
import { receiveNotice } from '#capabilities/cards/notices/receive-notice.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { CpuMeter } from './cpu.ts';
import { type Contestant, callers } from './rounds.ts';
import type { Size } from './sizes.ts';
import { PLAIN } from './tpcb-contestant.ts';
import { openService, type World } from './world.ts';

const SPREAD = 'authorize a purchase, spread over cards';
/** More than any run spends. */
const CENTS = 100_000_000_000;

/** Decides authorizations as for a processor's adapter, in this process. */
export async function cardContestants(parts: {
  readonly databaseUrl: string;
  readonly cpu: CpuMeter;
  readonly size: Size;
  readonly closers: (() => Promise<void>)[];
}): Promise<Contestant[]> {
  const world = await (await openService(parts.databaseUrl, parts.closers))('cards');
  const cards = await issueCards(world, parts.size.cards);
  let turn = 0;
  const row = (name: string, used: readonly CardId[], against: Contestant['against']): Contestant => ({
    name,
    unit: 'authorization',
    cpu: parts.cpu,
    ...(against && { against }),
    round: (ms) =>
      callers(parts.size.clients, ms, () => authorize(world, used[turn++ % used.length] as CardId)),
  });
  return [
    row(SPREAD, cards, [{ name: PLAIN, budget: 0.6 }]),
    row('authorize a purchase, all on one account', cards.slice(0, 1), [{ name: SPREAD }]),
  ];
}

/** Active cards, each of its own customer. */
export async function issueCards(world: World, count: number): Promise<CardId[]> {
  const cards: CardId[] = [];
  for (let i = 0; i < count; i++) cards.push(await newCard(world));
  await world.call('POST', '/sandbox/clock/advance', { seconds: 1 });
  return cards;
}

async function newCard({ call }: World): Promise<CardId> {
  const person = { customerType: 'INDIVIDUAL', fullName: 'Bench Person' };
  const { id: customerId } = await call<{ id: string }>('POST', '/customers', person);
  const query = `customerId=${customerId}&currency=USD`;
  const { data } = await call<{ data: { id: string }[] }>('GET', `/customers/internal-accounts?${query}`);
  const fundingSource = data[0]?.id ?? '';
  await call('POST', `/sandbox/internal-accounts/${fundingSource}/fund`, { amount: CENTS });
  const card = await call<{ id: string }>('POST', '/cards', { customerId, form: 'VIRTUAL', fundingSource });
  return uuidOf(card.id);
}

/** `receive`: within the network's deadline, unless the caller has time. */
export async function authorize({ work }: World, cardId: CardId, receive = receiveNotice): Promise<void> {
  const answer = await receive(work, {
    kind: 'authorization',
    asks: 'DEBIT',
    isFinal: false,
    id: randomUUID(),
    token: randomUUID(),
    cardId,
    amount: 1n,
    merchant: { descriptor: 'CORNER BOOKS' },
  });
  if (!('isApproved' in answer && answer.isApproved)) throw new Error(`answered ${JSON.stringify(answer)}`);
}
