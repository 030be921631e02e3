/** What a bank sends, written by code that shares nothing with the readers. */

export interface BankEntry {
  /** In cents, as text. */
  readonly amount: string;
  readonly side: 'CRDT' | 'DBIT';
  readonly reference?: string;
  readonly status?: string;
  readonly reversal?: boolean;
  readonly batch?: { readonly messageId?: string; readonly paymentInformationId?: string };
  readonly family?: string;
  /** The day on which it was booked, if that is not the day of the statement. */
  readonly on?: string;
  readonly details?: readonly BankDetail[];
}

export interface BankDetail {
  readonly amount?: string;
  readonly reference?: string;
  readonly endToEndId?: string;
  readonly name?: string;
  readonly iban?: string;
  readonly remittance?: string;
  readonly returned?: string;
}

export interface BankStatement {
  readonly id: string;
  readonly iban: string;
  readonly currency?: string;
  readonly day: string;
  /** The first day, if the statement has several. */
  readonly from?: string;
  readonly opening?: string;
  readonly closing?: string;
  readonly entries: readonly BankEntry[];
  /** `08` unless set. */
  readonly version?: string;
  readonly message?: '052' | '053' | '054';
}

const SHAPES = {
  '052': { root: 'BkToCstmrAcctRpt', part: 'Rpt' },
  '053': { root: 'BkToCstmrStmt', part: 'Stmt' },
  '054': { root: 'BkToCstmrDbtCdtNtfctn', part: 'Ntfctn' },
} as const;

export function bankStatement(statement: BankStatement): string {
  const {
    id,
    iban,
    currency = 'EUR',
    day,
    from = day,
    opening,
    closing,
    entries,
    version = '08',
    message = '053',
  } = statement;
  const { root, part } = SHAPES[message];
  const isOld = version < '08';
  const balance = (type: string, cents: string | undefined, on = day) =>
    cents === undefined
      ? ''
      : `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${euros(cents.replace('-', ''))}</Amt>` +
        `<CdtDbtInd>${cents.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`;
  const account = `<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.${version}">` +
    `<${root}><GrpHdr><MsgId>M-${id}</MsgId><CreDtTm>${day}T22:00:00+01:00</CreDtTm></GrpHdr><${part}><Id>${id}</Id>` +
    `<CreDtTm>${day}T22:00:00+01:00</CreDtTm>${account}${balance('OPBD', opening, from)}${balance('CLBD', closing)}` +
    entries.map((entry) => writeEntry(entry, { day, currency, isOld })).join('') +
    `</${part}></${root}></Document>`
  );
}

interface Around {
  readonly day: string;
  readonly currency: string;
  readonly isOld: boolean;
}

function writeEntry(entry: BankEntry, { day, currency, isOld }: Around): string {
  const {
    amount,
    side,
    reference,
    status = 'BOOK',
    reversal = false,
    batch,
    family = 'RCDT',
    on = day,
    details = [],
  } = entry;
  const btch =
    batch && `<Btch>${tag('MsgId', batch.messageId)}${tag('PmtInfId', batch.paymentInformationId)}</Btch>`;
  return (
    `<Ntry><Amt Ccy="${currency}">${euros(amount)}</Amt><CdtDbtInd>${side}</CdtDbtInd>` +
    (reversal ? '<RvslInd>true</RvslInd>' : '') +
    `<Sts>${isOld ? status : `<Cd>${status}</Cd>`}</Sts><BookgDt><Dt>${on}</Dt></BookgDt><ValDt><Dt>${on}</Dt></ValDt>` +
    `${tag('AcctSvcrRef', reference)}<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>` +
    (btch === undefined && details.length === 0
      ? ''
      : `<NtryDtls>${btch ?? ''}${details.map((detail) => writeDetail(detail, side, { day, currency, isOld })).join('')}</NtryDtls>`) +
    '</Ntry>'
  );
}

