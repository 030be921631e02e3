import { type CharacterSet, writeText } from '#foundation/bank-formats/characters.ts';
import { decimalAmount, NO_OWN_CURRENCIES } from '#foundation/lib/currencies.ts';
import { branch, leaf, type Xml, xml } from '#foundation/lib/xml.ts';

/** Credit transfers for a bank, as pain.001.001.09 (bank-files.md §3.2). */

export const PAIN_VARIANTS = ['SEPA', 'SEPA_INSTANT', 'GENERIC'] as const;
export type PainVariant = (typeof PAIN_VARIANTS)[number];

export interface BankAccount {
  readonly iban?: string | undefined;
  /** The number of an account that has no IBAN. */
  readonly number?: string | undefined;
  readonly bic?: string | undefined;
  /** The bank in its country's clearing, such as `USABA` with a routing number. */
  readonly clearing?: { readonly system: string; readonly member: string } | undefined;
}

export interface PostalAddress {
  readonly street?: string | undefined;
  readonly building?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly town?: string | undefined;
  readonly region?: string | undefined;
  readonly country?: string | undefined;
}

export interface CreditTransfer {
  readonly endToEndId: string;
  readonly amount: bigint;
  readonly originator: string;
  readonly beneficiary: BankAccount & { readonly name: string; readonly address?: PostalAddress | undefined };
  readonly purpose?: string | undefined;
  readonly remittance?: string | undefined;
}

export interface CreditTransferFile {
  readonly variant: PainVariant;
  readonly characters: CharacterSet;
  readonly messageId: string;
  readonly paymentInformationId: string;
  readonly createdAt: Date;
  /** The banking day on which the bank is to pay. */
  readonly executionDay: string;
  readonly batchBooking: boolean;
  readonly currency: string;
  readonly debtor: BankAccount & { readonly name: string };
  readonly transfers: readonly CreditTransfer[];
}

/** An element, or nothing where its content is absent. */
type Markup = Xml | undefined;

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
const REMITTANCE_MAX = 140;

/** How many characters of a name the variant takes. */
export function nameMax(variant: PainVariant): number {
  return variant === 'GENERIC' ? 140 : 70;
}

export function writePain001(file: CreditTransferFile): Buffer {
  const sums = [
    leaf('NbOfTxs', String(file.transfers.length)),
    leaf(
      'CtrlSum',
      amountIn(
        file,
        file.transfers.reduce((sum, { amount }) => sum + amount, 0n),
      ),
    ),
  ];
  const header = branch('GrpHdr', [
    leaf('MsgId', file.messageId),
    leaf('CreDtTm', `${file.createdAt.toISOString().slice(0, 19)}Z`),
    ...sums,
    branch('InitgPty', [leaf('Nm', text(file, file.debtor.name))]),
  ]);
  const message = branch('CstmrCdtTrfInitn', [header, writePayment(file, sums)]);
  const document = xml`<Document xmlns="${NAMESPACE}">${message}</Document>`;
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${document.text}\n`);
}

function amountIn({ currency }: CreditTransferFile, minor: bigint): string {
  return decimalAmount(minor, currency, NO_OWN_CURRENCIES);
}

function writePayment(file: CreditTransferFile, sums: readonly Markup[]): Markup {
  const { debtor, variant } = file;
  return branch('PmtInf', [
    leaf('PmtInfId', file.paymentInformationId),
    leaf('PmtMtd', 'TRF'),
    leaf('BtchBookg', String(file.batchBooking)),
    ...sums,
    variant === 'GENERIC'
      ? undefined
      : branch('PmtTpInf', [
          branch('SvcLvl', [leaf('Cd', 'SEPA')]),
          variant === 'SEPA_INSTANT' ? branch('LclInstrm', [leaf('Cd', 'INST')]) : undefined,
        ]),
    branch('ReqdExctnDt', [leaf('Dt', file.executionDay)]),
    branch('Dbtr', [leaf('Nm', text(file, debtor.name))]),
    writeAccount('DbtrAcct', debtor),
    writeAgent('DbtrAgt', debtor) ?? NO_AGENT,
    leaf('ChrgBr', variant === 'GENERIC' ? 'SHAR' : 'SLEV'),
    ...file.transfers.map((transfer) => writeTransfer(file, transfer)),
  ]);
}

/** The bank that keeps the account knows itself by the IBAN. */
const NO_AGENT = branch('DbtrAgt', [branch('FinInstnId', [branch('Othr', [leaf('Id', 'NOTPROVIDED')])])]);

function writeTransfer(file: CreditTransferFile, transfer: CreditTransfer): Markup {
  const { beneficiary, purpose, remittance = '' } = transfer;
  const isGeneric = file.variant === 'GENERIC';
  return branch('CdtTrfTxInf', [
    branch('PmtId', [leaf('EndToEndId', transfer.endToEndId)]),
    branch('Amt', [leaf('InstdAmt', amountIn(file, transfer.amount), xml` Ccy="${file.currency}"`)]),
    branch('UltmtDbtr', [leaf('Nm', text(file, transfer.originator))]),
    // Within SEPA the IBAN is enough to say which bank it is.
    isGeneric ? writeAgent('CdtrAgt', beneficiary) : undefined,
    branch('Cdtr', [
      leaf('Nm', text(file, beneficiary.name)),
      isGeneric ? writeAddress(file, beneficiary.address) : undefined,
    ]),
    writeAccount('CdtrAcct', beneficiary),
    isGeneric ? writePurpose(purpose) : undefined,
    branch('RmtInf', [leaf('Ustrd', writeText(remittance, file.characters, REMITTANCE_MAX))]),
  ]);
}

function text({ characters, variant }: CreditTransferFile, name: string): string {
  return writeText(name, characters, nameMax(variant));
}

function writeAccount(name: string, { iban, number }: BankAccount): Markup {
  return branch(name, [
    branch('Id', [iban === undefined ? branch('Othr', [leaf('Id', number)]) : leaf('IBAN', iban)]),
  ]);
}

function writeAgent(name: string, { bic, clearing }: BankAccount): Markup {
  return branch(name, [
    branch('FinInstnId', [
      leaf('BICFI', bic),
      clearing &&
        branch('ClrSysMmbId', [
          branch('ClrSysId', [leaf('Cd', clearing.system)]),
          leaf('MmbId', clearing.member),
        ]),
    ]),
  ]);
}

function writeAddress({ characters }: CreditTransferFile, address: PostalAddress = {}): Markup {
  const part = (value: string | undefined, max: number) => writeText(value ?? '', characters, max);
  return branch('PstlAdr', [
    leaf('StrtNm', part(address.street, 70)),
    leaf('BldgNm', part(address.building, 35)),
    leaf('PstCd', part(address.postalCode, 16)),
    leaf('TwnNm', part(address.town, 35)),
    leaf('CtrySubDvsn', part(address.region, 35)),
    leaf('Ctry', address.country),
  ]);
}

const PURPOSE_CODE = /^[A-Z0-9]{4}$/;

function writePurpose(purpose: string | undefined): Markup {
  if (purpose === undefined) return undefined;
  const name = PURPOSE_CODE.test(purpose) ? 'Cd' : 'Prtry';
  return branch('Purp', [leaf(name, writeText(purpose, 'basic', 35))]);
}
