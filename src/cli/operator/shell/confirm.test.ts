import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { askFirst } from '#cli/operator/shell/confirm.ts';

describe('confirmation of dangerous commands', () => {
  /** The question, and the refusal after the answer; undefined: the command continues. */
  async function answered(text: string, isTTY = true) {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = new PassThrough();
    input.end(text);
    const effect = 'The payment fails.';
    const outcome = await askFirst('corridor payment fail X', effect, {
      input,
      output,
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { asked: String(output.read() ?? ''), outcome };
  }

  it('in a terminal says what will happen, and continues only after yes', async () => {
    for (const text of ['yes\n', 'YES\n', ' yes \nno\n', 'yes']) {
      const { asked, outcome } = await answered(text);
      assert.equal(outcome, undefined, text);
      assert.equal(asked, 'corridor payment fail X\nThe payment fails.\nType yes to continue: ');
    }
    for (const text of ['', '\n', 'y\n', 'no\n', 'yes please\n', '\nyes\n']) {
      const { outcome } = await answered(text);
      assert.ok(outcome instanceof OperatorError, text);
      assert.equal(outcome.message, 'Nothing was done.');
    }
  });

  it('without a terminal does not ask and needs --yes, whatever standard input holds', async () => {
    const { asked, outcome } = await answered('yes\n', false);
    assert.equal(asked, '');
    assert.ok(outcome instanceof UsageError);
    assert.match(outcome.message, /run it in a terminal, or give --yes$/);
  });
});
