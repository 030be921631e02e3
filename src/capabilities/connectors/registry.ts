import { randomBytes } from 'node:crypto';
import { type BreakRow, findBreak, resolveBreak } from '#capabilities/connectors/break-store.ts';
import { concernedByBreak } from '#capabilities/connectors/break-texts.ts';
import { askAboutAll } from '#capabilities/connectors/call-store.ts';
import {
  adoptNextSecret,
  countUnfinished,
  forgetCursor,
  forgetStore,
  insertConnector,
  keepClientCertificate,
  loadSecrets,
  lockConnector,
  pause,
  removeConnector,
  resume,
  setNextSecret,
  setUrl,
} from '#capabilities/connectors/registry-store.ts';
import {
  type ConnectorRow,
  isConnectorName,
  speaksFiles,
  withoutCredentials,
} from '#capabilities/connectors/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import { type ChangedValue, changedValues } from '#foundation/audit/changed-values.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';
import type { ClientCertificate, ReadCertificate } from '#foundation/outbound/client-certificate.ts';

/**
 * Changes of operators to connectors (connectors.md §9), each with its audit row in the same commit. The audit row
 * names no platform, because all platforms share the connectors: `tx` is one of the installation.
 */
interface Change {
  readonly name: string;
  readonly reason: string;
}

const SECRET_BYTES = 32;

/** The context that a connector's sealed secret is bound to. */
export function secretContext(keyId: string): string {
  return `connectors.secret:${keyId}`;
}

/** The context of a sealed client certificate and its key. */
export function clientCertificateContext(id: string): string {
  return `connectors.client_certificate:${id}`;
}

/** Shown once. */
export interface NewSecret {
  readonly keyId: string;
  /** Base64. */
  readonly secret: string;
}

export async function addConnector(
  tx: Tx,
  { name, url, reason }: Change & { readonly url: string },
): Promise<NewSecret> {
  requireName(name);
  requireUrl(url);
  const { made, sealed } = createSecret(tx);
  const connector = { id: newUuid(), name, url, keyId: made.keyId, secret: sealed };
  if (!(await insertConnector(runOf(tx), connector, nowOf(tx)))) {
    refuse('CONFLICT', `There is a connector ${name}, or there was one: its name stays in the ledger.`);
  }
  audit(tx, { action: 'connector add', details: { connector: name, url, reason } });
  return shown(made);
}

/** A member that is absent stays as it is; null takes the client certificate away. */
export interface ConnectorSettings {
  readonly url?: string | undefined;
  readonly clientCertificate?: ReadCertificate | null | undefined;
}

export async function setConnector(
  tx: Tx,
  { url, clientCertificate: shown, ...change }: Change & ConnectorSettings,
): Promise<ConnectorRow> {
  if (url !== undefined) requireUrl(url);
  const changed = (row: ConnectorRow) =>
    url === undefined
      ? []
      : changedValues({ url: withoutCredentials(row.url) }, { url: withoutCredentials(url) });
  const proof = shown !== undefined && { fingerprint: shown?.fingerprint ?? null };
  return onConnector(tx, 'connector set', { ...change, url, ...proof, changed }, async (run, row, now) => {
    refuseFiles(row, url === undefined ? 'client certificate' : 'URL');
    if (url !== undefined) await setUrl(run, row.id, url, now);
    if (shown !== undefined) await keepClientCertificate(run, row.id, shown && sealShown(tx, row.id, shown));
  });
}

function sealShown({ runtime: { vault } }: Tx, id: string, shown: ReadCertificate) {
  const { certificate, privateKey, until } = shown;
  const text = JSON.stringify({ certificate, privateKey } satisfies ClientCertificate);
  return { sealed: vault.seal(text, clientCertificateContext(id)), until };
}

/** Refused while something there has not ended: money or an answer would be lost. */
export async function removeOne(tx: Tx, change: Change): Promise<void> {
  const row = await lock(tx, change.name);
  const { orders, requests, events, breaks } = await countUnfinished(runOf(tx), row.id);
  const left = Object.entries({
    ...{ 'open orders': orders, 'open requests': requests },
    ...{ 'events that are not applied': events, 'open breaks': breaks },
  }).flatMap(([what, count]) => (count > 0n ? [`${what}: ${count}`] : []));
  if (left.length > 0) refuse('CONFLICT', `${row.name} cannot be removed yet (${left.join(', ')}).`);
  await removeConnector(runOf(tx), row.id, nowOf(tx));
  auditChange(tx, 'connector remove', change);
}

/** connectors.md §9.2: no new orders; everything else goes on. */
export function pauseConnector(tx: Tx, change: Change): Promise<ConnectorRow> {
  return onConnector(tx, 'connector pause', { ...change }, async (run, { id, name }, now) => {
    if (!(await pause(run, id, 'OPERATOR', now))) refuse('CONFLICT', `${name} is paused already.`);
  });
}

