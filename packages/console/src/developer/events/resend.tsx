import type { EventSummary } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf, withCommand } from '../../api/call.ts';
import { platformNow } from '../../api/clock.ts';
import { invalidate } from '../../api/query.ts';
import { Action } from '../../ui/action.tsx';
import { hasFailed } from '../../ui/delivery.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Field, Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { isNews } from './words.ts';

type Receivers = readonly ('ENDPOINT' | 'LISTENERS')[];

const DAY_MS = 86_400_000;

/** Resends every event that did not arrive, for example after an outage of the endpoint. */
export function ResendFailed({ events }: { events: readonly EventSummary[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Resend failed events…
      </button>
      <Dialog title="Resend failed events" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ResendForm since={sinceOf(events)} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Starts from the oldest failure on the page; without one, from a day ago. */
function sinceOf(events: readonly EventSummary[]): string {
  const oldest = events.findLast((event) => isNews(event) && hasFailed(event))?.createdAt;
  return oldest ?? new Date(platformNow() - DAY_MS).toISOString();
}

function ResendForm({ since, close }: { since: string; close: () => void }) {
  return (
    <Form
      build={(values) => {
        const from = values.text('since') ?? '';
        const includeSkipped = values.isOn('includeSkipped');
        const more = includeSkipped ? ' --include-skipped' : '';
        return withCommand(
          callOf('resendFailedEvents', { since: from, ...(includeSkipped && { includeSkipped }) }),
          `corridor events resend --failed-since ${from}${more}`,
        );
      }}
      submit="Resend"
      what="The events were not resent."
      onDone={({ count, hasMore, sentTo }) => {
        close();
        invalidate('listEvents', 'getEventById', 'listEventAttempts');
        toast(sayResent(hasMore ? `More than ${count}` : String(count), count, sentTo), receiverKind(sentTo));
      }}
    >
      <p>
        Every event keeps its id, and its retries start again. Your endpoint must recognize ids that it has
        already seen.
      </p>
      <Field
        name="since"
        label="Events since"
        value={since}
        hint="A time in UTC. Earlier events are not resent."
        isRequired
      />
      <Choices
        name="includeSkipped"
        legend="Also resend"
        options={[['yes', 'Events that happened while there was no endpoint']]}
      />
    </Form>
  );
}

function sayResent(many: string, count: number, sentTo: Receivers): string {
  const what = `${many} ${count === 1 ? 'event is' : 'events are'} being resent`;
  return sentTo.length === 0 ? `${what}, but your platform has no webhook endpoint.` : `${what}.`;
}

function receiverKind(sentTo: Receivers): 'good' | 'bad' {
  return sentTo.length === 0 ? 'bad' : 'good';
}

/** Sends one event again. */
export function ResendOne({ id }: { id: string }) {
  return (
    <Action
      label="Resend"
      kind="primary"
      call={withCommand(callOf('resendEvent', id), `corridor events resend ${id}`)}
      what="The event was not resent."
      onDone={({ sentTo }) => {
        invalidate('listEvents', 'getEventById', 'listEventAttempts');
        toast(sayResent('1', 1, sentTo), receiverKind(sentTo));
      }}
    />
  );
}

export function SendTest() {
  return (
    <Action
      label="Send a test webhook"
      call={withCommand(callOf('sendTestWebhook'), 'corridor trigger TEST')}
      what="The test webhook was not sent."
      isPlain
      onDone={({ response_status: status }) => {
        invalidate('listEvents');
        toast(
          status === undefined ? 'Your endpoint did not answer.' : `Your endpoint answered ${status}.`,
          status !== undefined && status < 300 ? 'good' : 'bad',
        );
      }}
    />
  );
}
