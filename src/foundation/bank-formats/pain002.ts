import { findAll, needText, textOf, type XmlNode } from '#foundation/bank-formats/xml-reader.ts';

/** Reads the bank's report about a file of ours, as pain.002 (bank-files.md §4.5). */

export interface StatusOf {
  /** Such as `RJCT` or `ACSC`; absent where only parts have one. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  /** The bank says that it has the same already. */
  readonly isDuplicate: boolean;
}

export interface TransferStatus extends StatusOf {
  readonly endToEndId: string;
  readonly bankReference: string | undefined;
  readonly line: number;
}

export interface StatusReport {
  readonly kind: 'STATUS';
  readonly messageId: string;
  readonly file: StatusOf;
  readonly payments: readonly (StatusOf & { readonly id: string })[];
  readonly transfers: readonly TransferStatus[];
}

export const PAIN_002_PIECES: ReadonlySet<string> = new Set(['TxInfAndSts']);

/** Transfers were read before their report ends. */
export function readPain002(report: XmlNode, transfers: readonly TransferStatus[]): StatusReport {
  const [group] = findAll(report, 'OrgnlGrpInfAndSts');
  const payments = findAll(report, 'OrgnlPmtInfAndSts');
  return {
    kind: 'STATUS',
    messageId: needText(group ?? report, ...(group ? [] : ['OrgnlGrpInfAndSts']), 'OrgnlMsgId'),
    file: { status: textOf(group, 'GrpSts'), ...reasonOf(group) },
    payments: payments.map((payment) => ({
      id: needText(payment, 'OrgnlPmtInfId'),
      status: textOf(payment, 'PmtInfSts'),
      ...reasonOf(payment),
    })),
    transfers,
  };
}

export function readTransferStatus(node: XmlNode): TransferStatus {
  return {
    endToEndId: needText(node, 'OrgnlEndToEndId'),
    status: textOf(node, 'TxSts'),
    ...reasonOf(node),
    bankReference: textOf(node, 'AcctSvcrRef'),
    line: node.line,
  };
}

/** Codes for duplicates: of anything, a message, a payment, a transaction, an `EndToEndId`, an instruction. */
const DUPLICATES = new Set(['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05']);

function reasonOf(node: XmlNode | undefined): Omit<StatusOf, 'status'> {
  const reasons = findAll(node, 'StsRsnInf').map(
    (each) => textOf(each, 'Rsn', 'Cd') ?? textOf(each, 'Rsn', 'Prtry'),
  );
  return { reason: reasons[0], isDuplicate: reasons.some((reason) => DUPLICATES.has(reason ?? '')) };
}

/** Reasons of a rejection, as the API names them. */
const REASONS: Readonly<Record<string, string>> = {
  ...{ AC01: 'ACCOUNT_INVALID', AC03: 'ACCOUNT_INVALID', BE01: 'ACCOUNT_INVALID' },
  ...{ AC04: 'ACCOUNT_CANNOT_RECEIVE', AC06: 'ACCOUNT_CANNOT_RECEIVE' },
  ...{ AC07: 'ACCOUNT_CANNOT_RECEIVE', AG01: 'ACCOUNT_CANNOT_RECEIVE' },
  ...{ RR01: 'COMPLIANCE_REJECTED', RR02: 'COMPLIANCE_REJECTED' },
  ...{ RR03: 'COMPLIANCE_REJECTED', RR04: 'COMPLIANCE_REJECTED' },
};

export function failureOf(reason: string | undefined): string {
  return REASONS[reason ?? ''] ?? 'QUOTE_EXECUTION_FAILED';
}
