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
    description: 'Open it in a browser. It contains a secret behind `#`: keep it out of logs and messages.',
  }),
  expiresAt: dateTime({ description: 'Until when it can be used, in real time: ten minutes.' }),
});

/** A session cannot make another one, which would let it go on for ever. */
function checkToken(caller: Caller): Refusal | undefined {
  if (caller.kind === 'token' && viaOf(caller) === undefined) return undefined;
  return new Refusal('FORBIDDEN', 'A session of the console cannot make another one: use the token itself.');
}

export function consoleOperations(parts: ConsoleParts) {
  return [
    operation('createConsoleSession', {
      route: 'POST /console-sessions',
      area: 'Console',
      summary: 'Sign in to the console',
      description:
        'Returns an address that signs in to the console in a browser, once. The session has the platform and the ' +
        'permissions of the calling token, of a production token `VIEW` at most. It lasts twelve hours, and ends when the ' +
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
