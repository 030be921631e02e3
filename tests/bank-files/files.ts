import type { NachaFile } from '#foundation/bank-formats/nacha-writer.ts';
import type { CreditTransfer, CreditTransferFile } from '#foundation/bank-formats/pain001.ts';

/** Files that tests write. */

export const CREATED_AT = new Date('2026-03-02T10:05:07.123Z');

export const ONE_TRANSFER: CreditTransfer = {
  endToEndId: '0190a5d27a107c319f0e1d2c3b4a5968',
  amount: 12_550n,
  originator: 'Ada Lovelace',
  beneficiary: { name: 'Grace Hopper', iban: 'DE89370400440532013000' },
  remittance: 'Invoice 4711',
};

export const SEPA_FILE: CreditTransferFile = {
  ...{ variant: 'SEPA', characters: 'basic', currency: 'EUR' },
  messageId: '0190a5d27a107c319f0e000000000001',
  paymentInformationId: '0190a5d27a107c319f0e000000000002',
  createdAt: CREATED_AT,
  executionDay: '2026-03-03',
  batchBooking: true,
  debtor: { name: 'Corridor Payments GmbH', iban: 'DE35370400440532013002', bic: 'COBADEFFXXX' },
  transfers: [
    ONE_TRANSFER,
    {
      ...ONE_TRANSFER,
      endToEndId: '0190a5d27a107c319f0e1d2c3b4a5969',
      amount: 1n,
      beneficiary: { name: 'Société Générale & Söhne <Zürich>', iban: 'FR1420041010050500013M02606' },
      remittance: undefined,
    },
  ],
};

export const GENERIC_FILE: CreditTransferFile = {
  ...SEPA_FILE,
  ...{ variant: 'GENERIC', characters: 'utf8', currency: 'KWD', batchBooking: false },
  debtor: {
    name: 'Corridor Payments',
    number: '000123456',
    clearing: { system: 'USABA', member: '021000021' },
  },
  transfers: [
    {
      ...ONE_TRANSFER,
      purpose: 'GDDS',
      beneficiary: {
        ...{ name: '株式会社サンプル', number: '1234567', bic: 'BOTKJPJT' },
        address: { street: '1-2-3 Marunouchi', town: 'Tokyo', postalCode: '100-0005', country: 'JP' },
      },
    },
  ],
};

export const NACHA_FILE: NachaFile = {
  originator: {
    ...{ destination: '021000021', destinationName: 'FIRST BANK', origin: '1234567890' },
    ...{ originName: 'CORRIDOR PAYMENTS', companyName: 'CORRIDOR', companyId: '1234567890' },
    ...{ description: 'PAYOUT', odfi: '02100002' },
  },
  isDebit: false,
  ...{ createdOn: '260302', createdAt: '1005', effectiveOn: '260303', modifier: 'A' },
  entries: [
    {
      ...{ isBusiness: false, isSavings: false, routingNumber: '026009593', accountNumber: '123456789' },
      ...{ amount: 12_550n, id: 'f0e1d2c3b4a5968', name: 'Grace Hopper', sequence: 1 },
      remittance: 'Invoice 4711',
    },
    {
      ...{ isBusiness: true, isSavings: true, routingNumber: '121000248', accountNumber: '99887766' },
      ...{ amount: 9_999_999_999n, id: 'f0e1d2c3b4a5969', name: 'Müller & Söhne Incorporated', sequence: 2 },
    },
  ],
};
