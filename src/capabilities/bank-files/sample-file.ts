import { executionDay, localTime, nextCutOff } from '#capabilities/bank-files/calendar.ts';
import { nachaBytes, type OrderInFile, painBytes } from '#capabilities/bank-files/file-bytes.ts';
import { prepareOrder } from '#capabilities/bank-files/prepare-order.ts';
import {
  type AccountProfile,
  numberOf,
  type Profile,
  type RailProfile,
} from '#capabilities/bank-files/profile.ts';
import { withoutHyphens } from '#capabilities/bank-files/row.ts';
import { hasName, writeText } from '#foundation/bank-formats/characters.ts';
import { readAmount } from '#foundation/bank-formats/read-amount.ts';
import { find, findAll, needText, readXml, textOf } from '#foundation/bank-formats/xml-reader.ts';
import type { OrderKind } from '#foundation/connector-protocol/capabilities.ts';
import type { OrderBody } from '#foundation/connector-protocol/orders.ts';
import { newUuid } from '#foundation/lib/ids.ts';

/** A file with one invented order, as the service writes it by the profile (bank-files.md §9.5). */

export interface SampleUse {
  readonly account: AccountProfile;
  readonly rail: RailProfile;
  readonly kind: OrderKind;
}

export interface SampleFile extends SampleUse {
  readonly name: string;
  readonly bytes: Buffer;
  readonly order: OrderInFile;
  readonly messageId: string;
}

/** Every settlement account, rail and kind of order that the profile combines. */
export function listUses({ settlementAccounts, rails }: Profile): SampleUse[] {
  return rails.flatMap((rail) =>
    rail.settlementAccounts.flatMap((id) => {
      const account = settlementAccounts.find((each) => each.id === id);
      return account ? rail.kinds.map((kind) => ({ account, rail, kind })) : [];
    }),
  );
}

/** The file, or why the profile gives none. */
export function writeSample(profile: Profile, use: SampleUse, now: Date): SampleFile | string {
  const { account, rail, kind } = use;
  const body = sampleOrder(use, now);
  const prepared = prepareOrder(profile, body, undefined);
  if (prepared.kind === 'REFUSED') return prepared.reason;
  if (prepared.kind === 'FAILED') return holderFault(use) ?? 'a name has no letter or digit left';
  const order = { reference: newUuid() as string, amount: BigInt(body.amount), content: prepared.content };
  const { at } = nextCutOff(rail, account.zone, now);
  const file = { account, rail, executionDay: executionDay(rail, account.zone, at, at), orders: [order] };
  const messageId = withoutHyphens(newUuid());
  const bytes =
    rail.format === 'NACHA'
      ? nachaSample(use, file, now)
      : painBytes(file, { messageId, paymentInformationId: withoutHyphens(newUuid()), createdAt: now });
  if (!bytes) return 'the settlement account has no nacha';
  const name = `${account.id}-${rail.rail.toLowerCase()}-${kind.toLowerCase()}-sample`;
  return { ...use, name, bytes, order, messageId };
}

function nachaSample(
  { account, kind }: SampleUse,
  file: Parameters<typeof nachaBytes>[0],
  now: Date,
): Buffer | undefined {
  const { nacha: originator, zone } = account;
  if (!originator) return undefined;
  const { day, time } = localTime(now, zone);
  return nachaBytes(file, { originator, isDebit: kind === 'COLLECTION', modifier: 'A', day, time, first: 1 });
}

const USUAL_AMOUNT = 1_000n;

function sampleAmount({ min = '1', max }: RailProfile): bigint {
  const least = BigInt(min) > USUAL_AMOUNT ? BigInt(min) : USUAL_AMOUNT;
  return max !== undefined && BigInt(max) < least ? BigInt(max) : least;
}

function sampleOrder({ account, rail, kind }: SampleUse, now: Date): OrderBody {
  const common = {
    ...{ amount: sampleAmount(rail).toString(), currency: rail.currency, rail: rail.rail },
    ...{ settlementAccount: account.id, platform: 'Platform:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5901' },
    requestedAt: now.toISOString(),
  };
  const outside = {
    ...{ type: 'PERSON', name: 'Grace Hopper', accountType: `${rail.currency}_ACCOUNT` },
    fields: samplePayee(rail),
  };
  const ours = { type: 'PERSON', name: 'Ada Lovelace' };
  const bodies = {
    PAYOUT: { originator: ours, beneficiary: outside, purpose: 'GIFT', remittance: 'Sample, do not execute' },
    COLLECTION: { debtor: outside, creditor: ours, authorizedAt: now.toISOString() },
    REFUND: { of: 'sample', beneficiary: outside },
  };
  return { kind, ...common, ...bodies[kind] } as OrderBody;
}

