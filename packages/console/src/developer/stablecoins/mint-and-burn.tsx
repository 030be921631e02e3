import type {
  Stablecoin,
  StablecoinBurnDestination,
  StablecoinBurnSource,
  StablecoinMintFundingSource,
  StablecoinOperation,
} from '@corridor/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { given } from '../../api/given.ts';
import { invalidate } from '../../api/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { placeOf } from '../../ui/id.tsx';
import { parseAmount } from '../../ui/money.tsx';
import { toast } from '../../ui/toast.tsx';

interface Props {
  readonly coin: Stablecoin;
}

/** The coin's smallest unit, as a string of digits. */
function amountIn({ symbol, decimals }: Stablecoin, values: FormValues): string {
  const amount = parseAmount(values.text('amount') ?? '', { code: symbol, decimals });
  return amount === undefined ? (values.text('amount') ?? '') : String(amount);
}

function useStarted(close: () => void): (operation: StablecoinOperation) => void {
  const { route } = useLocation();
  return ({ id }) => {
    close();
    invalidate('listStablecoinOperations', 'getStablecoinSupply');
    toast('The operation has started.');
    route(placeOf(id) ?? '/console/stablecoins');
  };
}

const FUNDINGS = [
  ['WIRE', 'Wire to the provider'],
  ['SVC_INTERNAL_ACCOUNT', 'Internal account'],
  ['ACH_DEBIT', 'ACH debit from an external account'],
  ['SAME_DAY_ACH_DEBIT', 'Same-day ACH debit from an external account'],
] as const;

export function Mint({ coin }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [funding, setFunding] = useState<string>('WIRE');
  const started = useStarted(() => setOpen(false));
  const build = (values: FormValues) =>
    callOf(
      'createStablecoinMint',
      coin.id,
      given({
        amount: amountIn(coin, values),
        fundingSource: fundingIn(funding, values),
        destination: { accountId: values.text('destination.accountId') ?? '' },
        description: values.text('description'),
      }),
    );
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Mint
      </button>
      <Dialog title="Mint" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Field
          name="funding"
          label="Funding source"
          type="select"
          value={funding}
          options={FUNDINGS}
          onChange={setFunding}
        />
        <Form key={funding} build={build} submit="Mint" what="Nothing was minted." onDone={started}>
          <Field name="amount" label={`Amount, in ${coin.symbol}`} value="100" isRequired />
          {funding !== 'WIRE' && <PayerField funding={funding} />}
          <Field
            name="destination.accountId"
            label="Destination account or external wallet"
            placeholder="InternalAccount:… or ExternalAccount:…"
            isRequired
          />
          <Field name="description" label="Description" />
        </Form>
      </Dialog>
    </>
  );
}

function PayerField({ funding }: { funding: string }) {
  return funding === 'SVC_INTERNAL_ACCOUNT' ? (
    <Field name="fundingSource.accountId" label="Paying account" placeholder="InternalAccount:…" isRequired />
  ) : (
    <Field
      name="fundingSource.externalAccountId"
      label="Debited account"
      placeholder="ExternalAccount:…"
      isRequired
    />
  );
}

function fundingIn(type: string, values: FormValues): StablecoinMintFundingSource {
  if (type === 'WIRE') return { type };
  if (type === 'SVC_INTERNAL_ACCOUNT')
    return { type, accountId: values.text('fundingSource.accountId') ?? '' };
  return {
    type: type as 'ACH_DEBIT',
    externalAccountId: values.text('fundingSource.externalAccountId') ?? '',
  };
}

const SOURCES = [
  ['SVC_INTERNAL_ACCOUNT', 'Internal account'],
  ['EXTERNAL_ACCOUNT', 'External wallet, which sends the coins'],
  ['PROVIDER_INTERNAL_BALANCE', 'Balance at the provider'],
] as const;

const RAILS = ['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT'] as const;

export function Burn({ coin }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [source, setSource] = useState<string>('SVC_INTERNAL_ACCOUNT');
  const started = useStarted(() => setOpen(false));
  const build = (values: FormValues) =>
    callOf(
      'createStablecoinBurn',
      coin.id,
      given({
        amount: amountIn(coin, values),
        source: sourceIn(source, values),
        destination: {
          type: 'EXTERNAL_ACCOUNT' as const,
          externalAccountId: values.text('destination.externalAccountId') ?? '',
          rail: (values.text('destination.rail') ?? 'WIRE') as StablecoinBurnDestination['rail'],
        },
        description: values.text('description'),
      }),
    );
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Burn
      </button>
      <Dialog title="Burn" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Field
          name="burned"
          label="Source of the coins"
          type="select"
          value={source}
          options={SOURCES}
          onChange={setSource}
        />
        <Form
          key={source}
          build={build}
          submit="Burn"
          kind="danger"
          what="Nothing was burned."
          onDone={started}
        >
          <Field name="amount" label={`Amount, in ${coin.symbol}`} isRequired />
          {source === 'SVC_INTERNAL_ACCOUNT' && (
            <Field name="source.accountId" label="Account" placeholder="InternalAccount:…" isRequired />
          )}
          <Field
            name="destination.externalAccountId"
            label="Destination of the money"
            placeholder="ExternalAccount:…"
            isRequired
          />
          <Field
            name="destination.rail"
            label="Rail"
            type="select"
            options={RAILS.map((rail) => [rail, rail.replaceAll('_', ' ')] as const)}
          />
          <Field name="description" label="Description" />
        </Form>
      </Dialog>
    </>
  );
}

function sourceIn(type: string, values: FormValues): StablecoinBurnSource {
  if (type === 'SVC_INTERNAL_ACCOUNT') return { type, accountId: values.text('source.accountId') ?? '' };
  return { type: type as 'EXTERNAL_ACCOUNT' };
}
