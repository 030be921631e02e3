import { type Corridor, createCorridor } from '@corridor/client';
import { type CausedEvent, causeEvent, type EventType } from '@corridor/client/triggers';
import { type Call, callOf } from '../../api/call.ts';
import { consoleFetch, corridor, session } from '../../api/session.ts';

/** A call that a recipe made. */
export interface MadeCall {
  readonly call: Call;
  readonly state: 'RUNNING' | 'DONE' | 'FAILED';
}

/** Causes an event, and reports each call that this takes. */
export function watchCalls(
  type: EventType,
  tell: (calls: readonly MadeCall[]) => void,
): Promise<CausedEvent> {
  const calls: MadeCall[] = [];
  const note = (made: MadeCall, at = calls.length) => {
    calls[at] = made;
    tell([...calls]);
    return at;
  };
  const watched = (target: Corridor) => watchClient(target, note);
  return causeEvent(type, {
    corridor: watched(corridor),
    asAgent: (agentToken) => watched(othersClient({ agentToken })),
    asVisitor: () => watched(othersClient({})),
  });
}

type Note = (made: MadeCall, at?: number) => number;

/** Waiting for the event itself is not a step of the recipe. */
const LOOK_OUT = 'listEvents';

function watchClient(target: Corridor, note: Note): Corridor {
  return new Proxy(target, {
    get(client, name) {
      const operation = name as keyof Corridor;
      const method = client[operation] as (...given: unknown[]) => Promise<unknown>;
      if (name === LOOK_OUT) return method;
      return (...given: unknown[]) => {
        const call = callOf(operation, ...(given as never));
        const at = note({ call, state: 'RUNNING' });
        const reply = method(...given);
        reply.then(
          () => note({ call, state: 'DONE' }, at),
          () => note({ call, state: 'FAILED' }, at),
        );
        return reply;
      };
    },
  });
}

/** An agent calls with its own token, and a visitor with none. This page may only call its own host, which plays the API for both. */
function othersClient(credentials: { agentToken?: string }): Corridor {
  const { serviceName } = session.value ?? {};
  return createCorridor({
    baseUrl: '/console/api/others',
    ...credentials,
    fetch: consoleFetch,
    ...(serviceName !== undefined && { serviceName }),
  });
}