function samplePayee({ format }: RailProfile): Record<string, string> {
  if (format === 'NACHA') return { accountNumber: '000123456', routingNumber: '021000021' };
  if (format !== 'GENERIC') return { iban: 'DE89370400440532013000' };
  return { accountNumber: '000123456', swiftCode: 'DEUTDEFF' };
}

/** Banks compare the holder's name; undefined if something of it is left. */
function holderFault({ account: { name }, rail: { characters = 'basic', format } }: SampleUse) {
  const set = format === 'NACHA' ? 'basic' : characters;
  const written = writeText(name, set, 140);
  if (hasName(written)) return undefined;
  return `the holder ${name} becomes ${written || 'nothing'} in ${set} characters`;
}

/** Returns what is wrong with a sample. It reads the sample by code that shares nothing with the writers. */
export function faultsOf(sample: SampleFile): string[] {
  const fault = holderFault(sample);
  const others = sample.rail.format === 'NACHA' ? nachaFaults(sample) : painFaults(sample);
  return fault === undefined ? others : [fault, ...others];
}

function painFaults({ bytes, account, rail, order, messageId }: SampleFile): string[] {
  const { root, namespace } = readXml(bytes, { pieces: new Set(), onPiece() {} });
  const message = find(root, 'CstmrCdtTrfInitn');
  const payment = find(message, 'PmtInf');
  const transfer = find(payment, 'CdtTrfTxInf');
  const amount = find(transfer, 'Amt', 'InstdAmt');
  const read = (text: string | undefined) => readAmount(text ?? '', rail.currency);
  const debtor = textOf(payment, 'DbtrAcct', 'Id', 'IBAN') ?? textOf(payment, 'DbtrAcct', 'Id', 'Othr', 'Id');
  const expected: [what: string, found: unknown, wanted: unknown][] = [
    ['the namespace', namespace, 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'],
    ['MsgId', textOf(message, 'GrpHdr', 'MsgId'), messageId],
    ['NbOfTxs of the file', textOf(message, 'GrpHdr', 'NbOfTxs'), '1'],
    ['CtrlSum of the file', read(textOf(message, 'GrpHdr', 'CtrlSum')), order.amount],
    ['CtrlSum of the payment', read(textOf(payment, 'CtrlSum')), order.amount],
    ['the number of transfers', findAll(payment, 'CdtTrfTxInf').length, 1],
    ['the debtor’s account', numberOf({ number: debtor ?? '' }), numberOf(account)],
    ['EndToEndId', transfer && needText(transfer, 'PmtId', 'EndToEndId'), withoutHyphens(order.reference)],
    ['InstdAmt', read(amount?.text), order.amount],
    ['its currency', amount?.attributes.Ccy, rail.currency],
  ];
  return expected
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what} is ${found ?? 'absent'} instead of ${wanted}`);
}

const WIDTH = 94;
const BLOCK = 10;
/** Where an entry has the bank of the account, its number, and the amount in cents. */
const ENTRY = { routing: [3, 12], account: [12, 29], amount: [29, 39] } as const;
/** Where the last record has the hash of entries, debits and credits. */
const CONTROL = { hash: [21, 31], debits: [31, 43], credits: [43, 55] } as const;

function nachaFaults({ bytes, kind, order }: SampleFile): string[] {
  const lines = bytes.toString('latin1').replace(/\n$/, '').split('\n');
  const entry = lines.find((line) => line.startsWith('6')) ?? '';
  const control = lines.find((line) => line.startsWith('9') && !/^9{94}$/.test(line)) ?? '';
  const { clearing, number } = order.content.account;
  const cents = order.amount.toString();
  const isDebit = kind === 'COLLECTION';
  const at = (line: string, [from, to]: readonly [number, number]) => line.slice(from, to);
  const expected: [what: string, found: string, wanted: string][] = [
    ['the width of lines', lines.find((line) => line.length !== WIDTH)?.length.toString() ?? '94', '94'],
    ['lines beyond whole blocks', (lines.length % BLOCK).toString(), '0'],
    ['the routing number', at(entry, ENTRY.routing), clearing?.member ?? ''],
    ['the account', at(entry, ENTRY.account).trimEnd(), number ?? ''],
    ['the amount', at(entry, ENTRY.amount), cents.padStart(10, '0')],
    [
      'the hash of entries',
      at(control, CONTROL.hash),
      (clearing?.member ?? '').slice(0, 8).padStart(10, '0'),
    ],
    ['the sum of debits', at(control, CONTROL.debits), (isDebit ? cents : '0').padStart(12, '0')],
    ['the sum of credits', at(control, CONTROL.credits), (isDebit ? '0' : cents).padStart(12, '0')],
  ];
  return expected
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what} is ${found} instead of ${wanted}`);
}
