import type { PlatformConfig } from '@corridor/client';
import { callOf } from '../../api/call.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Currencies } from './currencies.tsx';
import { Fees } from './fees.tsx';

export function Configuration() {
  const config = useQuery(['getPlatformConfig'], () => corridor.getPlatformConfig());
  return (
    <Loaded read={config} what="The configuration could not be loaded." lines={10}>
      {(found) => (
        <>
          <Endpoint config={found} />
          <Domain config={found} />
          <Currencies config={found} onSaved={saved} />
          <Fees config={found} onSaved={saved} />
        </>
      )}
    </Loaded>
  );
}

function saved(): void {
  invalidate('getPlatformConfig');
  toast('The configuration was saved.');
}

/** A new endpoint gets a test at once (platform.md §3.1.3), whose answer is not known yet. */
function savedEndpoint({ webhookEndpoint }: PlatformConfig): void {
  invalidate('getPlatformConfig', 'listEvents');
  toast(
    webhookEndpoint === undefined
      ? 'The endpoint was removed. Events are stored, but not sent.'
      : 'The endpoint was saved. A test webhook is on its way: Events shows the answer.',
    'calm',
  );
}

function Endpoint({ config }: { config: PlatformConfig }) {
  const { webhookEndpoint } = config;
  return (
    <Section
      title="Webhook endpoint"
      hint="The service signs every event and sends it to this address. Without an endpoint, events are stored, and you can read them under Events."
      isCard
    >
      <Form
        key={webhookEndpoint}
        build={(values) =>
          callOf('updatePlatformConfig', { webhookEndpoint: values.text('webhookEndpoint') ?? null })
        }
        submit="Save"
        what="The endpoint was not saved."
        onDone={savedEndpoint}
      >
        <Field
          name="webhookEndpoint"
          label="URL"
          type="url"
          value={webhookEndpoint}
          placeholder="https://example.com/hooks"
          hint="Leave it empty to remove the endpoint."
        />
      </Form>
      {webhookEndpoint !== undefined && <TestWebhook />}
    </Section>
  );
}

function TestWebhook() {
  return (
    <Action
      label="Send a test webhook"
      call={callOf('sendTestWebhook')}
      what="The test webhook was not sent."
      onDone={({ response_status }) =>
        response_status === undefined
          ? toast('The endpoint did not answer.', 'bad')
          : toast(`The endpoint answered ${response_status}.`, response_status < 300 ? 'good' : 'bad')
      }
    />
  );
}

function Domain({ config }: { config: PlatformConfig }) {
  return (
    <Section
      title="UMA domain"
      hint="The domain in the UMA addresses of new customers. Existing addresses do not change."
      isCard
    >
      <Form
        key={config.umaDomain}
        build={(values) => callOf('updatePlatformConfig', { umaDomain: values.text('umaDomain') ?? '' })}
        submit="Save"
        what="The domain was not saved."
        onDone={saved}
      >
        <Field name="umaDomain" label="Domain" value={config.umaDomain} placeholder="pay.example.com" />
      </Form>
    </Section>
  );
}
