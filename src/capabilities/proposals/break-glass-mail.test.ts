import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailBreakGlass } from '#capabilities/proposals/break-glass-mail.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { mailingWorld } from '#tests/given/mailing-world.ts';
import { givenInvited, givenOperator, SHELL } from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('mail of what was done without a second operator', () => {
  const { world, mail } = mailingWorld();
  const withoutMail = testWorld();
  const use = { id: newUuid<'BreakGlass'>(), operation: 'setRates' };
  const send = (on: typeof world) => mailBreakGlass(new Work(on.app.runtime, INSTALLATION, SHELL), use);

  it('operator.md §7.2: where mail is not set, nothing is mailed, and nothing is reported', async () => {
    assert.deepEqual(await send(withoutMail), []);
    assert.deepEqual(mail().received, []);
  });

  it('operator.md §7.2: it is mailed to the active admins, names what was done, and says whom the server refused', async () => {
    const [ada, grace] = [await givenOperator(world), await givenOperator(world)];
    const others = [await givenOperator(world, ['treasury']), await givenInvited(world, ['admin'])];
    assert.deepEqual(await send(world), []);
    // Invitations are mailed, too, and may arrive late.
    const textOf = ({ raw }: { raw: string }) => raw.replace(/=\r?\n/g, '');
    const received = mail().received.filter((one) => textOf(one).includes(publicId('BreakGlass', use.id)));
    const to = received.flatMap((one) => one.to);
    assert.ok([ada, grace].every((one) => to.includes(one.email)));
    assert.ok(!others.some((one) => to.includes(one.email)));
    assert.equal(to.length, new Set(to).size);
    assert.match(received.map(textOf).join(), /did setRates at the command line/);
    mail().refuse({ step: 'recipient', code: 550 });
    assert.ok((await send(world)).includes(ada.email));
    mail().refuse(undefined);
  });
});
