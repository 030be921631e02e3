import { randomBytes } from 'node:crypto';
import { type BreakRow, findBreak, resolveBreak } from '#capabilities/connectors/break-store.ts';
import { askAboutAll } from '#capabilities/connectors/call-store.ts';
import {
  adoptNextSecret,
  countOpenOrders,
  deleteRoute,
  forgetCursor,
  forgetStore,
  insertConnector,
  loadSecrets,
  lockConnector,
  pause,
  removeConnector,
  resume,
  setNextSecret,
  setUrl,
  upsertRoute,
} from '#capabilities/connectors/registry-store.ts';
import type { ConnectorRow, RouteRow } from '#capabilities/connectors/row.ts';
import { writeAudit } from '#foundation/audit/audit.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Actor, Runtime } from '#foundation/database/tx.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';

/** What operators change about connectors (connectors.md §9). Each change is one commit with its audit row. */
export type RegistryParts = Pick<Runtime, 'database' | 'clock' | 'newId' | 'vault'>;

/** One operator's change, with the reason for the audit log. */
export interface Change {
  readonly parts: RegistryParts;
  readonly actor: Actor;
  readonly reason: string;
}

const SECRET_BYTES = 32;

/** The context that a connector's sealed secret is bound to. */
export function secretContext(keyId: string): string {
  return `connectors.secret:${keyId}`;
}

/** Shown once. */
export interface NewSecret {
  readonly keyId: string;
  /** Base64. */
  readonly secret: string;
}

