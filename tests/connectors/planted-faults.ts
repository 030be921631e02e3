import type { ConnectorKey } from '#foundation/connector-protocol/signing.ts';
import {
  type Call,
  NAMES,
  parseBody,
  type Reply,
  resignCall,
  type Serve,
  signReply,
  storeOf,
} from '#tests/connectors/proxy.ts';

type Json = Record<string, unknown>;

/** One mistake that an author of a connector could make. */
export interface PlantedFault {
  /** The case that has to notice it. No other case may fail. */
  readonly fails: string;
  readonly fault: string;
  /**
   * Returns a proxy with this mistake, in front of a correct connector. `running` is the case that runs now. A mistake about
   * concurrent calls holds the calls of its case until all of them have come, so that it shows on a slow machine, too.
   */
  plant(keys: readonly [ConnectorKey, ConnectorKey], running: () => string | undefined): Serve;
}

/** Resolves once this many calls have come. */
function meetingOf(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let came = 0;
  return () => {
    came++;
    if (came === count) all.resolve();
    return all.promise;
  };
}

/** Changes signed answers; `undefined` leaves one as it is. */
function changing(
  change: (
    call: Call,
    reply: Reply,
    body: Json,
  ) => { status?: number; body?: Json; store?: string } | undefined,
): PlantedFault['plant'] {
  return (keys) => async (call, forward) => {
    const reply = await forward(call);
    const body = parseBody(reply);
    const changed = change(call, reply, body);
    return changed
      ? signReply(call, keys, { status: reply.status, body, store: storeOf(reply), ...changed })
      : reply;
  };
}

function changingEvents(change: (event: Json) => Json): PlantedFault['plant'] {
  return changing((call, { status }, body) => {
    if (!call.path.startsWith('/events') || status !== 200) return undefined;
    return { body: { ...body, events: (body.events as Json[]).map(change) } };
  });
}

const REFUSED = { code: 'NO', reason: 'A planted fault.' };

