import type { AccountStatement } from '#capabilities/statements/schemas.ts';
import { NO_OWN_CURRENCIES, presentAmount } from '#foundation/lib/currencies.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';

const NOTHING = presentAmount(0n, 'USD', NO_OWN_CURRENCIES);

export const EMPTY_STATEMENT: AccountStatement = {
  accountId: EXAMPLE_IDS.adaUsd as AccountStatement['accountId'],
  ...{ from: '2020-02-01', to: '2020-02-29', zone: 'UTC' },
  ...{ opening: NOTHING, closing: NOTHING, isProvisional: false },
  ...{ data: [], hasMore: false },
};
