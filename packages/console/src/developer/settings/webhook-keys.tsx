import { callOf } from '../../api/call.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Code } from '../../ui/code-box.tsx';
import { Id } from '../../ui/id.tsx';
import { Facts, Section } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

export function WebhookKeys() {
  const keys = useQuery(['listWebhookKeys'], () => corridor.listWebhookKeys());
  return (
    <Section
      title="Webhook keys"
      hint={
        <>
          Your endpoint verifies every webhook with one of these public keys.{' '}
          <a href="/console/events?check=signature">Check a signature</a>
        </>
      }
      actions={<Rotate />}
    >
      <Loaded read={keys} what="The keys could not be loaded." lines={5}>
        {({ data }) => (
          <>
            {data.map(({ id, status, publicKey, signsFrom, goesAt }) => (
              <div key={id} class="card">
                <Facts
                  facts={{
                    Key: <Id id={id} isWhole />,
                    Status: <Status value={status} />,
                    'Used from': <Time at={signsFrom} clock="real" />,
                    Removed: goesAt && <Time at={goesAt} clock="real" />,
                  }}
                />
                <Code text={publicKey.trim()} label="public key" />
              </div>
            ))}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Rotate() {
  return (
    <Action
      label="Rotate key"
      call={callOf('rotateWebhookKey')}
      ask="A new key is published now, and signs webhooks after a transition period. Endpoints that read the list of keys need no change."
      what="The key was not rotated."
      onDone={() => {
        invalidate('listWebhookKeys');
        toast('A new key was published.');
      }}
    />
  );
}
