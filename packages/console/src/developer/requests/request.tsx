import type { RequestLog } from '@corridor/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Call } from '../../api/call.ts';
import { isSandbox } from '../../api/clock.ts';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { CodeBox } from '../../ui/code-box.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Id } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { HttpStatus } from '../../ui/status.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Followed } from './followed.tsx';
import { loggedCallOf } from './logged-call.ts';
import { Refusal, refusalOf } from './refusal.tsx';
import { SendAgain } from './send-again.tsx';
import { countHidden, explainKey, idsIn } from './words.ts';

/** Answers: what did this call send, what was the reply, and what did it cause? */
export default function Request() {
  const { id = '' } = useRoute().params;
  const request = useQuery(['getRequestLogById', id], () => corridor.getRequestLogById(id));
  const { data } = request;
  return (
    <Screen title={data ? `${data.method} ${data.route}` : 'Request'} answer={data && answerOf(data)}>
      <Loaded read={request} what="The request could not be loaded." lines={12}>
        {(found) => <Shown request={found} />}
      </Loaded>
    </Screen>
  );
}

function answerOf({ status, code, durationMs, via, reply }: RequestLog): string {
  const from = via === 'CONSOLE' ? ' from this console' : '';
  if (status < 400) return `The call${from} succeeded with ${status} in ${durationMs} ms.`;
  if (code === undefined) return `The call${from} failed with ${status}.`;
  const { reason } = refusalOf(reply);
  return reason === undefined
    ? `The call${from} was refused with ${code}.`
    : `The call${from} was refused with ${code}: ${reason}`;
}

function Shown({ request }: { request: RequestLog }) {
  const { method, path, code, unknownFields } = request;
  const ids = idsIn(path, request.request, request.reply);
  return (
    <>
      <Section title="Call" isCard>
        {code !== undefined && <Refusal code={code} reply={request.reply} />}
        <RequestFacts request={request} ids={ids} />
        {unknownFields && <Unknown fields={unknownFields} />}
      </Section>
      <div class="requests-pair">
        <Section title="Request">
          {request.query && <Json value={request.query} label="query" />}
          <Body
            value={request.request}
            label="request body"
            none="There was no body, or the log did not keep it."
          />
        </Section>
        <Section title="Reply">
          <Body value={request.reply} label="reply" none="There was no body, or the log did not keep it." />
        </Section>
      </div>
      <Repeat request={request} />
      {method !== 'GET' && <Followed request={request} ids={ids} />}
    </>
  );
}

function RequestFacts({ request, ids }: { request: RequestLog; ids: readonly string[] }) {
  const { id, status, path, createdAt, durationMs, tokenId, agentId, requestId } = request;
  return (
    <Facts
      facts={{
        Status: <HttpStatus code={status} />,
        Path: (
          <code>
            <bdi>{path}</bdi>
          </code>
        ),
        When: <Time at={createdAt} clock="real" />,
        Duration: `${durationMs} ms`,
        'Idempotency key': explainKey(request),
        Caller: <Id id={agentId ?? tokenId} />,
        'X-Request-Id': (
          <span class="id">
            <code>{requestId}</code>
            <Copy text={requestId} label={`Copy ${requestId}`} />
          </span>
        ),
        'Log entry': <Id id={id} isWhole />,
        ...(ids.length > 0 && { About: <Ids ids={ids} /> }),
      }}
    />
  );
}

const IDS_MAX = 8;

function Ids({ ids }: { ids: readonly string[] }) {
  return (
    <ul class="requests-ids">
      {ids.slice(0, IDS_MAX).map((id) => (
        <li key={id}>
          <Id id={id} />
        </li>
      ))}
    </ul>
  );
}

function Unknown({ fields }: { fields: readonly string[] }) {
  return (
    <div class="requests-unknown">
      <p>The service does not know these fields and ignored them:</p>
      <ul>
        {fields.map((field) => (
          <li key={field}>
            <Text>{field}</Text>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Body({ value, label, none }: { value: unknown; label: string; none: string }) {
  if (value === undefined) return <Empty title={none} />;
  const hidden = countHidden(value);
  return (
    <>
      <Json value={value} label={label} />
      {hidden > 0 && (
        <p class="section-hint">
          “…” replaces {hidden === 1 ? 'one value that' : `${hidden} values that`} may be personal or secret.
          The log does not keep these.
        </p>
      )}
    </>
  );
}

function Repeat({ request }: { request: RequestLog }) {
  const logged = loggedCallOf(request);
  const [edited, setEdited] = useState<Call>();
  if (!logged) return null;
  return (
    <Section
      title="Repeat the call"
      hint={
        countHidden([request.query, request.request]) > 0 &&
        'Replace each “…” with your own value, because the log does not keep values that may be personal or secret.'
      }
    >
      <CodeBox call={edited ?? logged.call} />
      {isSandbox() && <SendAgain request={request} logged={logged} onEdit={setEdited} />}
    </Section>
  );
}
