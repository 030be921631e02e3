import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import * as postings from '#capabilities/payments/machine/postings.ts';
import { type Line, reversed } from '#foundation/ledger/entries.ts';
import { readRules, underConstruction } from '#tests/checks/rules.ts';
import { showLine, unbalanced } from '#tests/harness/entry-lines.ts';

/** S 10000 USD, of which Fs 100 and Fp 50 are fees; R 9000 EUR. */
const ACROSS = {
  id: 't1' as Id<never>,
  sending_currency: 'USD',
  sending_amount: 10_000n,
  receiving_currency: 'EUR',
  receiving_amount: 9_000n,
  service_fee: 100n,
  platform_fee: 50n,
  fee_account: 'platform' as AccountId,
  source: { kind: 'INTERNAL', account: 'payer' as AccountId } as const,
};
const WITHIN = { ...ACROSS, receiving_currency: 'USD', receiving_amount: 9_850n };
const NO_FEES = { service_fee: 0n, platform_fee: 0n, fee_account: null };
const PLAIN = { ...WITHIN, ...NO_FEES, receiving_amount: 10_000n };

const DEBT = { account: 'RECEIVABLE:c1:USD', balance: 300n } as const;
const SMALL_BALANCE = { account: 'platform', available: 30n, receivable: 'RECEIVABLE:c1:USD' } as const;
const AMPLE_BALANCE = {
  account: 'platform',
  available: 1_000_000n,
  receivable: 'RECEIVABLE:c1:USD',
} as const;

interface Case {
  /** The rule's number and the special feature of the case. */
  readonly named: string;
  readonly lines: readonly Line[];
  /** `+`: credit, `-`: debit. */
  readonly are: readonly string[];
}

