import { Filters, useFilters } from '../../ui/filters.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Items, PAGE } from './items.tsx';
import { SCOPE, sayCount, sayKind, scopeOf, useWork } from './kinds.tsx';

/** Answers: which money belongs to nobody yet, who owes us, and what did a card take that no account could pay for? */
export default function MoneyScreen() {
  const filters = useFilters(SCOPE);
  const scope = scopeOf(filters);
  const work = useWork(scope);
  const waiting = (work.data?.kinds ?? []).filter(({ concerns, count }) => concerns === 'money' && count > 0);
  return (
    <Screen
      title="Money"
      answer={
        work.data &&
        (waiting.length === 0 ? 'No money waits for a decision.' : 'This money waits for a decision.')
      }
      actions={
        <a class="button" href="/console/operator/accounts">
          Book a deposit on an account
        </a>
      }
    >
      <Filters fields={SCOPE} filters={filters} />
      <Loaded read={work} what="The work could not be loaded." lines={8}>
        {() =>
          waiting.length === 0 ? (
            <Empty title="All money is where it belongs.">
              <p>
                Money that arrives without a known owner, old debts, and payments that nobody reports on
                appear here.
              </p>
            </Empty>
          ) : (
            waiting.map((kind) => (
              <Section
                key={kind.kind}
                title={sayKind(kind)}
                hint={kind.count > PAGE ? `${sayCount(kind)} in total.` : undefined}
              >
                <Items kind={kind.kind} title={sayKind(kind)} scope={scope} />
              </Section>
            ))
          )
        }
      </Loaded>
    </Screen>
  );
}
