import { accounts } from '#capabilities/accounts/capability.ts';
import { agents } from '#capabilities/agents/capability.ts';
import { attention } from '#capabilities/attention/capability.ts';
import { bankFiles } from '#capabilities/bank-files/capability.ts';
import type { Capability } from '#capabilities/capability.ts';
import { cards } from '#capabilities/cards/capability.ts';
import { connectors } from '#capabilities/connectors/capability.ts';
import { customers } from '#capabilities/customers/capability.ts';
import { documents } from '#capabilities/documents/capability.ts';
import { erasure } from '#capabilities/erasure/capability.ts';
import { externalAccounts } from '#capabilities/external-accounts/capability.ts';
import { invitations } from '#capabilities/invitations/capability.ts';
import { onboarding } from '#capabilities/onboarding/capability.ts';
import { operators } from '#capabilities/operators/capability.ts';
import { payments } from '#capabilities/payments/capability.ts';
import { platform } from '#capabilities/platform/capability.ts';
import { pricing } from '#capabilities/pricing/capability.ts';
import { proposals } from '#capabilities/proposals/capability.ts';
import { sca } from '#capabilities/sca/capability.ts';
import { stablecoins } from '#capabilities/stablecoins/capability.ts';
import { statements } from '#capabilities/statements/capability.ts';
import { tokens } from '#capabilities/tokens/capability.ts';
import { verification } from '#capabilities/verification/capability.ts';
import { walletAuth } from '#capabilities/wallet-auth/capability.ts';
import { consolePages } from '#edge/console/capability.ts';
import { mcp } from '#edge/mcp/capability.ts';
import { providers } from '#edge/providers/capability.ts';
import { requestLog } from '#edge/request-log/capability.ts';
import { sandbox } from '#edge/sandbox/capability.ts';
import { search } from '#edge/search/capability.ts';
import { webhooks } from '#edge/webhooks/capability.ts';
import { audit } from '#foundation/audit/capability.ts';
import { books } from '#foundation/books/capability.ts';
import { codes } from '#foundation/codes/capability.ts';
import { explanation } from '#foundation/explanation/capability.ts';
import { http } from '#foundation/http/capability.ts';
import { journal } from '#foundation/journal/capability.ts';
import { ledger } from '#foundation/ledger/capability.ts';
import { records } from '#foundation/records/capability.ts';
import { uploads } from '#foundation/uploads/capability.ts';
import { figures } from './figures.ts';
import type { AppParts } from './parts.ts';
import { system } from './system.ts';

/**
 * Everything that the service consists of. Reactions run in this order: payments, cards and stablecoins come before
 * accounts, since a payment in progress and a live card prevent that an account is closed, and erasure comes last.
 */
export const CAPABILITIES = [
  http,
  explanation,
  books,
  records,
  codes,
  operators,
  ledger,
  journal,
  uploads,
  platform,
  tokens,
  pricing,
  payments,
  connectors,
  bankFiles,
  cards,
  stablecoins,
  statements,
  sca,
  accounts,
  walletAuth,
  externalAccounts,
  customers,
  documents,
  verification,
  onboarding,
  invitations,
  agents,
  proposals,
  attention,
  webhooks,
  requestLog,
  search,
  sandbox,
  mcp,
  providers,
  consolePages,
  audit,
  figures,
  system,
  erasure,
] as const satisfies readonly Capability<AppParts>[];
