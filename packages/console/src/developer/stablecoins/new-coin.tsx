import type { StablecoinProviderAccount } from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { isSandbox } from '../../api/clock.ts';
import { invalidate } from '../../api/query.ts';
import { docsUrl } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { placeOf, shortId } from '../../ui/id.tsx';
import { toast } from '../../ui/toast.tsx';

function Opened({ label, children }: { label: string; children: (close: () => void) => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      <Dialog title={label} isOpen={isOpen} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}

export function LinkProvider() {
  return (
    <Opened label="Link a provider account">
      {(close) => (
        <Form
          build={(values) =>
            callOf('linkStablecoinProviderAccount', {
              provider: 'BRALE',
              apiClientId: values.text('apiClientId') ?? '',
              apiClientSecret: values.text('apiClientSecret') ?? '',
            })
          }
          submit="Link account"
          what="The account was not linked."
          onDone={() => {
            close();
            invalidate('listStablecoinProviderAccounts');
            toast('The account was linked.');
          }}
        >
          <Field
            name="apiClientId"
            label="Client id at the provider"
            hint={isSandbox() && 'The sandbox accepts any value.'}
            isRequired
          />
          <Field name="apiClientSecret" label="Client secret" isRequired />
        </Form>
      )}
    </Opened>
  );
}

export function RegisterCoin({ links }: { links: readonly StablecoinProviderAccount[] }) {
  const { route } = useLocation();
  return (
    <Opened label="Register a coin">
      {(close) => (
        <Form
          build={(values) =>
            callOf('registerStablecoin', {
              providerTokenIdentifier: values.text('providerTokenIdentifier') ?? '',
              networkTokenIdentifier: values.text('networkTokenIdentifier') ?? '',
              network: 'SPARK',
              stablecoinProviderAccountId: values.text('stablecoinProviderAccountId') ?? '',
            })
          }
          submit="Register coin"
          what="The coin was not registered."
          onDone={({ id }) => {
            close();
            invalidate('listStablecoins');
            toast('The coin was registered.');
            route(placeOf(id) ?? '/console/stablecoins');
          }}
        >
          <Field
            name="stablecoinProviderAccountId"
            label="Provider account"
            type="select"
            options={links.map(
              ({ id, providerAccountId }) => [id, `${providerAccountId}, ${shortId(id)}`] as const,
            )}
          />
          <Field
            name="providerTokenIdentifier"
            label="Token name at the provider"
            hint={
              isSandbox() && (
                <a href={docsUrl('/docs/sandbox')} target="_blank" rel="noopener">
                  In the sandbox every token exists, and the end of its name chooses the outcome.
                </a>
              )
            }
            isRequired
          />
          <Field
            name="networkTokenIdentifier"
            label="Token identifier on the network"
            placeholder="btkn1…"
            isRequired
          />
        </Form>
      )}
    </Opened>
  );
}
