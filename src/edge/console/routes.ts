import Type from 'typebox';
import { createAddress } from '#edge/console/sessions.ts';
import { type ConsoleParts, consoleUrl } from '#edge/console/settings.ts';
import { type Caller, viaOf } from '#foundation/http/caller.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { component, dateTime } from '#foundation/http/schema.ts';
import { exampleTime } from '#foundation/lib/examples.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

const ConsoleSession = component('ConsoleSession', 'An address that signs in to the console once.', {
  url: Type.String({
    format: 'url',
    description:
      'The address to open in a browser. The part after `#` is a secret: keep it out of logs and messages.',
  }),
  expiresAt: dateTime({ description: 'When the address expires: after ten minutes of real time.' }),
});

/** A session cannot create another one, or it could renew itself for ever. */
function checkToken(caller: Caller): Refusal | undefined {
  if (caller.kind === 'token' && viaOf(caller) === undefined) return undefined;
  return new Refusal('FORBIDDEN', 'A console session cannot create another one. Use the token itself.');
}

export function consoleOperations(parts: ConsoleParts) {
  return [
    operation('createConsoleSession', {
      route: 'POST /console-sessions',
      area: 'Console',
      summary: 'Sign in to the console',
      description:
        'Creates an address that signs a browser in to the console, once. The session has the platform and the permissions ' +
        'of the calling token; with a production token it has `VIEW` at most. It lasts twelve hours, and ends earlier if the ' +
        'token is deleted.',
      access: 'any',
      isBeyondContract: true,
      checkAvailable: () =>
        parts.consoleSettings ? undefined : new Refusal('NOT_FOUND', 'This service has no console.'),
      checkCaller: checkToken,
      idempotency: { key: 'optional', secretReply: true },
      status: 201,
      reply: ConsoleSession,
      codes: ['NOT_FOUND', 'CONFLICT'],
      examples: {
        'For a developer': {
          reply: {
            url: 'http://localhost:8080/console/sign-in#VkX7yq2mT0aJr9cLw4sZb1oNfPd8uHe6gQiY3xBtKzU',
            expiresAt: exampleTime(600),
          },
        },
      },
      async write(tx, { caller }) {
        const address = await createAddress(tx, caller.id as Id<'Token'>, consoleUrl(parts));
        return { url: address.url, expiresAt: address.expiresAt.toISOString() };
      },
    }),
  ];
}
