import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Id } from '../../ui/id.tsx';
import { Columns, Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { RecordFacts } from '../../ui/operator/record.tsx';
import { Loaded } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Documents } from './documents.tsx';
import { History } from './history.tsx';
import { Hits } from './hits.tsx';
import type { Packet } from './packet.ts';

/** Answers: is this customer who they say they are, and may we serve them? */
export default function Review() {
  const { id = '' } = useRoute().params;
  const packet = useQuery(
    ['openReview', id],
    () => operator.openReview(id) as unknown as PromiseLike<Packet>,
  );
  const next = useNext(id, packet.data);
  useKeys({ a: () => press('Approve…'), c: () => press('Ask for changes…'), n: next });
  return (
    <Screen
      title="Review"
      answer={packet.data && sayState(packet.data)}
      actions={packet.data && <Decide id={id} next={next} />}
    >
      <p class="soft">
        <kbd>a</kbd> approves, <kbd>c</kbd> asks for changes, <kbd>n</kbd> opens the next review. Everything
        below is in clear, and it is recorded that you looked.
      </p>
      <Loaded read={packet} what="The review could not be loaded." lines={10}>
        {(data) => (
          <Columns
            main={
              <>
                <History packet={data} />
                <Hits customer={id} platform={data.platform} />
                <Submitted id={id} packet={data} />
              </>
            }
            side={<Documents key={id} documents={data.documents} />}
          />
        )}
      </Loaded>
    </Screen>
  );
}

function sayState({ verifications, changes, problemsFoundByUs, documents }: Packet): string {
  const [latest] = verifications;
  const begin = changes ? 'Submitted again' : latest ? 'Submitted for the first time' : 'Created into review';
  const problems = problemsFoundByUs.length;
  const found =
    problems === 0
      ? 'nothing is missing'
      : problems === 1
        ? 'one problem was found'
        : `${problems} problems were found`;
  return `${begin}: ${found}, ${documents.length === 1 ? 'one document' : `${documents.length} documents`}.`;
}

/** After a decision the next review opens, so that a morning's queue needs few keys. */
function Decide({ id, next }: { id: string; next: () => void }) {
  const done = () => next();
  return (
    <>
      <ChangeButton operation="approveReview" params={[id]} label="Approve" kind="primary" onDone={done} />
      <ChangeButton operation="requestChanges" params={[id]} label="Ask for changes" onDone={done} />
      <ChangeButton operation="rejectReview" params={[id]} label="Reject" kind="danger" onDone={done} />
      <button type="button" onClick={next}>
        Next
      </button>
    </>
  );
}

function Submitted({ id, packet: { customer, beneficialOwners } }: { id: string; packet: Packet }) {
  const { id: _own, beneficialOwners: _below, ...rest } = customer;
  return (
    <>
      <Section title="Submission" actions={<Id id={id} name="The customer’s page" />}>
        <RecordFacts record={rest} />
      </Section>
      {beneficialOwners.map((owner, at) => (
        <Section key={String(owner.id)} title={`Owner ${at + 1}`}>
          <RecordFacts record={owner} path={`owner ${at + 1}.`} />
        </Section>
      ))}
    </>
  );
}

const QUEUE = 50;

/** Opens the review after this one in the list of its environment, or the list if there is no other. */
function useNext(id: string, packet: Packet | undefined): () => void {
  const { route } = useLocation();
  return () => void openNext();
  async function openNext(): Promise<void> {
    const scope = packet ? { environment: packet.environment } : {};
    const { data = [] } = await operator.listAllReviews({ ...scope, limit: QUEUE });
    const waiting = data.map(({ customer }) => String(customer));
    const [next] = [...waiting.slice(waiting.indexOf(id) + 1), ...waiting].filter((other) => other !== id);
    if (next === undefined) toast('No other review waits.', 'calm');
    route(next === undefined ? '/console/operator/reviews' : `/console/operator/reviews/${next}`);
  }
}

type Keys = Readonly<Record<string, () => void>>;

/** Keys of this screen only: not while somebody types, and not behind a dialog. */
function useKeys(keys: Keys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea');
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping ||
        document.querySelector('dialog[open]')
      )
        return;
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}

/** The button does what the key does. Only operators who may do this see it. */
function press(name: string): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('.screen-actions button')];
  buttons.find(({ textContent }) => textContent === name)?.click();
}
