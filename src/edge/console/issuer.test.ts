// lane: whole — signs in at a real issuer

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endOperator, renewAddress } from '#capabilities/operators/manage.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { askConsole, type ConsoleReply } from '#tests/given/console.ts';
import { ISSUER_CLIENT, type IssuerVisitor, type Person, TestIssuer } from '#tests/given/oidc-issuer.ts';
import { givenInvited, onInstallation } from '#tests/given/operators.ts';
import { testWorld, type World } from '#tests/harness/harness.ts';

const API = '/console/api/operator';
const BACK = 'http://localhost/console/operator/callback';
const MINUTE_MS = 60_000;
const PARTS = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };

let visitors = 0;

/** A person with a browser: its cookies here, and its visits to the issuer. */
class Visitor {
  readonly #world: World;
  readonly at: IssuerVisitor;
  /** Failed attempts of one address are limited. */
  readonly #address = `192.0.2.${++visitors}`;
  session: string | undefined;
  kept: string | undefined;

  constructor(world: World, at: IssuerVisitor) {
    this.#world = world;
    this.at = at;
  }

  async ask(method: string, url: string, body?: object): Promise<ConsoleReply> {
    const cookie = [this.session, this.kept].filter((one) => one !== undefined).join('; ');
    const headers = method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {};
    const reply = await askConsole(this.#world, method, url, {
      ...{ cookie, headers, address: this.#address },
      ...(body && { body }),
    });
    for (const line of [reply.headers['set-cookie'] ?? []].flat().map(String)) {
      const [pair = ''] = line.split(';');
      const isGone = line.includes('Max-Age=0');
      if (pair.startsWith('corridor-issuer=')) this.kept = isGone ? undefined : pair;
      else this.session = isGone ? undefined : pair;
    }
    return reply;
  }

  /** Begins, and returns the address at the issuer. */
  async begin(way = 'sign-in', body: object = {}): Promise<URL> {
    const { status, raw, body: sent } = await this.ask('POST', `${API}/issuer/${way}`, body);
    assert.equal(status, 200, raw);
    return new URL(sent.url);
  }

  finish(query: string, body: object = {}): Promise<ConsoleReply> {
    return this.ask('POST', `${API}/issuer/finish`, { answer: query, ...body });
  }

  async signIn(): Promise<ConsoleReply> {
    const { href } = await this.begin();
    return this.finish(await this.at.visit(href, BACK));
  }

  async stepUp(body: object = {}): Promise<ConsoleReply> {
    const { href } = await this.begin('step-up', body);
    return this.finish(await this.at.visit(href, BACK), body);
  }

  async operator() {
    const { status, body, raw } = await this.ask('GET', `${API}/session`);
    assert.equal(status, 200, raw);
    return body.operator;
  }
}

/** A world whose operators sign in at an issuer, in the time of the machine, which the issuer has too. */
function issuerWorld(roles?: ReadonlyMap<string, readonly 'admin'[]>) {
  const consoleSettings = { takesPlainHttp: true, issuer: { issuer: '', ...ISSUER_CLIENT } };
  const place = {} as { issuer: TestIssuer };
  before(async () => {
    place.issuer = await TestIssuer.start();
    consoleSettings.issuer = {
      ...{ issuer: place.issuer.url, ...ISSUER_CLIENT },
      ...(roles && { roles: { claim: 'groups', roles } }),
    };
  });
  const world = testWorld({ consoleSettings });
  before(() => world.clock.advance(Date.now() - world.clock.now()));
  after(() => place.issuer.stop());
  let made = 0;
  const person = (claims: Partial<Person> = {}): Visitor => {
    const sub = `person-${++made}`;
    const known = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Grace', ...claims };
    return new Visitor(world, place.issuer.visitor(known));
  };
  return { world, place, person };
}

const ASSERTION = { credentialId: 'x', clientDataJson: 'x', authenticatorData: 'x', signature: 'x' };
const refused = ({ status, body }: ConsoleReply) => [status, body.code];
const KEPT_OUT = [401, 'UNAUTHORIZED'];

