import { AGENT_REQUEST } from '#capabilities/agents/examples.ts';
import { CARD_REQUEST } from '#capabilities/cards/examples.ts';
import {
  ADA,
  ADA_REQUEST,
  BABBAGE_REQUEST,
  EMMY_REQUEST,
  ENGINES_REQUEST,
} from '#capabilities/customers/examples.ts';
import { PASSPORT, PASSPORT_REQUEST } from '#capabilities/documents/examples.ts';
import {
  ADA_BANK_REQUEST,
  COIN_WALLET_REQUEST,
  HILBERT_REQUEST,
  JEAN_REQUEST,
  PLATFORM_WALLET_REQUEST,
} from '#capabilities/external-accounts/examples.ts';
import { QUOTE_REQUEST } from '#capabilities/payments/quotes/examples.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { createPerform, type Perform } from '#foundation/http/perform/perform.ts';
import { describeFailure, type Job, type JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { bareId, type IdSource, type PublicId, type ResourceType } from '#foundation/lib/ids.ts';
import { isFinal, Refusal } from '#foundation/lib/refusals.ts';
import { receiveUpload, type Upload } from '#foundation/uploads/uploads.ts';

type Body = Readonly<Record<string, unknown>>;

/** One resource of a fresh sandbox, and the call that creates it (decision 0033). */
export interface Seed {
  /** The ids that the call assigns, for each type in the order of creation. The first one is looked up. */
  readonly makes: readonly [PublicId, ...PublicId[]];
  /** The operation that reads the first of them. */
  readonly reads: string;
  readonly operation: string;
  readonly params?: Readonly<Record<string, PublicId>>;
  /** A function if it depends on the service's domain of UMA addresses. */
  readonly body: Body | ((umaDomain: string) => Body);
  readonly file?: { readonly name: string; readonly content: string };
}

const ids = EXAMPLE_IDS;

/**
 * The resources that the first examples of the reference name. If a reference, an account number or a symbol must be
 * unique, the seed uses a different one than the example, so that the example can still be sent.
 */
export const SEEDS: readonly Seed[] = [
  {
    makes: [ids.ada, ids.adaUsd, ids.adaUsdc, ids.adaUsdb, ids.adaEmail],
    reads: 'getCustomerById',
    operation: 'createCustomer',
    // An address of another domain would be refused; then she gets an address of the service's domain.
    body: (umaDomain) => ({
      ...ADA_REQUEST,
      platformCustomerId: 'seed-ada',
      ...(ADA.umaAddress.endsWith(`@${umaDomain}`) && { umaAddress: ADA.umaAddress }),
    }),
  },
  {
    makes: [ids.adaPassport],
    reads: 'getDocument',
    operation: 'uploadDocument',
    body: { ...PASSPORT_REQUEST, file: PASSPORT.fileName },
    file: { name: PASSPORT.fileName, content: PASSPORT_REQUEST.file },
  },
  {
    makes: [ids.adaVerification],
    reads: 'getVerification',
    operation: 'createVerification',
    body: { customerId: ids.ada },
  },
  {
    makes: [ids.engines],
    reads: 'getCustomerById',
    operation: 'createCustomer',
    body: { ...ENGINES_REQUEST, platformCustomerId: 'seed-engines' },
  },
  {
    makes: [ids.babbage],
    reads: 'getBeneficialOwner',
    operation: 'createBeneficialOwner',
    body: { ...BABBAGE_REQUEST },
  },
  {
    makes: [ids.emmy, ids.emmyUsd, ids.emmyUsdb],
    reads: 'getCustomerById',
    operation: 'createCustomer',
    body: { ...EMMY_REQUEST, platformCustomerId: 'seed-emmy', currencies: ['USD'] },
  },
  {
    makes: [ids.hilbertEur],
    reads: 'getCustomerExternalAccountById',
    operation: 'createCustomerExternalAccount',
    body: { ...HILBERT_REQUEST },
  },
  funding(ids.funding, ids.adaUsd, 1_000_000),
  funding(ids.walletFunding, ids.adaUsdb, 20_000_000),
  {
    makes: [ids.jeanEur],
    reads: 'getCustomerExternalAccountById',
    operation: 'createCustomerExternalAccount',
    body: {
      ...JEAN_REQUEST,
      platformAccountId: 'seed-jean-eur',
      accountInfo: {
        ...JEAN_REQUEST.accountInfo,
        iban: 'FR1420041010050500013M02606',
        swiftCode: 'PSSTFRPP',
      },
    },
  },
  {
    makes: [ids.adaBank],
    reads: 'getCustomerExternalAccountById',
    operation: 'createCustomerExternalAccount',
    body: {
      ...ADA_BANK_REQUEST,
      accountInfo: { ...ADA_BANK_REQUEST.accountInfo, accountNumber: '9876543210' },
    },
  },
  {
    makes: [ids.platformWallet],
    reads: 'getPlatformExternalAccountById',
    operation: 'createPlatformExternalAccount',
    body: {
      ...PLATFORM_WALLET_REQUEST,
      accountInfo: {
        ...PLATFORM_WALLET_REQUEST.accountInfo,
        address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      },
    },
  },
  {
    makes: [ids.quote, ids.payment],
    reads: 'getQuoteById',
    operation: 'createQuote',
    body: { ...QUOTE_REQUEST, immediatelyExecute: true },
  },
  {
    makes: [ids.card],
    reads: 'getCardById',
    operation: 'createCard',
    body: { ...CARD_REQUEST, platformCardId: 'seed-card-ada' },
  },
  { makes: [ids.agent], reads: 'getAgentById', operation: 'createAgent', body: { ...AGENT_REQUEST } },
  {
    makes: [ids.coinWallet],
    reads: 'getPlatformExternalAccountById',
    operation: 'createPlatformExternalAccount',
    body: { ...COIN_WALLET_REQUEST },
  },
];

function funding(id: PublicId<'Transaction'>, accountId: PublicId<'InternalAccount'>, amount: number): Seed {
  return {
    makes: [id],
    reads: 'getTransactionById',
    operation: 'sandboxFundInternalAccount',
    params: { accountId },
    body: { amount },
  };
}

/** Scheduled work: creates one seed, and schedules the next one in the same commit. */
const SEED = 'sandbox.seed';

/** Called in the commit that creates the platform, so that no crash can prevent the seeds. */
export function scheduleSeeds(tx: Tx): void {
  scheduleSeed(tx, 0);
}

function scheduleSeed(tx: Tx, index: number): void {
  if (index < SEEDS.length) schedule(tx, { kind: SEED, payload: { index }, afterMs: 0 });
}

export interface SeedParts {
  operations(): readonly NamedOperation[];
  /** The domain of customers who name no address. */
  readonly umaDomain: string;
  /** Called for a seed that cannot be created even with retries: it is skipped, and the others follow. */
  onSkipped(skipped: SkippedSeed): void;
  /** Replaces the default seeds. */
  readonly seeds?: readonly Seed[];
}

export interface SkippedSeed {
  readonly seed: PublicId;
  readonly operation: string;
  readonly reason: string;
}

export function seedJobs(parts: SeedParts): JobDeclarations {
  return {
    [SEED]: {
      due: 'upkeep',
      async call(work, job) {
        const { index } = job.payload as Job<{ index: number }>['payload'];
        const seed = (parts.seeds ?? SEEDS)[index];
        if (seed) await makeOrSkip(work, seed, parts, job.attempts);
        return async (tx) => scheduleSeed(tx, index + 1);
      },
    },
  };
}

async function makeOrSkip(work: Work, seed: Seed, parts: SeedParts, attempts: number): Promise<void> {
  try {
    if (!(await isThere(work, seed, parts))) await make(work, seed, parts);
  } catch (error) {
    const isHopeless = error instanceof SurplusId && attempts >= SURPLUS_MAX;
    if (!isHopeless && !(error instanceof Refusal && isFinal(error))) throw error;
    parts.onSkipped({ seed: seed.makes[0], operation: seed.operation, reason: describeFailure(error) });
  }
}

/** Whether it exists already, created by a process that died before it recorded that. */
async function isThere(work: Work, { makes: [id], reads }: Seed, parts: SeedParts): Promise<boolean> {
  const operation = requireWorkerOperation(reads, parts);
  const [name = ''] = Object.keys(operation.params ?? {});
  try {
    await createPerform(work.runtime)(operation, { caller: callerOf(work), params: { [name]: bareId(id) } });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return false;
    throw error;
  }
}

/** Creates it as its route would, except for the ids. */
async function make(work: Work, seed: Seed, parts: SeedParts): Promise<void> {
  const newId = plannedIds(work.runtime.newId, seed.makes);
  const customers = seed.makes.filter((id) => id.startsWith('Customer:'));
  await work.runtime.personKeys.ensure(work.platform.id, customers.map(bareId));
  const perform: Perform = createPerform({
    ...work.runtime,
    newId,
    ...(customers.length > 0 && { customerIds: newId }),
  });
  const params = Object.entries(seed.params ?? {}).map(([name, id]) => [name, bareId(id)] as const);
  await perform(requireWorkerOperation(seed.operation, parts), {
    caller: callerOf(work),
    params: Object.fromEntries(params),
    body: typeof seed.body === 'function' ? seed.body(parts.umaDomain) : seed.body,
    file: seed.file && (await upload(work, seed.file)),
  });
}

/** A seed creates more resources of a type than it has ids for, or a commit was repeated: both look the same here. */
class SurplusId extends Error {
  override name = 'SurplusId';
}

/** How often a seed may ask for one id too many before this counts as a mistake in its plan, not as a repeated commit. */
const SURPLUS_MAX = 3;

/** Gives the planned ids of each type in turn, and new ids for types without planned ones. */
function plannedIds(newId: IdSource, planned: readonly PublicId[]): IdSource {
  const left = [...planned];
  return <T extends ResourceType>(type?: T) => {
    if (type === undefined || !planned.some((id) => id.startsWith(`${type}:`))) return newId<T>(type);
    const at = left.findIndex((id) => id.startsWith(`${type}:`));
    if (at === -1)
      throw new SurplusId(`it makes more resources of the type ${type} than "makes" has ids for`);
    return bareId(left.splice(at, 1)[0] as PublicId<T>);
  };
}

function upload(work: Work, { name, content }: NonNullable<Seed['file']>): Promise<Upload> {
  const bytes = async function* () {
    yield Buffer.from(content);
  };
  return receiveUpload(work, {
    fieldName: 'file',
    fileName: name,
    mediaType: 'application/pdf',
    content: bytes(),
    wasTruncated: () => false,
  });
}

/** Lets the worker call an operation that otherwise only platforms call. */
function requireWorkerOperation(id: string, { operations }: SeedParts): NamedOperation {
  const operation = operations().find((one) => one.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return { ...operation, callers: ['worker'] };
}

function callerOf({ platform }: Work) {
  return { kind: 'worker', id: 'seeds', platform } as const;
}
