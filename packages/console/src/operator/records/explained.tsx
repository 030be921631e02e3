import type { TransactionExplanation } from '@corridor/client';
import { useEffect } from 'preact/hooks';
import { clockOffsetMs } from '../../api/clock.ts';
import type { OperatorOperation } from '../../api/operator/call.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Code } from '../../ui/code-box.tsx';
import { Why } from '../../ui/explanation.tsx';
import { ExplanationTimeline } from '../../ui/explanation-timeline.tsx';
import { Sentence } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/states.tsx';

const AGAIN_MS = 10_000;

/** Where the money of a record is, what it waits for, and everything that happened to it (operator.md §8). */
export function Explained({ operation, id }: { operation: OperatorOperation; id: string }) {
  const explanation = useQuery(
    [operation, id],
    () => (operator[operation] as unknown as (id: string) => PromiseLike<TransactionExplanation>)(id),
    { everyMs: AGAIN_MS },
  );
  useClock(explanation.data?.now);
  return (
    <Loaded read={explanation} what="It could not be explained." lines={6}>
      {(data) => (
        <>
          <p class="explained">
            <Sentence text={data.summary} />
          </p>
          <Why explanation={data} ways={WAYS} />
          <Section title="What happened">
            <ExplanationTimeline explanation={data} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

/** By less, the clock of the browser may be wrong. */
const MOVED_MS = 60_000;

/** The page has times of its platform's clock, which is ahead if a sandbox has moved it. */
function useClock(now: string | undefined): void {
  useEffect(() => {
    const aheadMs = now === undefined ? 0 : Date.parse(now) - Date.now();
    clockOffsetMs.value = aheadMs >= MOVED_MS ? aheadMs : 0;
    return () => {
      clockOffsetMs.value = 0;
    };
  }, [now]);
}

/** Operators act by the buttons above, or by a command. */
const WAYS = {
  who: {
    TOKEN: 'The platform',
    OPERATOR: 'You',
    SERVICE: 'The service',
    RECEIVER: 'The platform’s endpoint',
  },
  act: ({ command }: { readonly command?: string | undefined }) =>
    command !== undefined && <Code text={command} label="corridor command" />,
};
