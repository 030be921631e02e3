import type { PaymentAccount } from '#capabilities/external-accounts/check-for-payment.ts';
import { linkInvalid } from '#capabilities/stablecoins/links/change-link.ts';
import type { OperationRequest } from '#capabilities/stablecoins/operations/check-operation.ts';
import { railAccountOf } from '#capabilities/stablecoins/operations/order.ts';
import type { Party } from '#capabilities/stablecoins/operations/parties.ts';
import { type AccountLink, findAccountReference } from '#capabilities/stablecoins/operations/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { withTimeout } from '#foundation/lib/promises.ts';
import { type Code, Refusal } from '#foundation/lib/refusals.ts';
import type {
  AccountLinkRefusal,
  AccountRole,
  ProviderLogin,
  StablecoinsPort,
} from '#foundation/ports/stablecoins.ts';

/** A question that only the provider can answer before a mint or burn is made. */
export type Question =
  /** Whether it accepts an external account that it does not know yet (stablecoins.md §6.1). */
  | { readonly about: 'ACCOUNT'; readonly account: PaymentAccount; readonly role: AccountRole }
  /** Whether the platform holds another token there (stablecoins.md §5.44). */
  | { readonly about: 'HOLDING'; readonly sourceTokenIdentifier: string; readonly cryptoNetwork: string };

export async function sourceQuestions(
  tx: ReadTx,
  linkId: LinkId,
  request: OperationRequest,
  source: Party,
): Promise<Question[]> {
  if (request.type === 'MINT' && request.body.fundingSource.type === 'PROVIDER_INTERNAL_BALANCE') {
    const { sourceTokenIdentifier, cryptoNetwork } = request.body.fundingSource;
    return [{ about: 'HOLDING', sourceTokenIdentifier, cryptoNetwork }];
  }
  return accountQuestions(tx, linkId, source);
}

/** Empty if the provider already knows the account. */
export async function accountQuestions(tx: ReadTx, linkId: LinkId, party: Party): Promise<Question[]> {
  if (party.kind !== 'EXTERNAL') return [];
  const { account, role } = party;
  const known = await findAccountReference(tx, linkId, { accountId: account.id, role });
  return known !== undefined ? [] : [{ about: 'ACCOUNT', account, role }];
}

/** A new link, or the reason why the mint or burn is refused. */
export type Reply = AccountLink | { readonly refusal: Refusal; readonly isLoginRefused?: boolean };

export async function ask(
  port: StablecoinsPort,
  login: ProviderLogin,
  question: Question,
  isAutomatic: boolean,
): Promise<Reply> {
  if (question.about === 'HOLDING') return { refusal: await reservedSource(port, login, question) };
  const { account, role } = question;
  const answer = await answerInTime(port.linkAccount(login, railAccountOf(account), role, isAutomatic));
  if (answer === undefined) return { refusal: unavailable() };
  if (answer.outcome === 'LINKED') return { accountId: account.id, role, reference: answer.reference };
  if (answer.outcome === 'LOGIN_REFUSED') return { refusal: linkInvalid(), isLoginRefused: true };
  if (answer.outcome === 'UNAVAILABLE') return { refusal: unavailable() };
  return { refusal: linkRefusal(answer.outcome) };
}

/** The time limit for the provider's answer, in real time. */
const ANSWER_MS = 20_000;

/** Undefined if the provider did not answer in time, or the connection broke. */
export function answerInTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return withTimeout(
    answer.catch(() => undefined),
    ANSWER_MS,
    undefined,
  );
}

/** stablecoins.md §6.20. */
export function unavailable(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', 'The provider of the coin does not answer. Try again later.');
}

/** stablecoins.md §5.44. */
async function reservedSource(
  port: StablecoinsPort,
  login: ProviderLogin,
  source: { readonly sourceTokenIdentifier: string; readonly cryptoNetwork: string },
): Promise<Refusal> {
  const isHeld = await answerInTime(port.holdsToken(login, source));
  if (isHeld === undefined) return unavailable();
  if (!isHeld) {
    const { sourceTokenIdentifier: token, cryptoNetwork } = source;
    const reason = `${token} on ${cryptoNetwork} is not among your holdings at the provider.`;
    return new Refusal('STABLECOIN_PROVIDER_SOURCE_NOT_LINKED', reason);
  }
  const reason = 'Coins cannot yet be minted from another token at the provider.';
  return new Refusal('STABLECOIN_OPERATION_NOT_SUPPORTED', reason);
}

/** stablecoins.md §6.14–6.18. */
export function linkRefusal(outcome: AccountLinkRefusal): Refusal {
  const [code, reason] = LINK_REFUSALS[outcome];
  return new Refusal(code, reason);
}

const LINK_REFUSALS: Readonly<Record<AccountLinkRefusal, readonly [Code, string]>> = {
  NOT_LINKED: [
    'STABLECOIN_EXTERNAL_ACCOUNT_NOT_LINKED',
    'The external account is not linked at the provider: its link was removed, or automatic linking is off. Link it there first.',
  ],
  LINK_FAILED: [
    'STABLECOIN_EXTERNAL_ACCOUNT_LINK_FAILED',
    'The external account could not be linked at the provider. Try again.',
  ],
  PROVIDER_LINK_FAILED: [
    'STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_FAILED',
    'The provider refused the external account.',
  ],
  PROVIDER_LINK_REQUIRED: [
    'STABLECOIN_EXTERNAL_ACCOUNT_PROVIDER_LINK_REQUIRED',
    'The external account must be linked at the provider first, by a login to the bank.',
  ],
  LINK_METHOD_REQUIRED: [
    'STABLECOIN_EXTERNAL_ACCOUNT_LINK_METHOD_REQUIRED',
    'The external account can be linked in several ways. Choose one at the provider first.',
  ],
};