function writeDetail(detail: BankDetail, side: string, { currency, isOld }: Around): string {
  const { amount, reference, endToEndId, name, iban, remittance, returned } = detail;
  const role = side === 'CRDT' ? 'Dbtr' : 'Cdtr';
  const named = tag('Nm', name);
  return (
    `<TxDtls><Refs>${tag('AcctSvcrRef', reference)}${tag('EndToEndId', endToEndId)}</Refs>` +
    (amount === undefined
      ? ''
      : `<Amt Ccy="${currency}">${euros(amount)}</Amt><CdtDbtInd>${side}</CdtDbtInd>`) +
    (name === undefined && iban === undefined
      ? ''
      : `<RltdPties>${named && `<${role}>${isOld ? named : `<Pty>${named}</Pty>`}</${role}>`}` +
        `${iban === undefined ? '' : `<${role}Acct><Id><IBAN>${iban}</IBAN></Id></${role}Acct>`}</RltdPties>`) +
    (remittance === undefined ? '' : `<RmtInf>${tag('Ustrd', remittance)}</RmtInf>`) +
    (returned === undefined ? '' : `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`) +
    '</TxDtls>'
  );
}

export interface BankStatus {
  readonly messageId: string;
  readonly file?: readonly [status: string, reason?: string];
  readonly payment?: readonly [id: string, status?: string, reason?: string];
  readonly transfers?: readonly (readonly [endToEndId: string, status: string, reason?: string])[];
  readonly version?: string;
}

export function bankStatus({ messageId, file, payment, transfers = [], version = '10' }: BankStatus): string {
  const reason = (code: string | undefined) =>
    code === undefined ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;
  const lines = transfers
    .map(
      ([endToEndId, status, code]) =>
        `<TxInfAndSts>${tag('OrgnlEndToEndId', endToEndId)}${tag('TxSts', status)}${reason(code)}</TxInfAndSts>`,
    )
    .join('');
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt>` +
    `<GrpHdr><MsgId>S-1</MsgId><CreDtTm>2026-03-02T12:00:00</CreDtTm></GrpHdr>` +
    `<OrgnlGrpInfAndSts>${tag('OrgnlMsgId', messageId)}<OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>` +
    `${tag('GrpSts', file?.[0])}${reason(file?.[1])}</OrgnlGrpInfAndSts>` +
    (payment === undefined && lines === ''
      ? ''
      : `<OrgnlPmtInfAndSts>${tag('OrgnlPmtInfId', payment?.[0] ?? 'X')}${tag('PmtInfSts', payment?.[1])}${reason(payment?.[2])}${lines}</OrgnlPmtInfAndSts>`) +
    '</CstmrPmtStsRpt></Document>'
  );
}

/** Returns (`R01`) and notifications of change (`C01`) of entries, by trace number. */
export function nachaReturns(
  items: readonly { trace: string; amount: string; code: string; debit?: boolean }[],
): string {
  const names = `${'CORRIDOR'.padEnd(23)}${'FIRST BANK'.padEnd(23)}${''.padEnd(8)}`;
  const lines = [`1011234567890 0210000212603051005A094101${names}`];
  lines.push(
    '5200CORRIDOR                            1234567890PPDPAYOUT    260305260305   1021000020000001',
  );
  let hash = 0n;
  let credits = 0n;
  let debits = 0n;
  for (const [index, { trace, amount, code, debit = false }] of items.entries()) {
    const cents = code.startsWith('C') ? '0' : amount;
    hash += 2_600_959n;
    if (debit) debits += BigInt(cents);
    else credits += BigInt(cents);
    const own = `02100002${String(index + 1).padStart(7, '0')}`;
    lines.push(
      `6${debit ? '26' : '21'}026009593${'123456789'.padEnd(17)}${cents.padStart(10, '0')}${''.padEnd(15)}${'NAME'.padEnd(22)}  1${own}`,
    );
    lines.push(
      `7${code.startsWith('C') ? '98' : '99'}${code}${trace}${''.padEnd(6)}02600959${''.padEnd(44)}${own}`,
    );
  }
  const sums = [
    hash.toString().padStart(10, '0'),
    debits.toString().padStart(12, '0'),
    credits.toString().padStart(12, '0'),
  ];
  lines.push(
    `8200${String(items.length * 2).padStart(6, '0')}${sums.join('')}1234567890${''.padEnd(25)}021000020000001`,
  );
  const blocks = Math.ceil((lines.length + 1) / 10);
  lines.push(
    `9000001${String(blocks).padStart(6, '0')}${String(items.length * 2).padStart(8, '0')}${sums.join('')}${''.padEnd(39)}`,
  );
  while (lines.length % 10 !== 0) lines.push('9'.repeat(94));
  return `${lines.join('\n')}\n`;
}

function tag(name: string, text: string | undefined): string {
  if (text === undefined) return '';
  return `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`;
}

function euros(cents: string): string {
  const digits = cents.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