describe('operators who were invited, at an issuer', () => {
  const { world, place, person } = issuerWorld();
  const invited = async (claims: Partial<Person> = {}) => {
    const { id, email } = await givenInvited(world, ['admin']);
    return { id, email, visitor: person({ email, ...claims }) };
  };

  it('operator.md §1.3a: the first sign-in of an invited e-mail address ties the account, which alone counts from then on', async () => {
    const { email, visitor } = await invited();
    const first = await visitor.signIn();
    assert.equal(first.status, 200, first.raw);
    assert.match(
      String(first.headers['set-cookie']),
      /corridor-operator=[^;]+; Path=\/; HttpOnly; SameSite=Strict/,
    );
    const { status, roles } = await visitor.operator();
    assert.deepEqual([status, roles], ['ACTIVE', ['admin']]);
    visitor.at.becomes({ email: 'married@example.com', email_verified: false });
    assert.equal((await visitor.signIn()).status, 200);
    assert.equal((await visitor.operator()).email, email);
    const other = person({ email });
    assert.deepEqual(refused(await other.signIn()), KEPT_OUT, 'another account with the same e-mail address');
  });

  it('operator.md §1.3a: nobody else gets in, and the answer does not say why', async () => {
    const late = await invited();
    const suspended = await invited();
    const removed = await invited();
    for (const { visitor } of [suspended, removed]) assert.equal((await visitor.signIn()).status, 200);
    await onInstallation(world, (tx) => endOperator(tx, suspended.id, 'SUSPENDED', 'for the test'));
    await onInstallation(world, (tx) => endOperator(tx, removed.id, 'REMOVED', 'for the test'));
    const unverified = await invited({ email_verified: false });
    const silent = await invited();
    silent.visitor.at.becomes({ email: undefined as never });
    const replies = [];
    for (const visitor of [person(), unverified.visitor, silent.visitor, suspended.visitor, removed.visitor])
      replies.push(await visitor.signIn());
    assert.deepEqual([...new Set(replies.map(({ raw }) => raw))].length, 1);
    for (const reply of replies) assert.deepEqual(refused(reply), KEPT_OUT, reply.raw);
    await world.database.query(sql`
      update operator_addresses set expires_at = '2020-01-01' where operator_id = ${late.id}`);
    assert.deepEqual(refused(await late.visitor.signIn()), KEPT_OUT);
  });

  it('operator.md §1.3a, §1.5: a new address unties the account, so that another one can take its place', async () => {
    const { id, email, visitor } = await invited();
    await visitor.signIn();
    await onInstallation(world, (tx) => renewAddress(tx, id, 'for the test', PARTS));
    const other = person({ email });
    assert.equal((await other.signIn()).status, 200);
    assert.deepEqual(refused(await visitor.signIn()), KEPT_OUT);
    await assert.rejects(
      world.database.query(sql`update operators set subject = 'somebody' where id = ${id}`),
      /tied to one account/,
    );
  });

  it('operator.md §3.3: an answer of the issuer counts in the browser that asked, once', async () => {
    const { visitor } = await invited();
    const thief = person();
    const { href } = await visitor.begin();
    const query = await visitor.at.visit(href, BACK);
    const stolen = await thief.finish(query);
    assert.deepEqual(refused(stolen), KEPT_OUT, 'a browser that asked for nothing');
    await thief.begin();
    assert.deepEqual(refused(await thief.finish(query)), KEPT_OUT, 'a browser that asked for something else');
    const changed = new URLSearchParams(query);
    changed.set('state', 'another');
    const { kept } = visitor;
    assert.deepEqual(refused(await visitor.finish(`?${changed}`)), KEPT_OUT, 'another state');
    visitor.kept = kept;
    assert.equal((await visitor.finish(query)).status, 200);
    assert.equal(visitor.kept, undefined);
    visitor.kept = kept;
    assert.deepEqual(refused(await visitor.finish(query)), KEPT_OUT, 'the same code again');
  });

  it('operator.md §3.3: the cookie that ties a sign-in to a browser is Lax, and counts for ten minutes', async () => {
    const { visitor } = await invited();
    const begun = await visitor.ask('POST', `${API}/issuer/sign-in`, {});
    assert.match(
      String(begun.headers['set-cookie']),
      /^corridor-issuer=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const query = await visitor.at.visit(begun.body.url, BACK);
    world.clock.advance(10 * MINUTE_MS);
    assert.deepEqual(refused(await visitor.finish(query)), KEPT_OUT);
    world.clock.advance(-10 * MINUTE_MS);
  });

  it('operator.md §1.3a: a token with another nonce, or for another client, proves nothing', async () => {
    const { visitor } = await invited();
    const address = await visitor.begin();
    address.searchParams.set('nonce', 'another');
    assert.deepEqual(refused(await visitor.finish(await visitor.at.visit(address.href, BACK))), KEPT_OUT);
    const foreign = await place.issuer.tokenForAnother({ sub: 'somebody', email: 'a@example.com' });
    place.issuer.onToken = (body) => {
      body.id_token = foreign;
    };
    assert.deepEqual(refused(await visitor.signIn()), KEPT_OUT);
    place.issuer.onToken = undefined;
    assert.equal((await visitor.signIn()).status, 200);
  });

  it('operator.md §1.3a: new keys of the issuer count at once', async () => {
    const { visitor } = await invited();
    assert.equal((await visitor.signIn()).status, 200);
    place.issuer.rotateKeys();
    assert.equal((await visitor.signIn()).status, 200);
  });

  it('operator.md §1.3a: if the issuer is away or does not answer, the reply is 503 with the name of the issuer', async () => {
    const { visitor } = await invited();
    const { href } = await visitor.begin();
    const query = await visitor.at.visit(href, BACK);
    const { kept } = visitor;
    await place.issuer.stop();
    const away = await visitor.finish(query);
    assert.deepEqual([away.status, away.body.code], [503, 'SERVICE_UNAVAILABLE']);
    assert.match(away.body.reason, /127\.0\.0\.1:\d+, which does not answer/);
    await place.issuer.restart();
    place.issuer.isSilent = true;
    visitor.kept = kept;
    assert.equal((await visitor.finish(query)).status, 503);
    place.issuer.isSilent = false;
    visitor.kept = kept;
    assert.equal((await visitor.finish(query)).status, 200);
  });

  it('operator.md §1.3a: nobody joins or signs in with a passkey, and the page leads to the issuer', async () => {
    const { secret } = await givenInvited(world, ['admin']);
    const sent = { secret };
    for (const [path, body] of [
      ['join/preview', sent],
      ['sign-in/challenge', {}],
    ] as const) {
      const { status, body: reply } = await askConsole(world, 'POST', `${API}/${path}`, { body });
      assert.deepEqual([status, reply.code], [403, 'FORBIDDEN'], path);
      assert.match(reply.reason, /sign in at 127/);
    }
    const page = await world.app.http.inject('/console/operator/sign-in');
    assert.match(page.body, /Sign in at 127\.0\.0\.1/);
  });

  it('operator.md §3.4: the issuer proves presence, if it says when the person signed in, at most five minutes ago', async () => {
    const { visitor } = await invited();
    await visitor.signIn();
    const before = visitor.session;
    const done = await visitor.stepUp();
    assert.equal(done.status, 200, done.raw);
    assert.notEqual(visitor.session, before);
    const { body } = await visitor.ask('GET', `${API}/session`);
    assert.ok(Date.parse(body.provedUntil) > world.clock.now());
    const somebody = await invited();
    const { href } = await visitor.begin('step-up');
    const foreign = await somebody.visitor.at.visit(href, BACK);
    assert.deepEqual(refused(await visitor.finish(foreign)), KEPT_OUT, 'somebody else at the issuer');
    world.clock.advance(6 * MINUTE_MS);
    assert.deepEqual(refused(await visitor.stepUp()), KEPT_OUT, 'the issuer did not ask again');
    world.clock.advance(-6 * MINUTE_MS);
  });
});

describe('operators with roles from a claim', () => {
  const { world, person } = issuerWorld(
    new Map<string, readonly ('admin' | 'viewer' | 'support')[]>([
      ['admins', ['admin']],
      ['helpers', ['viewer', 'support']],
    ]) as never,
  );
  const declared = (id: string) => {
    const found = world.app.operatorOperations.find((one) => one.id === id);
    assert.ok(found, id);
    return found;
  };
  const call = (who: Visitor, id: string, params: Record<string, string> = {}, body: object = {}) => {
    const { method, path } = declared(id);
    const url = path.replace(/:(\w+)/g, (_whole, name: string) => String(params[name]));
    const sent = method === 'GET' ? undefined : { reason: 'for the test', ...body };
    return who.ask(method, `/console/api${url}`, sent);
  };
  /** A proposal to make somebody a viewer. */
  const proposed = async (maker: Visitor) => {
    const other = person({ groups: ['admins'] });
    await other.signIn();
    await maker.stepUp();
    const { id } = await other.operator();
    const params = { operatorId: id };
    const { status, body, raw } = await call(maker, 'setOperatorRoles', params, { roles: ['viewer'] });
    assert.equal(status, 202, raw);
    return body as { id: string; hash: string };
  };

  it('operator.md §1.3a: a mapped role needs no invitation; without one nobody gets in', async () => {
    const admin = person({ groups: ['others', 'admins'] });
    assert.equal((await admin.signIn()).status, 200);
    assert.deepEqual((await admin.operator()).roles, ['admin']);
    const helper = person({ groups: 'helpers', email_verified: false });
    assert.equal((await helper.signIn()).status, 200);
    assert.deepEqual((await helper.operator()).roles, ['viewer', 'support']);
    assert.deepEqual(refused(await person({ groups: ['others'] }).signIn()), KEPT_OUT);
    assert.deepEqual(refused(await person().signIn()), KEPT_OUT);
    const { email } = await helper.operator();
    const twin = person({ groups: ['admins'], email });
    assert.deepEqual(refused(await twin.signIn()), KEPT_OUT, 'another account with the same e-mail address');
  });

  it('operator.md §1.3a: an account with a name that no issuer may give is kept out like all others', async () => {
    for (const claims of [{ sub: 'x'.repeat(256) }, { email: 'a\u0000b@example.com' }, { sub: 'a\u0000b' }]) {
      const reply = await person({ groups: ['admins'], ...claims }).signIn();
      assert.deepEqual(refused(reply), KEPT_OUT, `${JSON.stringify(claims)} ${reply.raw}`);
    }
  });

  it('operator.md §1.3a: two first sign-ins of one person at once make one operator', async () => {
    const claims = { sub: 'twice', email: 'twice@example.com', groups: ['admins'] };
    const both = [person(claims), person(claims)];
    const queries: string[] = [];
    for (const one of both) queries.push(await one.at.visit((await one.begin()).href, BACK));
    const replies = await Promise.all(both.map((one, i) => one.finish(queries[i] ?? '')));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    const [one, other] = [await both[0]?.operator(), await both[1]?.operator()];
    assert.equal(one.id, other.id);
  });

  it('operator.md §1.3a, §5.7: roles follow the claim at each proof of presence; a lost role ends proposals', async () => {
    const [maker, reader] = [person({ groups: ['admins'] }), person({ groups: ['admins'] })];
    for (const one of [maker, reader]) await one.signIn();
    const { id } = await proposed(maker);
    const former = maker.session;
    maker.at.becomes({ groups: ['helpers'] });
    assert.equal((await maker.stepUp()).status, 200);
    assert.deepEqual((await maker.operator()).roles, ['viewer', 'support']);
    assert.equal((await call(reader, 'getProposalById', { proposalId: id })).body.status, 'WITHDRAWN');
    const old = await askConsole(world, 'GET', `${API}/session`, { cookie: former });
    assert.equal(old.status, 401, 'other sessions end with the change');
    maker.at.becomes({ groups: [] });
    assert.deepEqual(refused(await maker.signIn()), KEPT_OUT);
    const [row] = await world.database.query<{ roles: string[] }>(sql`
      select roles from operators where issuer is not null and roles = '{}'`);
    assert.deepEqual(row?.roles, []);
    maker.at.becomes({ groups: ['admins'] });
    assert.equal((await maker.signIn()).status, 200, 'a role that is given back counts again');
  });

  it('operator.md §1.3a: a suspended operator stays out, whatever the claim says', async () => {
    const visitor = person({ groups: ['admins'] });
    await visitor.signIn();
    const { id } = await visitor.operator();
    await onInstallation(world, (tx) =>
      endOperator(tx, id.slice('Operator:'.length), 'SUSPENDED', 'for the test'),
    );
    assert.deepEqual(refused(await visitor.signIn()), KEPT_OUT);
  });

  it('operator.md §5.4: the issuer’s token signs the hash of a proposal, and counts once, for that proposal and session', async () => {
    const [maker, checker] = [person({ groups: ['admins'] }), person({ groups: ['admins'] })];
    for (const one of [maker, checker]) await one.signIn();
    const [one, two] = [await proposed(maker), await proposed(maker)];
    const confirm = async (who: Visitor, hash: string) => {
      const { status, body, raw } = await who.stepUp({ signs: hash });
      assert.equal(status, 200, raw);
      return body as { nonce: string; confirmation: string };
    };
    const approve = (who: Visitor, { id }: { id: string }, body: object) =>
      call(who, 'approveProposal', { proposalId: id }, body);
    const own = await approve(maker, one, await confirm(maker, one.hash));
    assert.deepEqual(refused(own), [403, 'FORBIDDEN']);
    const signed = await confirm(checker, one.hash);
    for (const [body, reason] of [
      [await confirm(maker, one.hash), 'another session'],
      [{ ...signed, confirmation: `${signed.confirmation.slice(0, -8)}AAAAAAAA` }, 'somebody made it up'],
      [{ ...signed, nonce: (await confirm(checker, two.hash)).nonce }, 'another challenge'],
    ] as const)
      assert.deepEqual(refused(await approve(checker, one, body)), [403, 'STEP_UP_REQUIRED'], reason);
    assert.deepEqual(refused(await approve(checker, two, signed)), [403, 'STEP_UP_REQUIRED']);
    const both = { ...signed, assertion: ASSERTION };
    assert.equal((await approve(checker, one, both)).status, 400);
    assert.equal((await approve(checker, one, { nonce: signed.nonce })).status, 400);
    const done = await approve(checker, one, signed);
    assert.deepEqual([done.status, done.body.status], [200, 'APPROVED'], done.raw);
    assert.equal(done.body.checkerId, publicId('Operator', (await checker.operator()).id.slice(9)));
    const [kept] = await world.database.query<{ proof: { idToken: string } }>(sql`
      select proof from proposals where id = ${one.id.slice('Proposal:'.length)}`);
    assert.equal(kept?.proof.idToken.split('.').length, 3);
    assert.deepEqual(refused(await approve(checker, one, signed)), [403, 'STEP_UP_REQUIRED'], 'used already');
  });
});
