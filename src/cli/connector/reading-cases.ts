import { randomUUID } from 'node:crypto';
import type { RawExchange } from '#cli/connector/connector-client.ts';
import {
  expectAnswer,
  expectRefusal,
  expectThat,
  Failure,
  readEvents,
  readPage,
  Skip,
  type Trial,
} from '#cli/connector/trial.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import { systemClock } from '#foundation/lib/clock.ts';

/** The cases that change nothing (connectors.md §10.3). */

export interface Case {
  readonly name: string;
  /** What it tries, for people. */
  readonly tries: string;
  /** It changes nothing, and is tried without test mode. */
  readonly reads?: true;
  run(trial: Trial): Promise<void>;
}

const READINGS = 50;
const OLD_MS = 10 * 60_000;

export const READING_CASES: readonly Case[] = [
  {
    name: 'CK-1',
    tries: 'capabilities are complete and consistent',
    reads: true,
    async run({ client }) {
      expectAnswer(await client.call('getCapabilities'), 200);
    },
  },
  {
    name: 'CK-2',
    tries: 'no, a wrong or an old signature and a wrong key id are 401',
    reads: true,
    run: refusesBadSignatures,
  },
  {
    name: 'CK-3',
    tries: 'every answer is signed, refusals too, with one store id',
    reads: true,
    run: signsEveryAnswer,
  },
  {
    name: 'CK-4',
    tries: 'an unknown order and an unknown path are 404',
    reads: true,
    async run({ client }) {
      expectRefusal(await client.call('getOrder', { parameters: { reference: randomUUID() } }), 404);
      const sent = await client.send({ method: 'GET', path: '/no-such-call' });
      expectRefusal({ request: sent.request, answer: client.read('getOrder', sent) }, 404);
    },
  },
  {
    name: 'CK-14',
    tries: 'events by 1 and by 500 are the same list; an empty page keeps its cursor; a bad cursor is 410',
    reads: true,
    run: listsEventsTheSame,
  },
  {
    name: 'CK-18',
    tries: 'a name check twice gives the same',
    reads: true,
    async run({ client, capabilities }) {
      const [accountType] = capabilities.nameChecks ?? [];
      if (accountType === undefined) throw new Skip('the connector checks no names');
      const body = {
        reference: `ExternalAccount:${randomUUID()}`,
        accountType,
        fields: { accountNumber: '0123456789', iban: 'DE89370400440532013000' },
        name: 'Grace Hopper',
      };
      const first = expectAnswer(await client.call('checkName', { body }), 200);
      const again = await client.call('checkName', { body });
      const second = expectAnswer(again, 200);
      expectThat(first.reference === body.reference, again.request, `the reference ${body.reference}`, first);
      // A pending check may have ended meanwhile.
      const isSame = first.status === 'PENDING' || JSON.stringify(first) === JSON.stringify(second);
      expectThat(isSame, again.request, JSON.stringify(first), second);
    },
  },
  {
    name: 'CK-19',
    tries: 'the lines of a statement lead from opening to closing; the next statement begins there',
    reads: true,
    run: statementsFollow,
  },
];

async function refusesBadSignatures({ client }: Trial): Promise<void> {
  const { names } = client;
  const path = '/events?limit=1';
  const stranger = { id: client.keys[0]?.id ?? '', secret: Buffer.alloc(32, 7) };
  const unknown = { id: `ConnectorKey:${randomUUID()}`, secret: client.keys[0]?.secret ?? Buffer.alloc(32) };
  const wrong: [string, Promise<RawExchange>][] = [
    [
      'without a signature',
      client.send({ method: 'GET', path, change: (all) => ({ ...all, [names.signature]: undefined }) }),
    ],
    ['with a wrong signature', client.send({ method: 'GET', path, key: stranger })],
    [
      'signed ten minutes ago',
      client.send({ method: 'GET', path, at: new Date(systemClock.now() - OLD_MS) }),
    ],
    [
      'signed ten minutes ahead',
      client.send({ method: 'GET', path, at: new Date(systemClock.now() + OLD_MS) }),
    ],
    ['with an unknown key id', client.send({ method: 'GET', path, key: unknown })],
    [
      'with the request id of another',
      client.send({ method: 'GET', path, change: (all) => ({ ...all, [names.requestId]: randomUUID() }) }),
    ],
  ];
  for (const [how, sending] of wrong) {
    const { request, raw } = await sending;
    const got = 'error' in raw ? raw.error : String(raw.status);
    expectThat(got === '401', `${request} ${how}`, '401', got);
  }
}

async function signsEveryAnswer({ client }: Trial): Promise<void> {
  const { names } = client;
  const sent = [
    await client.send({ method: 'GET', path: '/capabilities' }),
    await client.send({ method: 'GET', path: '/events?limit=1' }),
    await client.send({ method: 'GET', path: '/events?after=no-such-cursor' }),
    await client.send({ method: 'GET', path: `/orders/${randomUUID()}` }),
    await client.send({ method: 'GET', path: '/no-such-call' }),
    await client.send({
      method: 'GET',
      path: '/capabilities',
      change: (all) => ({ ...all, [names.signature]: '{}' }),
    }),
  ];
  const stores = new Set<string>();
  for (const exchange of sent) {
    const verified = client.verify(exchange);
    if ('problem' in verified) throw new Failure(exchange.request, 'a signed answer', verified.problem);
    stores.add(verified.store);
    expectThat(stores.size === 1, exchange.request, `the store ${[...stores][0]}`, verified.store);
  }
}

async function listsEventsTheSame(trial: Trial): Promise<void> {
  const together = await readPage(trial, undefined, 500);
  const expected = together.events.slice(0, READINGS);
  let after: string | undefined;
  for (const event of expected) {
    const one = await readPage(trial, after, 1);
    expectThat(
      JSON.stringify(one.events) === JSON.stringify([event]),
      one.request,
      JSON.stringify([event]),
      one.events,
    );
    after = one.next;
  }
  let { end } = await readEvents(trial, together.next);
  let last = await readPage(trial, end);
  // What happened meanwhile.
  while (last.events.length > 0) {
    end = last.next;
    last = await readPage(trial, end);
  }
  expectThat(last.next === end, last.request, `the cursor ${end}`, last.next);
  expectThat(!last.more, last.request, 'an empty page without `more`', last);
  expectRefusal(
    await trial.client.call('listEvents', { query: { after: `no-such-cursor-${randomUUID()}` } }),
    410,
  );
}

const DAY_MS = 86_400_000;
const DAYS = 7;

async function statementsFollow({ client, capabilities }: Trial): Promise<void> {
  if (!capabilities.statements) throw new Skip('the connector has no statements');
  let found = 0;
  for (const { id } of capabilities.settlementAccounts) {
    let later: { statement: Statement; request: string } | undefined;
    for (let ago = 1; ago <= DAYS; ago++) {
      const date = new Date(systemClock.now() - ago * DAY_MS).toISOString().slice(0, 10);
      const exchange = await client.call('getStatement', { query: { settlementAccount: id, date } });
      const { answer, request } = exchange;
      if (answer.kind === 'refusal' && answer.status === 404) continue;
      const statement = expectAnswer(exchange, 200);
      expectThat(
        statement.settlementAccount === id,
        request,
        `a statement of ${id}`,
        statement.settlementAccount,
      );
      if (later) {
        const { opening } = later.statement;
        expectThat(
          opening === statement.closing,
          later.request,
          `the opening balance ${statement.closing}`,
          opening,
        );
      }
      later = { statement, request };
      found++;
    }
  }
  if (found === 0) throw new Skip(`there is no statement of the last ${DAYS} days`);
}
