import assert from 'node:assert/strict';
import { lockAccountStatus, requireActive } from '#capabilities/accounts/post-entry.ts';
import type { CardRow } from '#capabilities/cards/card-row.ts';
import { touchCard } from '#capabilities/cards/card-store.ts';
import { holdExpiry } from '#capabilities/cards/machine/decide.ts';
import { type CardTransition, centsToUnits, EXPIRE_ROW } from '#capabilities/cards/machine/draft.ts';
import { newRow, type RowOwner } from '#capabilities/cards/machine/new-row.ts';
import {
  type Authorization,
  type CardFacts,
  type CardNotice,
  type Increment,
  type NetworkNotice,
  NO_FACTS,
  type NoticeAnswer,
  type RowNotice,
  subjectOf,
} from '#capabilities/cards/machine/notice.ts';
import type { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { applyCardTransition } from '#capabilities/cards/notices/apply.ts';
import {
  answerOf,
  countAdvice,
  countSpending,
  judgeAuthorization,
  judgeRepeat,
  uncoveredMax,
  type Verdict,
  verdictForReason,
} from '#capabilities/cards/notices/decision.ts';
import { mayDraw } from '#capabilities/cards/notices/facts.ts';
import { keepNotice, releaseEarly } from '#capabilities/cards/notices/notice-store.ts';
import { queueNotice, RECEIVE_NOTICES, scheduleNotices } from '#capabilities/cards/notices/queue.ts';
import { boundUncovered, type LoadedAuthorization, requireCard } from '#capabilities/cards/notices/store.ts';
import { type CardTransactionRow, isOpenRow } from '#capabilities/cards/transaction-row.ts';
import { receivableAccount } from '#capabilities/payments/machine/postings.ts';
import { sandboxCards } from '#edge/sandbox/cards/cards-table.ts';
import { audit } from '#foundation/audit/audit.ts';
import { dayPeriod } from '#foundation/counters/count.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Terms } from '#tests/model/cards-model.ts';
import type { Currency } from '#tests/model/cards-steps.ts';
import type { CardTables, KeptNotice } from '#tests/simulator/card-tables.ts';
import {
  type Disturbances,
  type Meanwhile,
  type Prepared,
  type Reading,
  requireCommitted,
} from '#tests/simulator/disturbances.ts';
import { type Memory, MemoryChange, type MemoryJob } from '#tests/simulator/memory.ts';

export type CardsMachine = typeof CARD_TRANSACTIONS_MACHINE;

const TABLE = 'card_transactions';
const EARLY_MS = 24 * 60 * 60_000;
const WALLET = 'EMBEDDED_WALLET';

/** The use cases around the machine of card transactions, on tables in memory. */
export class SimulatedCards {
  readonly tables: CardTables;
  readonly #memory: Memory;
  readonly #disturbances: Disturbances;
  readonly #machine: CardsMachine;
  readonly #terms: Terms;

  constructor(
    tables: CardTables,
    disturbances: Disturbances,
    { machine, terms }: { machine: CardsMachine; terms: Terms },
  ) {
    this.tables = tables;
    this.#memory = tables.memory;
    this.#disturbances = disturbances;
    this.#machine = machine;
    this.#terms = terms;
  }

  /** A notice of the network arrives, or one that was accepted before is due. */
  receive(notice: NetworkNotice, isQueued: boolean): NoticeAnswer {
    if (notice.kind === 'authorization') return this.#authorize(notice);
    return notice.kind === 'increment' ? this.#increase(notice) : this.#changeRows(notice, isQueued);
  }

  /** Runs a job of cards; false: it belongs to another area. */
  run({ kind, payload }: MemoryJob): boolean {
    if (kind === EXPIRE_ROW) this.#expire((payload as { id: TransactionId }).id);
    else if (kind === RECEIVE_NOTICES) this.#receiveDue((payload as { cardId: CardId }).cardId);
    else return false;
    return true;
  }

  #receiveDue(cardId: CardId): void {
    for (let due = this.tables.nextDue(cardId); due; due = this.tables.nextDue(cardId)) {
      this.receive(due.notice, true);
    }
  }

  /** What the decision reads of the platform and its ports. */
  get #tx(): ReadTx {
    const { approvesUncovered, uncoveredMax: max } = this.#terms;
    const cards = {
      blockedMccs: ['7995'],
      blockedCountries: ['KP'],
      uncoveredMax: max === null ? null : Number(max),
    };
    return {
      platform: { settings: { cards } },
      ports: { cards: { ...sandboxCards, approvesUncovered } },
      now: this.#memory.date,
    } as unknown as ReadTx;
  }

  /** The in-memory implementation of `findAuthorization` (src/capabilities/cards/notices/store.ts). */
  #load({ cardId, id, token }: Authorization | Increment, card: CardRow): LoadedAuthorization {
    const account = this.#memory.accounts.get(card.funding_source) ?? assert.fail('a card has an account');
    const day = dayPeriod({ now: this.#memory.date });
    const used = (name: string) => this.#memory.counters.get(`${name}:${cardId} ${day}`)?.[0] ?? 0n;
    const known = this.tables.notices.get(id);
    return {
      card,
      platformCustomerId: 'simulated',
      account: {
        id: account.id,
        status: account.status,
        type: typeOf(account.currency),
        currency: account.currency,
      },
      available: this.#memory.balanceOf(`AVAIL:${account.id}`, account.currency),
      hasKey: this.tables.keys.has(cardId),
      today: { spent: used('CARD_SPEND'), count: used('CARD_PURCHASES') },
      uncovered: this.tables.uncovered(account.id),
      answer: known && known.dueAt === undefined ? (known.answer ?? { isApplied: false }) : undefined,
      row: this.tables.byToken(token),
      hasEarly: this.tables.hasEarly(cardId, token),
    };
  }

  /** cards.md §6.6.8. */
  declineUndecided(notice: Authorization): NoticeAnswer {
    return this.#authorize(notice, { declined: 'OTHER' });
  }

  #authorize(notice: Authorization, undecided?: Verdict): NoticeAnswer {
    let decided = undecided;
    for (;;) {
      const prepare = (reading: Reading) => this.#prepareAuthorization(notice, decided, reading);
      const done = this.#disturbances.commit(prepare, decided ? [] : this.#meanwhile(notice));
      if (!done) return this.tables.notices.get(notice.id)?.answer ?? assert.fail('it was answered before');
      if ('result' in done) return done.result;
      decided = verdictForReason(this.#tx, done.reason) ?? assert.fail(done.reason.name);
    }
  }

  #judge(notice: Authorization, loaded: LoadedAuthorization): Verdict {
    const { row } = loaded;
    return row ? judgeRepeat(notice, { ...loaded, row }) : judgeAuthorization(this.#tx, notice, loaded);
  }

  /** What must refuse an approval: the card has changed, or its account is frozen. */
  #meanwhile(notice: Authorization): Meanwhile[] {
    const loaded = this.#load(notice, this.tables.card(notice.cardId));
    if (loaded.answer || loaded.row || 'declined' in this.#judge(notice, loaded)) return [];
    return [
      { what: 'the card changes', happens: () => this.tables.withTouched(this.tables.card(notice.cardId)) },
      { what: 'its account is frozen', happens: () => this.#memory.withStatus(loaded.account.id, 'FROZEN') },
    ];
  }

  #prepareAuthorization(
    notice: Authorization,
    decided: Verdict | undefined,
    reading: Reading,
  ): Prepared<NoticeAnswer> | undefined {
    const card = reading === 'old' ? this.tables.oldCard(notice.cardId) : this.tables.card(notice.cardId);
    const loaded = card && this.#load(notice, card);
    if (!loaded || loaded.answer) return undefined;
    const verdict = decided ?? this.#judge(notice, loaded);
    // Nothing but an approval depends on the card being unchanged.
    if (reading === 'old' && (loaded.row || 'declined' in verdict)) return undefined;
    const change = new MemoryChange(this.#memory);
    this.#collect(change, { notice, loaded, verdict });
    return { change, result: answerOf(verdict) };
  }

  #collect(change: MemoryChange, { notice, loaded, verdict }: Decided): void {
    keepNotice(change, loaded.card, { notice, answer: answerOf(verdict) });
    if (loaded.hasEarly) {
      releaseEarly(change, notice);
      scheduleNotices(change, notice.cardId);
    }
    if (loaded.row) return;
    const { pull } = sandboxCards.judge(notice.merchant);
    const isPulledLater = !('declined' in verdict) && !notice.isFinal && notice.asks !== 'INQUIRY';
    const confirmedAt = isPulledLater && pull ? new Date(this.#memory.now + pull.afterMs) : undefined;
    const row = newRow(change, change.newId(), loaded, { ...traitsOf(notice), confirmedAt });
    const isPullFailing = pull?.outcome === 'FAILED';
    const decision = this.#decisionOf(notice, verdict, isPullFailing);
    const facts = this.#decisionFacts(notice, loaded, verdict, isPullFailing);
    const transition = this.#machine.require(row, decision, row.created_at, facts);
    this.#openReceivables(transition);
    applyCardTransition(change, transition);
    if ('declined' in verdict) return;
    requireCard(change, loaded.card);
    this.#guardAccount(change, loaded.account.id, transition, verdict);
    if (notice.asks === 'DEBIT') countSpending(change, loaded.card, notice);
    if (isPullFailing && confirmedAt) {
      const { id, cardId, token } = notice;
      queueNotice(
        change,
        loaded.card,
        { kind: 'pull_failure', id: `${id}:pull`, cardId, token },
        confirmedAt,
      );
    }
  }

  #decisionOf(
    { asks, isFinal, merchant }: Authorization,
    verdict: Verdict,
    isPullFailing: boolean,
  ): CardNotice {
    if ('declined' in verdict) return { kind: 'declined', reason: verdict.declined };
    if (isFinal && asks !== 'INQUIRY') return { kind: 'approvedAtOnce', isPullFailing };
    const holdExpiresAt = holdExpiry(merchant, this.#memory.date);
    return { kind: 'approved', isHeld: verdict.cover === 'HELD', holdExpiresAt };
  }

  /** A single message is assumed to be covered, unless it may leave or repay a debt. */
  #decisionFacts(
    { amount, asks, isFinal }: Authorization,
    { card, account }: LoadedAuthorization,
    verdict: Verdict,
    isPullFailing: boolean,
  ): CardFacts {
    const isUncovered = 'cover' in verdict && verdict.cover === 'UNCOVERED';
    const isLocked =
      isFinal && !('declined' in verdict) && (asks === 'CREDIT' || isUncovered || isPullFailing);
    if (isLocked) return this.#facts(card, account.id);
    return {
      ...NO_FACTS,
      available: centsToUnits({ account_currency: account.currency }, amount),
      mayDraw: true,
    };
  }

  #guardAccount(
    change: MemoryChange,
    accountId: AccountId,
    { entries }: CardTransition,
    verdict: Verdict,
  ): void {
    const max = uncoveredMax(this.#tx);
    if ('cover' in verdict && verdict.cover === 'UNCOVERED' && max !== null)
      boundUncovered(change, accountId, max);
    else if (entries.length > 0) requireActive(change, accountId);
    else lockAccountStatus(change, accountId, 'active');
  }

  #increase(notice: Increment): NoticeAnswer {
    const row = this.tables.byToken(notice.token);
    if (row?.card_id !== notice.cardId) {
      return this.#authorize({ ...notice, kind: 'authorization', asks: 'DEBIT', isFinal: false });
    }
    let decided: Verdict | undefined;
    for (;;) {
      const prepare = (reading: Reading) => this.#prepareIncrease(notice, decided, reading);
      const done = this.#disturbances.commit(prepare);
      if (!done) return this.tables.notices.get(notice.id)?.answer ?? assert.fail('it was answered before');
      if ('result' in done) return done.result;
      decided = verdictForReason(this.#tx, done.reason) ?? assert.fail(done.reason.name);
    }
  }

  #prepareIncrease(
    notice: Increment,
    decided: Verdict | undefined,
    reading: Reading,
  ): Prepared<NoticeAnswer> | undefined {
    const row = this.#readRow(this.tables.byToken(notice.token), reading);
    const loaded = this.#load(notice, this.tables.card(notice.cardId));
    if (!row || loaded.answer) return undefined;
    const verdict = decided ?? this.#judgeIncrement(notice, row, loaded);
    if (reading === 'old' && 'declined' in verdict) return undefined;
    const change = new MemoryChange(this.#memory);
    keepNotice(change, loaded.card, { notice, answer: answerOf(verdict) });
    if ('declined' in verdict) this.#declineIncrease(change, notice, row, verdict.declined);
    else {
      const facts = this.#facts(loaded.card, row.account_id);
      const available = verdict.cover === 'HELD' ? facts.available : 0n;
      const advice = { kind: 'advice', amount: row.authorized_amount + notice.amount } as const;
      applyCardTransition(
        change,
        this.#machine.require(row, advice, this.#memory.date, { ...facts, available }),
      );
      countSpending(change, loaded.card, { amount: notice.amount, increases: row.authorized_amount });
      const max = uncoveredMax(this.#tx);
      if (verdict.cover === 'UNCOVERED' && max !== null) boundUncovered(change, row.account_id, max);
    }
    return { change, result: answerOf(verdict) };
  }

  #judgeIncrement(
    { amount, merchant }: Increment,
    row: CardTransactionRow,
    loaded: LoadedAuthorization,
  ): Verdict {
    if (!isOpenRow(row) || row.direction !== 'DEBIT') return { declined: 'OTHER' };
    if (row.account_id !== loaded.account.id) return { declined: 'NO_ELIGIBLE_FUNDING_SOURCE' };
    const asked = { asks: 'DEBIT', amount, merchant, increases: row.authorized_amount } as const;
    return judgeAuthorization(this.#tx, asked, loaded);
  }

  #declineIncrease(
    change: MemoryChange,
    { id, amount }: Increment,
    { merchant, account_id, account_currency, card_id }: CardTransactionRow,
    reason: Extract<CardNotice, { kind: 'declined' }>['reason'],
  ): void {
    const owner = this.#owner(this.tables.card(card_id), {
      id: account_id,
      currency: account_currency,
    });
    const traits = { direction: 'DEBIT', kind: 'PURCHASE', token: id, merchant, amount } as const;
    const declined = newRow(change, change.newId(), owner, traits);
    const notice = { kind: 'declined', reason } as const;
    applyCardTransition(change, this.#machine.require(declined, notice, this.#memory.date, NO_FACTS));
  }

  #owner(card: CardRow, account: RowOwner['account']): RowOwner {
    return { card, platformCustomerId: 'simulated', account };
  }

  /** The in-memory implementation of `changeRows`. */
  #changeRows(notice: RowNotice, isQueued: boolean): NoticeAnswer {
    const done = this.#disturbances.commit((reading) => this.#prepareRows(notice, isQueued, reading));
    if (!done) return this.#known(notice.id)?.answer ?? { isApplied: true };
    return requireCommitted(done, `the notice "${notice.kind}"`);
  }

  #known(id: string): KeptNotice | undefined {
    return this.tables.notices.get(id);
  }

  #prepareRows(notice: RowNotice, isQueued: boolean, reading: Reading): Prepared<NoticeAnswer> | undefined {
    const card = this.tables.card(notice.cardId);
    const known = this.#known(notice.id);
    if (known && !(isQueued && known.dueAt !== undefined)) return undefined;
    const subject = this.tables.byToken(subjectOf(notice));
    const present = subject?.card_id === card.id ? subject : undefined;
    const row = this.#readRow(present, reading);
    if (reading === 'old' && !row) return undefined;
    const change = new MemoryChange(this.#memory);
    const { now } = this.#memory;
    if (row?.confirmed_at && row.confirmed_at.getTime() > now) {
      queueNotice(change, card, notice, row.confirmed_at);
      return reading === 'old' ? undefined : { change, result: { isApplied: true } };
    }
    if (!row && isAboutAuthorization(notice)) return this.#awaitAuthorization(change, card, notice, isQueued);
    const transition = this.#draft(change, card, row, notice);
    const isGuarded = [transition, ...(transition?.others ?? [])].some((each) => each?.row.id === row?.id);
    if (reading === 'old' && !isGuarded) return undefined;
    return { change, result: this.#collectReport(change, { card, row, notice, transition }) };
  }

  #collectReport(change: MemoryChange, { card, row, notice, transition }: Reported): NoticeAnswer {
    if (transition) {
      this.#openReceivables(transition);
      applyCardTransition(change, transition);
    } else noteWithoutEffect(change, notice);
    const raised = transition && row ? transition.row.authorized_amount - row.authorized_amount : 0n;
    if (notice.kind === 'advice' && row?.direction === 'DEBIT' && raised > 0n)
      countAdvice(change, card, raised);
    const answer = { isApplied: transition !== undefined };
    keepNotice(change, card, { notice, answer });
    return answer;
  }

  #readRow(row: CardTransactionRow | undefined, reading: Reading): CardTransactionRow | undefined {
    return row && reading === 'old' ? this.#memory.previous<CardTransactionRow>(TABLE, row.id) : row;
  }

  #awaitAuthorization(
    change: MemoryChange,
    card: CardRow,
    notice: RowNotice,
    isQueued: boolean,
  ): Prepared<NoticeAnswer> {
    if (isQueued) {
      noteWithoutEffect(change, notice);
      keepNotice(change, card, { notice, answer: { isApplied: false } });
      return { change, result: { isApplied: false } };
    }
    const dueAt = new Date(this.#memory.now + EARLY_MS);
    keepNotice(change, card, { notice, dueAt, isEarly: true });
    schedule(change, { kind: RECEIVE_NOTICES, payload: { cardId: card.id }, dueAt });
    touchCard(change, card);
    return { change, result: { isApplied: true } };
  }

  /** As `applyReport`, by this machine. */
  #draft(
    change: MemoryChange,
    card: CardRow,
    row: CardTransactionRow | undefined,
    notice: RowNotice,
  ): CardTransition | undefined {
    const id = row?.account_id ?? card.funding_source;
    const currency = this.#memory.accounts.get(id)?.currency ?? '';
    const token = this.tables.byToken(notice.token) ? notice.id : notice.token;
    const originalId = notice.kind === 'return_reversal' ? row?.original_id : undefined;
    const facts: CardFacts = {
      ...this.#facts(card, id),
      purchase: originalId ? this.tables.rows.get(originalId) : undefined,
      newRow: (traits) =>
        newRow(change, change.newId(), this.#owner(card, { id, currency }), { ...traits, token }),
    };
    const { date } = this.#memory;
    const changed = row && this.#machine.advance(row, notice, date, facts);
    if (changed || !('merchant' in notice)) return changed;
    const direction = directionOf(notice);
    const kind = direction === 'DEBIT' ? 'PURCHASE' : 'CREDIT';
    const own = facts.newRow({ direction, kind, merchant: notice.merchant, amount: notice.amount });
    return this.#machine.advance(own, notice, date, facts);
  }

  /** The in-memory implementation of `lockFacts`. */
  #facts(card: LoadedAuthorization['card'], accountId: AccountId): CardFacts {
    const { status, currency } = this.#memory.accounts.get(accountId) ?? assert.fail('a row has an account');
    const hasKey = this.tables.keys.has(card.id) && card.funding_source === accountId;
    const debtAccount = receivableAccount(card.customer_id, currency);
    const debt = this.#memory.balanceOf(debtAccount, currency);
    return {
      ...NO_FACTS,
      available: this.#memory.balanceOf(`AVAIL:${accountId}`, currency),
      mayDraw: mayDraw({ status, type: typeOf(currency), hasKey }),
      isClosed: status === 'CLOSED',
      debt: debt > 0n ? { account: debtAccount, balance: debt } : undefined,
    };
  }

  #openReceivables(transition: CardTransition): void {
    for (const { entries } of [transition, ...transition.others]) {
      for (const { account, currency, side } of entries.flatMap(({ lines }) => lines)) {
        if (account.startsWith('RECEIVABLE:') && side === 'DEBIT')
          this.#memory.openLedgerAccount(account, currency);
      }
    }
  }

  #expire(id: TransactionId): void {
    this.#disturbances.commit((reading) => {
      const row = this.#readRow(this.tables.rows.get(id), reading);
      if (!row?.hold_expires_at || row.hold_expires_at.getTime() > this.#memory.now) return undefined;
      const transition = this.#machine.advance(row, { kind: 'expiry' }, this.#memory.date, NO_FACTS);
      if (!transition) return undefined;
      const change = new MemoryChange(this.#memory);
      applyCardTransition(change, transition);
      return { change, result: true };
    });
  }

  /** The parent of a simulated notice, after all that was accepted earlier (src/edge/sandbox/cards/parents.ts). */
  parent(cardId: CardId, token: string): CardTransactionRow | undefined {
    const row = this.tables.byToken(token);
    if (row?.card_id !== cardId) return undefined;
    return this.tables.pending(cardId).reduce((before, { notice }) => this.#after(before, notice), row);
  }

  #after(row: CardTransactionRow, notice: NetworkNotice): CardTransactionRow {
    if (notice.kind === 'authorization' || notice.kind === 'increment') return row;
    if (notice.kind === 'return_reversal' && notice.purchaseToken === row.token) {
      return { ...row, returned: row.returned - notice.amount };
    }
    if (subjectOf(notice) !== row.token) return row;
    const facts = {
      ...NO_FACTS,
      available: 2n ** 62n,
      mayDraw: true,
      newRow: () => ({ ...row, version: 0n }),
    };
    const after = this.#machine.advance(row, notice, this.#memory.date, facts);
    return after?.row ?? row;
  }
}