const CASES: readonly Case[] = [
  {
    named: 'money.md §11.L1 deposit',
    lines: postings.deposit('a1', 'ACH', 'USD', 500n),
    are: ['- RAIL:ACH:USD 500 USD', '+ AVAIL:a1 500 USD'],
  },
  {
    named: 'money.md §11.L1 deposit to an owner who owes part of it (money.md §11.b)',
    lines: postings.deposit('a1', 'ACH', 'USD', 500n, DEBT),
    are: ['- RAIL:ACH:USD 500 USD', '+ RECEIVABLE:c1:USD 300 USD', '+ AVAIL:a1 200 USD'],
  },
  {
    named: 'money.md §11.L1 deposit to an owner who owes more than that (money.md §11.b)',
    lines: postings.deposit('a1', 'ACH', 'USD', 200n, DEBT),
    are: ['- RAIL:ACH:USD 200 USD', '+ RECEIVABLE:c1:USD 200 USD'],
  },
  {
    named: 'money.md §11.L2 execute',
    lines: postings.execute(ACROSS),
    are: ['- AVAIL:payer 10000 USD', '+ INFLIGHT:t1 10000 USD'],
  },
  {
    named: 'money.md §11.L3a hold',
    lines: postings.hold(ACROSS),
    are: ['- AVAIL:payer 10000 USD', '+ HOLD:payer 10000 USD'],
  },
  {
    named: 'money.md §11.L3b capture',
    lines: postings.capture(ACROSS),
    are: ['- HOLD:payer 10000 USD', '+ INFLIGHT:t1 10000 USD'],
  },
  {
    named: 'money.md §11.L3c release, the hold reversed',
    lines: reversed(postings.hold(ACROSS)),
    are: ['+ AVAIL:payer 10000 USD', '- HOLD:payer 10000 USD'],
  },
  {
    named: 'money.md §11.L4 real-time funding, by the amount that arrived; L5 pull',
    lines: postings.fund(ACROSS, 'RTP', 9_999n),
    are: ['- RAIL:RTP:USD 9999 USD', '+ INFLIGHT:t1 9999 USD'],
  },
  {
    named: 'money.md §11.L6 convert across currencies: Fs is ours, N is exchanged for R, Fp stays in flight',
    lines: postings.convert(ACROSS),
    are: [
      '- INFLIGHT:t1 9950 USD',
      '- FX:EUR 9000 EUR',
      '+ FEES:USD 100 USD',
      '+ FX:USD 9850 USD',
      '+ INFLIGHT:t1 9000 EUR',
    ],
  },
  {
    named: 'money.md §11.L6 convert across currencies without fees (money.md §11.a)',
    lines: postings.convert({ ...ACROSS, ...NO_FEES }),
    are: ['- INFLIGHT:t1 10000 USD', '- FX:EUR 9000 EUR', '+ FX:USD 10000 USD', '+ INFLIGHT:t1 9000 EUR'],
  },
  {
    named: 'money.md §11.L6 within one currency: the fee alone',
    lines: postings.convert(WITHIN),
    are: ['- INFLIGHT:t1 100 USD', '+ FEES:USD 100 USD'],
  },
  {
    named: 'money.md §11.L6 within one currency without a fee: nothing',
    lines: postings.convert(PLAIN),
    are: [],
  },
  {
    named: 'money.md §11.L7 deliver over a rail, with the platform’s fee',
    lines: postings.deliver(ACROSS, { rail: 'SEPA' }),
    are: [
      '- INFLIGHT:t1 9000 EUR',
      '- INFLIGHT:t1 50 USD',
      '+ RAIL:SEPA:EUR 9000 EUR',
      '+ AVAIL:platform 50 USD',
    ],
  },
  {
    named: 'money.md §11.L7 deliver to an internal account within one currency: one line from INFLIGHT',
    lines: postings.deliver(WITHIN, { internal: 'payee' as AccountId }),
    are: ['- INFLIGHT:t1 9900 USD', '+ AVAIL:payee 9850 USD', '+ AVAIL:platform 50 USD'],
  },
  {
    named: 'money.md §11.L7 deliver to the account that gets the fee: one credit',
    lines: postings.deliver(WITHIN, { internal: 'platform' as AccountId }),
    are: ['- INFLIGHT:t1 9900 USD', '+ AVAIL:platform 9900 USD'],
  },
  {
    named: 'money.md §11.L7 deliver to the account that gets the fee, in another currency: two',
    lines: postings.deliver(ACROSS, { internal: 'platform' as AccountId }),
    are: [
      '- INFLIGHT:t1 9000 EUR',
      '- INFLIGHT:t1 50 USD',
      '+ AVAIL:platform 9000 EUR',
      '+ AVAIL:platform 50 USD',
    ],
  },
  {
    named:
      'money.md §11.L7 deliver to a debtor, the fee to another: each repays its own debt (money.md §11.b)',
    lines: postings.deliver(
      WITHIN,
      { internal: 'payee' as AccountId, debt: DEBT },
      { account: 'RECEIVABLE:p1:USD', balance: 20n },
    ),
    are: [
      '- INFLIGHT:t1 9900 USD',
      '+ RECEIVABLE:c1:USD 300 USD',
      '+ AVAIL:payee 9550 USD',
      '+ RECEIVABLE:p1:USD 20 USD',
      '+ AVAIL:platform 30 USD',
    ],
  },
  {
    named:
      'money.md §11.L7 deliver where receiver and platform owe the same debt: it is repaid once (money.md §11.b)',
    lines: postings.deliver(
      WITHIN,
      { internal: 'payee' as AccountId, debt: { ...DEBT, balance: 9_860n } },
      { ...DEBT, balance: 9_860n },
    ),
    are: ['- INFLIGHT:t1 9900 USD', '+ RECEIVABLE:c1:USD 9860 USD', '+ AVAIL:platform 40 USD'],
  },
  {
    named: 'money.md §11.L7 deliver without fees (money.md §11.a)',
    lines: postings.deliver(PLAIN, { rail: 'ACH' }),
    are: ['- INFLIGHT:t1 10000 USD', '+ RAIL:ACH:USD 10000 USD'],
  },
  {
    named: 'money.md §11.L8 return: the fee is clawed back from the platform’s balance',
    lines: postings.returnPayout(ACROSS, 'SEPA', AMPLE_BALANCE),
    are: [
      '- RAIL:SEPA:EUR 9000 EUR',
      '+ INFLIGHT:t1 9000 EUR',
      '- AVAIL:platform 50 USD',
      '+ INFLIGHT:t1 50 USD',
    ],
  },
  {
    named:
      'money.md §11.L8 return where the platform has less than its fee: it owes the rest (money.md §11.b)',
    lines: postings.returnPayout(WITHIN, 'ACH', SMALL_BALANCE),
    are: [
      '- RAIL:ACH:USD 9850 USD',
      '+ INFLIGHT:t1 9900 USD',
      '- AVAIL:platform 30 USD',
      '- RECEIVABLE:c1:USD 20 USD',
    ],
  },
  {
    named: 'money.md §11.L8 return without a fee',
    lines: postings.returnPayout(PLAIN, 'ACH', undefined),
    are: ['- RAIL:ACH:USD 10000 USD', '+ INFLIGHT:t1 10000 USD'],
  },
  {
    named: 'money.md §11.L9 unwind: the exact mirror of L6',
    lines: reversed(postings.convert(ACROSS)),
    are: [
      '+ INFLIGHT:t1 9950 USD',
      '+ FX:EUR 9000 EUR',
      '- FEES:USD 100 USD',
      '- FX:USD 9850 USD',
      '- INFLIGHT:t1 9000 EUR',
    ],
  },
  {
    named: 'money.md §11.L10 refund due',
    lines: postings.oweRefund(ACROSS, 10_000n),
    are: ['- INFLIGHT:t1 10000 USD', '+ REFUND_PAYABLE:t1 10000 USD'],
  },
  {
    named: 'money.md §11.L11 refund paid to the internal account of a debtor (money.md §11.b)',
    lines: postings.payRefund(ACROSS, 10_000n, { internal: 'payer' as AccountId, debt: DEBT }),
    are: ['- REFUND_PAYABLE:t1 10000 USD', '+ RECEIVABLE:c1:USD 300 USD', '+ AVAIL:payer 9700 USD'],
  },
  {
    named: 'money.md §11.L11 refund paid over the rail it came from; L15, second part',
    lines: postings.payRefund(ACROSS, 10_000n, { rail: 'RTP' }),
    are: ['- REFUND_PAYABLE:t1 10000 USD', '+ RAIL:RTP:USD 10000 USD'],
  },
  {
    named: 'money.md §11.L12 refund failed',
    lines: postings.suspendRefund(ACROSS, 10_000n),
    are: ['- REFUND_PAYABLE:t1 10000 USD', '+ SUSPENSE:USD 10000 USD'],
  },
  {
    named: 'money.md §11.L19 late reversal of a pull with fees: each owner returns its part (money.md §11.b)',
    lines: postings.reverseCollection(WITHIN, 'ACH', { ...AMPLE_BALANCE, account: 'payee' }, AMPLE_BALANCE),
    are: [
      '- AVAIL:payee 9850 USD',
      '- AVAIL:platform 50 USD',
      '- FEES:USD 100 USD',
      '+ RAIL:ACH:USD 10000 USD',
    ],
  },
  {
    named: 'money.md §11.L19 late reversal of spent money: it is owed (money.md §11.b)',
    lines: postings.reverseCollection(PLAIN, 'ACH', { ...SMALL_BALANCE, account: 'payee' }, undefined),
    are: ['- AVAIL:payee 30 USD', '- RECEIVABLE:c1:USD 9970 USD', '+ RAIL:ACH:USD 10000 USD'],
  },
  {
    named: 'money.md §11.L19 late reversal from the account that got the fee: one debit',
    lines: postings.reverseCollection(WITHIN, 'ACH', AMPLE_BALANCE, AMPLE_BALANCE),
    are: ['- AVAIL:platform 9900 USD', '- FEES:USD 100 USD', '+ RAIL:ACH:USD 10000 USD'],
  },
  {
    named: 'money.md §11.L19 for an outgoing payment: its owner owes all of it (money.md §11.b)',
    lines: postings.oweCollection(ACROSS, 'ACH', 10_000n, 'RECEIVABLE:c1:USD'),
    are: ['- RECEIVABLE:c1:USD 10000 USD', '+ RAIL:ACH:USD 10000 USD'],
  },
  {
    named: 'money.md §11.L20 unmatched receipt',
    lines: postings.suspend('ACH', 'USD', 500n),
    are: ['- RAIL:ACH:USD 500 USD', '+ SUSPENSE:USD 500 USD'],
  },
  {
    named: 'money.md §11.L21 suspense resolved to an internal account, debt first',
    lines: postings.leaveSuspense('USD', 500n, { internal: 'a1' as AccountId, debt: DEBT }),
    are: ['- SUSPENSE:USD 500 USD', '+ RECEIVABLE:c1:USD 300 USD', '+ AVAIL:a1 200 USD'],
  },
  {
    named: 'money.md §11.L21 suspense resolved over a rail',
    lines: postings.leaveSuspense('USD', 500n, { rail: 'ACH' }),
    are: ['- SUSPENSE:USD 500 USD', '+ RAIL:ACH:USD 500 USD'],
  },
  {
    named: 'money.md §11.L22 write-off',
    lines: postings.writeOffDebt('RECEIVABLE:c1:USD', 'USD', 300n),
    are: ['- FEES:USD 300 USD', '+ RECEIVABLE:c1:USD 300 USD'],
  },
];