/** A connector whose store changed resumes only with `newStore`: the operator knows that its records are complete. */
export function resumeConnector(
  tx: Tx,
  { newStore = false, ...change }: Change & { readonly newStore?: boolean },
): Promise<ConnectorRow> {
  return onConnector(tx, 'connector resume', { ...change, newStore }, async (run, row, now) => {
    const { name, paused_because: cause } = row;
    if (cause === null) refuse('CONFLICT', `${name} is not paused.`);
    if (cause === 'STORE' && !newStore) {
      refuse(
        'CONFLICT',
        `${name} answers from another store than before. Give --new-store once its records are complete.`,
      );
    }
    if (cause === 'FILES') {
      refuse('CONFLICT', `${name} stopped because of its files: see "corridor connector file list ${name}".`);
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
export function rewindEvents(tx: Tx, change: Change): Promise<ConnectorRow> {
  return onConnector(tx, 'connector rewind', { ...change }, async (run, row, now) => {
    await forgetCursor(run, row.id, now);
    if (row.paused_because === 'CURSOR') await resume(run, row.id);
  });
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** connectors.md §2.9. With `immediately` all earlier secrets are refused from now on, also one that was to follow. */
export async function rotateSecret(
  tx: Tx,
  { immediately = false, ...change }: Change & { readonly immediately?: boolean },
): Promise<NewSecret> {
  const { made, sealed } = createSecret(tx);
  await onConnector(tx, 'connector rotate-secret', { ...change, immediately }, async (run, row, now) => {
    refuseFiles(row, 'secret');
    if (!immediately) await finishRotation(run, row, now);
    const at = (days: number) => new Date(now.getTime() + (immediately ? 0 : days * DAY_MS));
    await setNextSecret(run, row.id, { keyId: made.keyId, secret: sealed, from: at(1), aloneFrom: at(2) });
    if (immediately) await adoptNextSecret(run, row.id);
  });
  return shown(made);
}

/** A connector that speaks to its bank by files answers within this service. */
function refuseFiles(row: ConnectorRow, what: string): void {
  if (speaksFiles(row)) refuse('CONFLICT', `${row.name} speaks to its bank by files, and has no ${what}.`);
}

async function finishRotation(run: Run, { id, name }: ConnectorRow, now: Date): Promise<void> {
  const { next_alone_from: until } = await loadSecrets(run, id);
  if (until === null) return;
  if (until > now) refuse('CONFLICT', `The secret of ${name} is being rotated until ${until.toISOString()}.`);
  await adoptNextSecret(run, id);
}

/** Closes a break. It books nothing: where money has to move, another command does that. */
export async function closeBreak(tx: Tx, { id, reason }: { id: string; reason: string }): Promise<BreakRow> {
  const found = await findBreak(runOf(tx), id);
  if (!found) throw new Refusal('NOT_FOUND', 'There is no such break.');
  if (!(await resolveBreak(tx, id, reason, nowOf(tx)))) refuse('CONFLICT', 'The break is resolved already.');
  const details = { connector: found.connector, about: found.about, reason };
  const customerId = await concernedByBreak(tx, id);
  audit(tx, { action: 'break resolve', resource: publicId('Break', id), customerId, details });
  return { ...found, resolved_at: nowOf(tx) };
}

const runOf =
  (tx: Tx): Run =>
  (piece) =>
    tx.query(piece);
const nowOf = ({ runtime }: Tx) => new Date(runtime.clock.now());

function createSecret({ runtime: { vault } }: Tx) {
  const made = { keyId: newUuid() as string, secret: randomBytes(SECRET_BYTES) };
  return { made, sealed: vault.seal(made.secret, secretContext(made.keyId)) };
}

function shown({ keyId, secret }: { keyId: string; secret: Buffer }): NewSecret {
  return { keyId: publicId('ConnectorKey', keyId), secret: secret.toString('base64') };
}

interface DetailedChange extends Change {
  /** The settings that are replaced. */
  readonly changed?: (row: ConnectorRow) => readonly ChangedValue[];
  readonly [detail: string]: unknown;
}

/** Changes one connector, which is locked until the commit. Returns it as it is afterwards. */
export async function onConnector(
  tx: Tx,
  action: string,
  { changed, ...change }: DetailedChange,
  steps: (run: Run, row: ConnectorRow, now: Date) => Promise<void>,
): Promise<ConnectorRow> {
  const { name } = change;
  const row = await lock(tx, name);
  await steps(runOf(tx), row, nowOf(tx));
  auditChange(tx, action, change, changed?.(row));
  return lock(tx, name);
}

async function lock(tx: Tx, name: string): Promise<ConnectorRow> {
  const row = await lockConnector(runOf(tx), name);
  if (!row) throw new Refusal('NOT_FOUND', `There is no connector ${name}.`);
  return row;
}

function auditChange(
  tx: Tx,
  action: string,
  { name, ...details }: Change,
  changed: readonly ChangedValue[] = [],
): void {
  audit(tx, { action, details: { connector: name, ...details }, changed });
}

function requireName(name: string): void {
  if (isConnectorName(name)) return;
  throw invalidFields([{ field: 'name', message: 'must have 1 to 32 characters of a–z, 0–9 and -' }]);
}

/** Nothing in it is secret: a password would be shown with it. */
function requireUrl(text: string): void {
  const url = URL.parse(text);
  const isRight = url && /^https?:$/.test(url.protocol) && url.hash === '' && url.search === '';
  if (!isRight) {
    const message = 'must be an https:// URL, or an http:// URL of your own network, without query';
    throw invalidFields([{ field: 'url', message }]);
  }
  if (url.username === '' && url.password === '') return;
  const message = 'must not contain a user name or a password: requests are signed instead';
  throw invalidFields([{ field: 'url', message }]);
}
