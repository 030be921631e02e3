import type { EventSummary } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf, withCommand } from '../../api/call.ts';
import { platformNow } from '../../api/clock.ts';
import { invalidate } from '../../api/query.ts';
import { Action } from '../../ui/action.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Field, Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { hasFailed } from './words.ts';

type Receivers = readonly ('ENDPOINT' | 'LISTENERS')[];

const DAY_MS = 86_400_000;

/** Sends everything again that did not arrive, for example after an outage of the receiver. */
export function ResendFailed({ events }: { events: readonly EventSummary[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Resend failed…
      </button>
      <Dialog title="Resend all that failed" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ResendForm since={sinceOf(events)} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** From the oldest failure in sight on, else the last day. */
function sinceOf(events: readonly EventSummary[]): string {
  const oldest = events.findLast(hasFailed)?.createdAt;
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
      what="Nothing was sent again."
      onDone={({ count, hasMore, sentTo }) => {
        close();
        invalidate('listEvents', 'getEventById', 'listEventAttempts');
        toast(sayResent(hasMore ? `More than ${count}` : String(count), count, sentTo), receiverKind(sentTo));
      }}
    >
      <p>Each keeps its id, and its retries begin again. Your receiver must know an id that it has seen.</p>
      <Field
        name="since"
        label="Events since"
        value={since}
        hint="A time in UTC. Events before it are left alone."
        isRequired
      />
      <Choices
        name="includeSkipped"
        legend="Also"
        options={[['yes', 'events that came while there was no endpoint']]}
      />
    </Form>
  );
}

function sayResent(many: string, count: number, sentTo: Receivers): string {
  const what = `${many} ${count === 1 ? 'event is' : 'events are'} sent again`;
  return sentTo.length === 0 ? `${what}, but nobody receives them: set a webhook endpoint.` : `${what}.`;
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
      what="The event was not sent again."
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
      label="Send a test"
      call={withCommand(callOf('sendTestWebhook'), 'corridor trigger TEST')}
      what="The test was not sent."
      isPlain
      onDone={({ response_status: status }) => {
        invalidate('listEvents');
        toast(
          status === undefined ? 'Your server did not answer.' : `Your server answered ${status}.`,
          status !== undefined && status < 300 ? 'good' : 'bad',
        );
      }}
    />
  );
}