describe('the lines of entries (money.md §11)', () => {
  for (const { named, lines, are } of CASES) {
    it(named, () => {
      assert.deepEqual(lines.map(showLine), are);
      assert.deepEqual(unbalanced(lines), []);
    });
  }

  it('money.md §11: every kind that is built has a case', async () => {
    const text = await readFile(new URL('../../../../docs/rules/money.md', import.meta.url), 'utf8');
    const rules = readRules('money.md', text);
    const waiting = underConstruction(rules);
    const built = rules
      .filter(({ key, isBuilt }) => isBuilt && !waiting.has(key))
      .flatMap(({ key }) => /(?<=^money\.md §11\.)L\d+/.exec(key)?.[0] ?? []);
    const elsewhere = [
      'cards/machine/machine.test.ts',
      'stablecoins/coins/provision-coin.test.ts',
      'stablecoins/operations/machine.test.ts',
      'reconciliation/reconciliation.test.ts',
    ];
    const others = await Promise.all(
      elsewhere.map((path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')),
    );
    const tried = new Set(
      [...CASES.map(({ named }) => named), ...others].flatMap((each) => each.match(/L\d+/g) ?? []),
    );
    // Composed of the lines of L4, L7, L10 and L11, in other accounts: table.test.ts.
    const composed = ['L13', 'L14'];
    assert.deepEqual(
      built.filter((kind) => !tried.has(kind)),
      composed,
    );
  });
});
