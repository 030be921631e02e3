import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { findLiveCustomer, lockLiveCustomer } from '#capabilities/customers/store.ts';
import { findLink, type LinkRow, lockOpenLink } from '#capabilities/onboarding/store.ts';
import { readLinkToken } from '#capabilities/onboarding/token.ts';
import { isTerminal } from '#capabilities/verification/record.ts';
import { findOpenVerification } from '#capabilities/verification/store.ts';
import { findEnabledPlatform } from '#foundation/database/platforms.ts';
import type { ReadTx, Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';

/** The page behind an open link: the whole form, a single button to confirm, or the customer's status. */
export type VisitStage = 'form' | 'confirm' | 'status';

export interface Visit {
  readonly work: Work;
  readonly link: LinkRow;
  readonly customer: CustomerRow;
  readonly stage: VisitStage;
}

export type VisitLookup =
  | { readonly kind: 'open'; readonly visit: Visit }
  | { readonly kind: 'unknown' }
  /** Used, expired, or revoked with its customer. */
  | { readonly kind: 'gone'; readonly work: Work; readonly link: LinkRow };

/** The token is the visitor's only authorization (customers.md §6.4). */
export async function openVisit(runtime: Runtime, text: string): Promise<VisitLookup> {
  const found = await findVisitor(runtime, text);
  if (!found) return { kind: 'unknown' };
  const { work, link } = found;
  return work.read(async (tx) => {
    const customer = isOpen(tx, link) ? await findLiveCustomer(tx, link.customer_id) : undefined;
    if (!customer) return { kind: 'gone', work, link };
    return { kind: 'open', visit: { work, link, customer, stage: await loadStage(tx, customer) } };
  });
}

export async function findVisitor(
  runtime: Runtime,
  text: string,
): Promise<{ readonly work: Work; readonly link: LinkRow } | undefined> {
  const token = readLinkToken(text);
  const platform = token && (await findEnabledPlatform(runtime.database.lookUp, token.platformId));
  if (!platform) return undefined;
  const work = new Work(runtime, platform, { kind: 'page', id: 'onboarding' });
  const link = await work.read((tx) => findLink(tx, token.secretHash));
  return link && { work, link };
}

/** Reloads the visit and locks customer and link until the commit; undefined if the link is no longer open. */
export async function lockVisit(
  tx: Tx,
  { customer: { id }, link: { id: linkId } }: Pick<Visit, 'customer' | 'link'>,
): Promise<Omit<Visit, 'work'> | undefined> {
  const customer = await lockLiveCustomer(tx, id);
  const link = customer && (await lockOpenLink(tx, linkId));
  return link && { customer, link, stage: await loadStage(tx, customer) };
}

function isOpen(tx: ReadTx, { used_at, revoked_at, expires_at }: LinkRow): boolean {
  return used_at === null && revoked_at === null && expires_at > tx.now;
}

/**
 * A customer that is decided, on hold or being checked only sees the status (customers.md §6.7); one that needs no
 * documents only confirms (customers.md §6.6).
 */
async function loadStage(tx: ReadTx, customer: CustomerRow): Promise<VisitStage> {
  if (isTerminal(customer.status) || customer.status === 'HOLD') return 'status';
  if (await findOpenVerification(tx, customer.id)) return 'status';
  return needsConfirmationOnly(tx, customer) ? 'confirm' : 'form';
}

function needsConfirmationOnly(tx: ReadTx, customer: CustomerRow): boolean {
  const { customerType, person, business } = openProfile(tx.vault, customer);
  const { fullName } = person;
  const { registrationNumber } = business;
  const applicant = { customerType, fullName, registrationNumber };
  return tx.ports.identity.beforeChecks(applicant, tx.platform.settings) !== undefined;
}

/** Aborts a transaction: the link was used, or the customer's status changed, since the visit began. */
export class LateVisit extends Error {
  override name = 'LateVisit';
}

/**
 * The work that saves a form. Uploads take time, so each write locks the customer and checks again whether the link is
 * still open and the form still expected (customers.md §6.4 and §6.7).
 */
export class VisitWork extends Work {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    super(visit.work.runtime, visit.work.platform, visit.work.actor);
    this.#visit = visit;
  }

  override write<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    return super.write(async (tx) => {
      const now = await lockVisit(tx, this.#visit);
      if (!now || now.stage === 'status') throw new LateVisit();
      return steps(tx);
    });
  }
}