export async function addConnector(
  change: Change,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<NewSecret> {
  requireName(name);
  requireUrl(url);
  const { made, sealed } = createSecret(change.parts);
  await commit(change, 'connector add', { connector: name, url: publicUrlOf(url) }, async (run, now) => {
    const isNew = await insertConnector(
      run,
      { id: newUuid(), name, url, keyId: made.keyId, secret: sealed },
      now,
    );
    if (!isNew)
      refuse('CONFLICT', `There is a connector ${name}, or there was one: its name stays in the ledger.`);
  });
  return shown(made);
}

export function changeUrl(change: Change, name: string, url: string): Promise<void> {
  requireUrl(url);
  return onConnector(change, 'connector set', name, { url: publicUrlOf(url) }, (run, { id }, now) =>
    setUrl(run, id, url, now),
  );
}

/** Refused while orders are open there: somebody has to hear how they end. */
export function removeOne(change: Change, name: string): Promise<void> {
  return onConnector(change, 'connector remove', name, {}, async (run, { id }, now) => {
    const open = await countOpenOrders(run, id);
    if (open > 0) refuse('CONFLICT', `${name} has ${open} open orders.`);
    await removeConnector(run, id, now);
  });
}

/** connectors.md §9.2: no new orders; everything else goes on. */
export function pauseConnector(change: Change, name: string): Promise<void> {
  return onConnector(change, 'connector pause', name, {}, async (run, { id }, now) => {
    if (!(await pause(run, id, 'OPERATOR', now))) refuse('CONFLICT', `${name} is paused already.`);
  });
}

/** A connector whose store changed resumes only with `newStore`: the operator knows that its records are complete. */
export function resumeConnector(change: Change, name: string, { newStore = false } = {}): Promise<void> {
  return onConnector(change, 'connector resume', name, { newStore }, async (run, row, now) => {
    if (row.paused_because === null) refuse('CONFLICT', `${name} is not paused.`);
    if (row.paused_because === 'STORE' && !newStore) {
      refuse(
        'CONFLICT',
        `${name} answers from another store than before. Give --new-store once its records are complete.`,
      );
    }
    await resume(run, row.id);
    if (newStore) await startStore(run, row, now);
  });
}

/** connectors.md §2.8: a new store has events of its own, and is asked about every order that is open. */
async function startStore(run: Run, { id }: ConnectorRow, now: Date): Promise<void> {
  await forgetStore(run, id, now);
  await forgetCursor(run, id, now);
  await askAboutAll(run, id, now);
}

/** Reads the events from the beginning: those that were applied change nothing (connectors.md §6.6). */
export function rewindEvents(change: Change, name: string): Promise<void> {
  return onConnector(change, 'connector rewind', name, {}, async (run, row, now) => {
    await forgetCursor(run, row.id, now);
    if (row.paused_because === 'CURSOR') await resume(run, row.id);
  });
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** connectors.md §2.5. With `immediately` the old secret is refused from now on. */
export async function rotateSecret(
  change: Change,
  name: string,
  { immediately = false } = {},
): Promise<NewSecret> {
  const { made, sealed } = createSecret(change.parts);
  await onConnector(change, 'connector rotate-secret', name, { immediately }, async (run, { id }, now) => {
    await finishRotation(run, id, name, now);
    const at = (days: number) => new Date(now.getTime() + (immediately ? 0 : days * DAY_MS));
    await setNextSecret(run, id, { keyId: made.keyId, secret: sealed, from: at(1), aloneFrom: at(2) });
    if (immediately) await adoptNextSecret(run, id);
  });
  return shown(made);
}

async function finishRotation(run: Run, id: string, name: string, now: Date): Promise<void> {
  const { next_alone_from: until } = await loadSecrets(run, id);
  if (until === null) return;
  if (until > now) refuse('CONFLICT', `The secret of ${name} is being rotated until ${until.toISOString()}.`);
  await adoptNextSecret(run, id);
}

/** The lowest number that fits an order wins. A route with a number that is used replaces the other one. */
export function setRoute(change: Change, name: string, route: Omit<RouteRow, 'connector_id'>): Promise<void> {
  requireBounds(route);
  const { number, platform_id, least, most, ...others } = route;
  const details = {
    ...{ route: number, ...others, platform: platform_id && publicId('Platform', platform_id) },
    ...{ least: least?.toString() ?? null, most: most?.toString() ?? null },
  };
  return onConnector(change, 'connector route', name, details, (run, { id }) =>
    upsertRoute(run, { ...route, connector_id: id }),
  );
}

export function removeRoute(change: Change, number: number): Promise<void> {
  return commit(change, 'connector route remove', { route: number }, async (run) => {
    if (!(await deleteRoute(run, number))) refuse('CONFLICT', `There is no route ${number}.`);
  });
}

/** Closes a break. It books nothing: where money has to move, another command does that. */
export async function closeBreak(change: Change, id: string): Promise<BreakRow> {
  const { database } = change.parts;
  const found = await findBreak(database.query, id);
  if (!found) throw new Refusal('NOT_FOUND', 'There is no such break.');
  await commit(
    change,
    'break resolve',
    { connector: found.connector, about: found.about },
    async (run, now) => {
      if (!(await resolveBreak(run, id, change.reason, now)))
        refuse('CONFLICT', 'The break is resolved already.');
    },
  );
  return found;
}

function createSecret({ vault }: RegistryParts) {
  const made = { keyId: newUuid() as string, secret: randomBytes(SECRET_BYTES) };
  return { made, sealed: vault.seal(made.secret, secretContext(made.keyId)) };
}

function shown({ keyId, secret }: { keyId: string; secret: Buffer }): NewSecret {
  return { keyId: publicId('ConnectorKey', keyId), secret: secret.toString('base64') };
}

async function onConnector(
  change: Change,
  action: string,
  name: string,
  details: Record<string, unknown>,
  steps: (run: Run, row: ConnectorRow, now: Date) => Promise<void>,
): Promise<void> {
  await commit(change, action, { connector: name, ...details }, async (run, now) => {
    const row = await lockConnector(run, name);
    if (!row) throw new Refusal('NOT_FOUND', `There is no connector ${name}.`);
    await steps(run, row, now);
  });
}

/** The audit row names no platform, because all platforms share the connectors. */
async function commit(
  { parts, actor, reason }: Change,
  action: string,
  details: Record<string, unknown>,
  steps: (run: Run, now: Date) => Promise<void>,
): Promise<void> {
  const now = new Date(parts.clock.now());
  await parts.database.transaction(async (run) => {
    await steps(run, now);
    const fact = { action, details: { ...details, reason } };
    await writeAudit({ query: run }, [
      { id: parts.newId<'AuditRow'>(), platformId: null, at: now, actor, ...fact },
    ]);
  });
}

function requireName(name: string): void {
  if (/^[a-z0-9-]{1,32}$/.test(name)) return;
  throw invalidFields([{ field: 'name', message: 'must have 1 to 32 characters of a–z, 0–9 and -' }]);
}

function requireUrl(text: string): void {
  const url = URL.parse(text);
  const isRight = url && /^https?:$/.test(url.protocol) && url.hash === '' && url.search === '';
  if (isRight) return;
  const message = 'must be an https:// URL, or an http:// URL of your own network, without query';
  throw invalidFields([{ field: 'url', message }]);
}

/** Without credentials. */
function publicUrlOf(text: string): string {
  const url = new URL(text);
  return url.origin + url.pathname;
}

function requireBounds({ number, least, most }: Pick<RouteRow, 'number' | 'least' | 'most'>): void {
  if (!Number.isInteger(number) || number < 1) {
    throw invalidFields([{ field: 'number', message: 'must be a whole number from 1' }]);
  }
  if (least !== null && most !== null && least > most) {
    throw invalidFields([{ field: 'least', message: 'must not be more than the upper bound' }]);
  }
}
