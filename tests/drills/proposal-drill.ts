import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { requireSound } from '#tests/drills/areas/sound.ts';
import { ConsoleOperator, type Sent, type Told } from '#tests/drills/console-operator.ts';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { Site } from '#tests/drills/site.ts';
import { untilBlocked } from '#tests/given/blocked.ts';
import { freePort } from '#tests/harness/corridor-process.ts';

const AMOUNT = 1_250;
/** A call takes less than this; kills come at any moment of it, or just after. */
const CALL_MS = 250;

/** When the server is killed: while it writes, so that neither effect nor approval is committed, or at any moment. */
const MOMENTS = [
  'while it proposes',
  'about its reply to a proposal',
  'while it approves',
  'about its reply',
];

/**
 * Kills a real server with `kill -9` between a proposal and its reply, and between an approval and its effect. Each call is
 * repeated with its key and body, and must have the same answer; each deposit is booked once (operator.md §10.2).
 */
async function run(run: DrillRun): Promise<Figures> {
  const port = String(await freePort());
  const site = await Site.open({ PORT: port });
  try {
    const scene = await Scene.open(run, site, `http://localhost:${port}`);
    for (let kills = 0; run.continues('kills', kills); kills++) {
      await scene.round(kills);
      run.say(`kill ${kills + 1}: ${MOMENTS[kills % MOMENTS.length]}`);
    }
    await requireSound(site);
    return { kills: site.kills, ...scene.figures };
  } finally {
    await site.close();
  }
}

class Scene {
  readonly #run: DrillRun;
  readonly #site: Site;
  readonly #maker: ConsoleOperator;
  readonly #checker: ConsoleOperator;
  readonly #accountId: string;
  readonly #figures = { 'calls that were lost': 0, 'lost calls that had taken effect': 0 };

  private constructor(
    { run, site }: { run: DrillRun; site: Site },
    [maker, checker]: readonly [ConsoleOperator, ConsoleOperator],
    accountId: string,
  ) {
    this.#run = run;
    this.#site = site;
    this.#maker = maker;
    this.#checker = checker;
    this.#accountId = accountId;
  }

  static async open(run: DrillRun, site: Site, origin: string): Promise<Scene> {
    const roles = ['admin', 'finance'] as const;
    const maker = await ConsoleOperator.join(origin, site.environment, roles);
    const checker = await ConsoleOperator.join(origin, site.environment, roles, maker);
    const { data } = (await site.call('GET', '/platform/internal-accounts')) as {
      data: { id: string; balance: { currency: { code: string } } }[];
    };
    const account = data.find(({ balance }) => balance.currency.code === 'USD') ?? assert.fail();
    return new Scene({ run, site }, [maker, checker], account.id);
  }

  get figures(): Figures {
    return this.#figures;
  }

  /** One deposit from its proposal to its booking, with one kill on the way. */
  async round(n: number): Promise<void> {
    const moment = n % MOMENTS.length;
    const bankReference = `STMT-${n}`;
    for (const one of [this.#maker, this.#checker]) await one.stayPresent();
    const wanted = { amount: AMOUNT, currency: 'USD', sender: 'Grace Hopper', bankReference };
    const proposal = await this.#once(
      this.#maker,
      { path: `/internal-accounts/${this.#accountId}/deposits`, body: { ...wanted, reason: 'a drill' } },
      moment,
    );
    assert.equal(proposal.status, 202, proposal.text);
    await this.#requireCounts({ proposals: n + 1, deposits: n });
    const { id, hash } = proposal.body;
    const body = { ...(await this.#checker.sign(hash)), reason: 'seen on the statement' };
    const approved = await this.#once(this.#checker, { path: `/proposals/${id}/approve`, body }, moment - 2);
    assert.deepEqual([approved.status, approved.body.status], [200, 'APPROVED'], approved.text);
    const again = await this.#checker.ask({
      path: `/proposals/${id}/approve`,
      body: { ...(await this.#checker.sign(hash)), reason: 'once more' },
    });
    assert.deepEqual([again.status, again.body.code], [409, 'PROPOSAL_DECIDED']);
    await this.#requireCounts({ proposals: n + 1, deposits: n + 1 });
  }

  /** Sends a call; the server is killed while it writes (0) or at any moment (1), or lives. The call is then repeated. */
  async #once(by: ConsoleOperator, call: Omit<Sent, 'key'>, moment: number): Promise<Told> {
    const sent = { ...call, key: `drill ${call.path} ${JSON.stringify(call.body).length} ${Math.random()}` };
    const before = await this.#counts();
    const first = moment === 0 || moment === 1 ? await this.#killDuring(by, sent, moment === 0) : undefined;
    const hadEffect = JSON.stringify(before) !== JSON.stringify(await this.#counts());
    const answered = await by.ask(sent);
    const repeated = await by.ask(sent);
    assert.deepEqual([repeated.status, repeated.text], [answered.status, answered.text]);
    if (first) assert.deepEqual([first.status, first.text], [answered.status, answered.text]);
    else if (moment === 0 || moment === 1) this.#countLost(hadEffect);
    return answered;
  }

  #countLost(hadEffect: boolean): void {
    this.#figures['calls that were lost'] += 1;
    if (hadEffect) this.#figures['lost calls that had taken effect'] += 1;
  }

  /** The reply, if the server could send it before it was killed. */
  async #killDuring(by: ConsoleOperator, sent: Sent, isWriting: boolean): Promise<Told | undefined> {
    const url = await this.#site.databaseUrl();
    const holder = new pg.Client({ connectionString: url });
    // The embedded database may end with the server that started it.
    holder.on('error', () => undefined);
    await holder.connect();
    try {
      if (isWriting) await holder.query('begin; lock table proposals in share mode');
      const reply = by.ask(sent).catch(() => undefined);
      if (isWriting) await untilBlocked(url, 1, reply);
      else await delay(this.#run.random.between(0, CALL_MS));
      await this.#site.kill('server');
      await holder.end();
      await this.#site.start({ isLongAfter: true });
      return await reply;
    } finally {
      await holder.end();
    }
  }

  async #counts(): Promise<{ proposals: number; deposits: number }> {
    const client = new pg.Client({ connectionString: await this.#site.databaseUrl() });
    await client.connect();
    try {
      const { rows } = await client.query(`
        select (select count(*)::int from proposals) as proposals,
               (select count(*)::int from ledger_entries where kind = 'deposit.received') as deposits`);
      return rows[0];
    } finally {
      await client.end();
    }
  }

  async #requireCounts(wanted: { proposals: number; deposits: number }): Promise<void> {
    assert.deepEqual(await this.#counts(), wanted);
  }
}

export const proposalDrill: Drill = {
  name: 'proposals',
  proves:
    'Whenever the server is killed between a proposal, its approval and the effect, each proposal is performed once or not at ' +
    'all, and a repeated call has the same answer.',
  amounts: {
    kills: { says: 'kills of the server, each on the way of another proposal', usual: 50, brief: 4 },
  },
  work: 'kills',
  run,
};
