import type { Row } from '#tests/model/cards-model.ts';

/** The cases that one row covered. */
export function reached({ kind, receivable, authorized, settled, hold, original, events }: Row): string[] {
  return [
    ...events.map((status) => `${kind} ${status}`),
    ...(receivable > 0n ? ['owes'] : []),
    ...(events.length > 3 ? ['long'] : []),
    ...(settled !== undefined && settled > authorized ? ['cleared above'] : []),
    ...(hold > 0n ? ['holds'] : []),
    ...(original === undefined ? [] : ['linked']),
  ];
}

/** The cases that a useful run must cover. */
export const EXPECTED = [
  ...['APPROVED', 'APPLIED', 'NOTHING', 'OK', 'again', 'kill', 'claw', 'freeze', 'key', 'patch'],
  ...['DECLINED INSUFFICIENT_FUNDS', 'DECLINED CARD_NOT_ACTIVE', 'DECLINED SPEND_LIMIT_EXCEEDED'],
  ...[
    'DECLINED NO_ELIGIBLE_FUNDING_SOURCE',
    'DECLINED UNSUPPORTED_NETWORK',
    'DECLINED BLOCKED',
    'DECLINED OTHER',
  ],
  ...['TRANSACTION_NOT_FOUND', 'INVALID_INPUT', 'INVALID_AMOUNT'],
  ...['PURCHASE AUTHORIZED', 'PURCHASE PARTIALLY_SETTLED', 'PURCHASE SETTLED', 'PURCHASE EXCEPTION'],
  ...['CREDIT SETTLED', 'RETURN SETTLED', 'RETURN_REVERSAL SETTLED', 'INQUIRY SETTLED'],
  ...['owes', 'cleared above', 'linked'],
];
