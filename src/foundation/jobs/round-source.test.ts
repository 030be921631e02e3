import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RoundSource } from '#foundation/jobs/round-source.ts';

class Rounds extends RoundSource {
  readonly name = 'rounds';
  readonly callsOutside = false;
  readonly failures: unknown[];
  readonly begun: PromiseWithResolvers<void>[] = [];
  at = 0;

  constructor(everyMs: number, failures: unknown[] = []) {
    super(everyMs, (error) => failures.push(error));
    this.failures = failures;
  }

  protected override now(): number {
    return this.at;
  }

  protected override look(): Promise<void> {
    const round = Promise.withResolvers<void>();
    this.begun.push(round);
    return round.promise;
  }
}

const FAILURE = new Error('the database is away');

describe('work in rounds', () => {
  it('reports a round that fails, although nobody waits for it, and begins the next one', async () => {
    const rounds = new Rounds(0);
    await rounds.pump();
    rounds.begun[0]?.reject(FAILURE);
    await rounds.round();
    assert.deepEqual(rounds.failures, [FAILURE]);
    await rounds.pump();
    assert.equal(rounds.begun.length, 2);
  });

  it('does one round at a time, and pauses after each', async () => {
    const rounds = new Rounds(1_000);
    await rounds.pump();
    await rounds.pump();
    assert.equal(rounds.begun.length, 1);
    rounds.begun[0]?.resolve();
    await rounds.round();
    await rounds.pump();
    assert.equal(rounds.begun.length, 1);
    rounds.at = 1_000;
    await rounds.pump();
    assert.equal(rounds.begun.length, 2);
  });

  it('waits for the round under way when it drains, and begins no other', async () => {
    const rounds = new Rounds(0);
    await rounds.pump();
    const drained = rounds.drain(60_000);
    rounds.begun[0]?.resolve();
    await drained;
    await rounds.pump();
    assert.equal(rounds.begun.length, 1);
  });
});