interface Decided {
  readonly notice: Authorization;
  readonly loaded: LoadedAuthorization;
  readonly verdict: Verdict;
}

interface Reported {
  readonly card: CardRow;
  readonly row: CardTransactionRow | undefined;
  readonly notice: RowNotice;
  readonly transition: CardTransition | undefined;
}

function typeOf(currency: string): string {
  return currency === ('USDB' satisfies Currency) ? WALLET : 'STANDARD';
}

function traitsOf({ asks, token, merchant, amount }: Authorization) {
  const kinds = { DEBIT: 'PURCHASE', CREDIT: 'CREDIT', INQUIRY: 'INQUIRY' } as const;
  const direction = asks === 'CREDIT' ? 'CREDIT' : 'DEBIT';
  return { direction, kind: kinds[asks], token, merchant, amount } as const;
}

function directionOf(notice: Extract<RowNotice, { merchant: unknown }>): 'DEBIT' | 'CREDIT' {
  if (notice.kind === 'clearing') return notice.direction;
  return notice.kind === 'return' ? 'CREDIT' : 'DEBIT';
}

function isAboutAuthorization(notice: RowNotice): boolean {
  const { kind } = notice;
  return kind !== 'return' && kind !== 'return_reversal' && (kind !== 'clearing' || notice.amount === 0n);
}

function noteWithoutEffect(change: MemoryChange, { cardId }: RowNotice): void {
  audit(change, { action: 'card message without effect', resource: publicId('Card', cardId) });
}