function isPut({ method, path }: Call): boolean {
  return method === 'PUT' && path.startsWith('/orders/');
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    fails: 'CK-1',
    fault: 'a rail names a settlement account that is not listed',
    plant: changing((call, _reply, body) => {
      if (call.path !== '/capabilities' || !body.rails) return undefined;
      return {
        body: {
          ...body,
          rails: (body.rails as Json[]).map((rail) => ({ ...rail, settlementAccounts: ['gone'] })),
        },
      };
    }),
  },
  {
    fails: 'CK-2',
    fault: 'signatures are not verified',
    plant: (keys) => (call, forward) =>
      forward(resignCall(call, keys.find(({ id }) => id === call.headers[NAMES.keyId]) ?? keys[0])),
  },
  {
    fails: 'CK-2',
    fault: 'the time of a signature is not compared',
    plant: (keys) => async (call, forward) => {
      const { t = '' } = JSON.parse(call.headers[NAMES.signature] ?? '{}') as { t?: string };
      const isOff = Math.abs(Date.now() - Date.parse(t)) > 60_000;
      return forward(isOff ? resignCall(call, keys[0]) : call);
    },
  },
  {
    fails: 'CK-3',
    fault: 'each refusal comes from another store',
    plant: changing((_call, { status }) =>
      status === 404 ? { store: `store-${Math.random()}` } : undefined,
    ),
  },
  {
    fails: 'CK-4',
    fault: 'every path is answered',
    plant: changing((call) => (call.path === '/no-such-call' ? { status: 200, body: {} } : undefined)),
  },
  {
    fails: 'CK-5',
    fault: 'an unknown member is refused',
    plant: changing((call) =>
      isPut(call) && parseBody(call).aLaterMember ? { status: 400, body: REFUSED } : undefined,
    ),
  },
  {
    fails: 'CK-6',
    fault: 'from the third time on an order counts as new again',
    plant: (keys) => {
      const times = new Map<string, number>();
      return async (call, forward) => {
        const reply = await forward(call);
        const count = isPut(call) ? (times.get(call.path) ?? 0) + 1 : 0;
        times.set(call.path, count);
        if (count < 3 || reply.status !== 200) return reply;
        return signReply(call, keys, { status: 201, body: parseBody(reply), store: storeOf(reply) });
      };
    },
  },
  {
    fails: 'CK-7',
    fault: 'bodies are compared as bytes',
    plant: (keys) => {
      const bodies = new Map<string, string>();
      return async (call, forward) => {
        const reply = await forward(call);
        const sent = call.body.toString('utf8');
        if (!isPut(call) || reply.status !== 200 || (bodies.get(call.path) ?? sent) === sent) {
          if (isPut(call)) bodies.set(call.path, sent);
          return reply;
        }
        return signReply(call, keys, { status: 409, body: REFUSED, store: storeOf(reply) });
      };
    },
  },
  {
    fails: 'CK-8',
    fault: 'an amount may be a number',
    plant: (keys) => (call, forward) => {
      const body = isPut(call) ? parseBody(call) : {};
      const isNumber = typeof body.amount === 'number';
      return forward(
        isNumber ? resignCall(call, keys[0], { body: { ...body, amount: String(body.amount) } }) : call,
      );
    },
  },
  {
    fails: 'CK-9',
    fault: 'an order that was sent is reported as cancelled',
    plant: changing((call, _reply, body) =>
      call.path.endsWith('/cancel') && body.state === 'SENT'
        ? { body: { ...body, state: 'CANCELLED' } }
        : undefined,
    ),
  },
  {
    fails: 'CK-10',
    fault: 'an order that was cancelled before it came is taken',
    plant: changing((call, _reply, body) => {
      const isEarly = isPut(call) && body.state === 'CANCELLED' && body.amount === undefined;
      const { amount, currency } = parseBody(call);
      return isEarly ? { status: 201, body: { ...body, state: 'RECEIVED', amount, currency } } : undefined;
    }),
  },
  {
    fails: 'CK-11',
    fault: 'a cancellation that meets its order on the way is lost',
    plant: (keys, running) => {
      const meetings = new Map<string, () => Promise<void>>();
      return async (call, forward) => {
        const order = call.path.replace(/\/cancel$/, '');
        const isCancel = order !== call.path;
        if (running() !== 'CK-11' || !(isPut(call) || isCancel)) return forward(call);
        const meet = meetings.get(order) ?? meetingOf(2);
        meetings.set(order, meet);
        await meet();
        if (!isCancel) return forward(call);
        const { headers } = await forward(
          resignCall({ ...call, method: 'GET' }, keys[0], { path: '/capabilities' }),
        );
        const body = {
          reference: order.slice('/orders/'.length),
          state: 'CANCELLED',
          at: new Date().toISOString(),
        };
        return signReply(call, keys, { status: 200, body, store: headers[NAMES.store] ?? '' });
      };
    },
  },
  {
    fails: 'CK-12',
    fault: 'events do not say why an order failed',
    plant: changingEvents(({ reason: _reason, ...event }) => event),
  },
  {
    fails: 'CK-12',
    fault: 'a payment that was settled can fail',
    plant: changing((call, { status }) => {
      const { reference, state } = parseBody(call);
      if (call.path !== '/test/play' || status !== 409 || state !== 'FAILED') return undefined;
      return {
        status: 200,
        body: { reference, state, at: new Date().toISOString(), amount: '1', currency: 'EUR' },
      };
    }),
  },
  {
    fails: 'CK-13',
    fault: 'only credits can be refunded',
    plant: changing((call) => {
      const { kind, of } = parseBody(call);
      return isPut(call) && kind === 'REFUND' && !String(of).startsWith('check-')
        ? { status: 400, body: REFUSED }
        : undefined;
    }),
  },
  {
    fails: 'CK-14',
    fault: 'after an unknown cursor the list begins again',
    plant: (keys) => async (call, forward) => {
      const reply = await forward(call);
      return reply.status === 410 ? forward(resignCall(call, keys[0], { path: '/events' })) : reply;
    },
  },
  {
    fails: 'CK-15',
    fault: 'a page begins with the last event of the page before it',
    plant: changing((call, _reply, body) => {
      const isFull = call.path.includes('limit=3') && (body.events as Json[] | undefined)?.length === 3;
      return isFull ? { body: { ...body, next: String(Number(body.next) - 1) } } : undefined;
    }),
  },
  {
    fails: 'CK-16',
    fault: 'texts lose their accents and scripts',
    plant: changingEvents((event) => {
      const { remittance } = event;
      return typeof remittance === 'string'
        ? { ...event, remittance: remittance.replace(/[^ -~]/g, '?') }
        : event;
    }),
  },
  {
    fails: 'CK-17',
    fault: 'a closed account is unknown',
    plant: (keys) => {
      const closed = new Set<string>();
      return async (call, forward) => {
        const reply = await forward(call);
        if (call.method !== 'DELETE') return reply;
        if (closed.has(call.path))
          return signReply(call, keys, { status: 404, body: REFUSED, store: storeOf(reply) });
        closed.add(call.path);
        return reply;
      };
    },
  },
  {
    fails: 'CK-18',
    fault: 'a name check is decided again each time',
    plant: (keys) => {
      let checks = 0;
      return async (call, forward) => {
        const reply = await forward(call);
        if (call.path !== '/name-checks' || checks++ % 2 === 0) return reply;
        const body = { ...parseBody(reply), status: 'PARTIAL_MATCH' };
        return signReply(call, keys, { status: 200, body, store: storeOf(reply) });
      };
    },
  },
  {
    fails: 'CK-19',
    fault: 'a statement does not contain a line of its day',
    plant: changing((call, { status }, body) => {
      if (!call.path.startsWith('/statements') || status !== 200) return undefined;
      return { body: { ...body, lines: (body.lines as Json[]).slice(1) } };
    }),
  },
  {
    fails: 'CK-19',
    fault: 'the statements of two days do not meet',
    plant: changing((call, { status }, body) => {
      if (!call.path.startsWith('/statements') || status !== 200) return undefined;
      const more = BigInt(Date.parse(String(body.from)) / 86_400_000);
      const moved = (balance: unknown) => String(BigInt(String(balance)) + more);
      return { body: { ...body, opening: moved(body.opening), closing: moved(body.closing) } };
    }),
  },
  {
    fails: 'CK-21',
    fault: 'a thirteenth concurrent call is an internal error',
    plant: (_keys, running) => {
      const meet = meetingOf(13);
      let came = 0;
      return async (call, forward) => {
        if (running() !== 'CK-21' || !isPut(call)) return forward(call);
        came++;
        const isOne = came > 12;
        await meet();
        return isOne ? { status: 500, headers: {}, body: Buffer.from('overloaded') } : forward(call);
      };
    },
  },
  {
    fails: 'CK-22',
    fault: 'the second secret is unknown',
    plant: (keys, running) =>
      changing((call) =>
        call.headers[NAMES.keyId] === keys[1].id ? { status: 401, body: REFUSED } : undefined,
      )(keys, running),
  },
];
