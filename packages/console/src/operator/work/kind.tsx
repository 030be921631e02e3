import { useRoute } from 'preact-iso/router';
import { Filters, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { sayName } from '../../ui/text.tsx';
import { Items } from './items.tsx';
import { SCOPE, sayKind, scopeOf, useWork } from './kinds.tsx';

/** Answers: what exactly waits, of one kind? */
export default function WorkOfKind() {
  const { kind = '' } = useRoute().params;
  const filters = useFilters(SCOPE);
  const scope = scopeOf(filters);
  const work = useWork(scope);
  const own = work.data?.kinds.find((one) => one.kind === kind);
  const title = sayName(kind.replaceAll('-', '_').toUpperCase());
  return (
    <Screen title={title} answer={own && `${sayKind(own)}, the oldest first.`}>
      <Filters fields={SCOPE} filters={filters} />
      <Items key={kind} kind={kind} title={title} scope={scope} />
    </Screen>
  );
}
