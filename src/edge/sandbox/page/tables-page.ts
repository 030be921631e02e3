import type { FastifyInstance } from 'fastify';
import { formatDuration } from '#edge/sandbox/delays-table.ts';
import { rowsOf, SANDBOX_TABLES } from '#edge/sandbox/page/tables.ts';
import { UMA_DOMAIN_PLACEHOLDER } from '#edge/sandbox/rails/uma-table.ts';
import type { SandboxRow, SandboxTable } from '#edge/sandbox/table.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { type CachedContent, cacheContent, sendCached } from '#foundation/http/document/cached-content.ts';
import { anchorOf } from '#foundation/http/document/reference-page.ts';
import { type Html, html, READING_STYLE, renderHtmlPage } from '#foundation/http/html-page.ts';

export interface SandboxPageParts {
  operations(): readonly NamedOperation[];
  /** The domain whose addresses produce scenarios. */
  readonly umaDomain: string;
}

/** `/docs/sandbox`: everything that a developer can trigger, from the tables that the sandbox's adapters use. */
export function registerSandboxPage(app: FastifyInstance, parts: SandboxPageParts): void {
  let page: Promise<CachedContent> | undefined;
  app.get('/docs/sandbox', async (request, reply) => {
    page ??= keepPage(parts);
    return sendCached(request, reply, await page);
  });
}

function keepPage(parts: SandboxPageParts): Promise<CachedContent> {
  const { text, headers } = renderHtmlPage({
    status: 200,
    title: 'Test values of the sandbox',
    body: pageBody(parts),
    style: STYLE,
    cacheControl: 'no-cache',
  });
  return cacheContent(text, headers);
}

function pageBody({ operations: list, umaDomain }: SandboxPageParts): Html {
  const operations = list();
  const own = operations.filter(({ area }) => area === 'Sandbox');
  return html`<header>
<nav class="pages" aria-label="Documentation">
<a href="/docs/">API reference</a>
<a href="/docs/guides">Guides</a>
<a href="/docs/sandbox" aria-current="page">Sandbox</a>
</nav>
<h1>Test values of the sandbox</h1>
<p>The sandbox sends no payment, request or message to the outside world. The values that you send decide how the outside
world reacts: each table says where to send a value and what happens then. A click selects a value to copy. In production
these values have no special meaning. Agents have no values of their own; the values of the accounts that they use
apply.</p>
<nav aria-label="On this page">
<ul>
<li><a href="#calls">Calls of the sandbox</a></li>
${SANDBOX_TABLES.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>
</header>
<main>
<section aria-labelledby="calls">
<h2 id="calls">Calls of the sandbox</h2>
<dl>
${own.map(callEntry)}</dl>
</section>
${SANDBOX_TABLES.map((table) => tableSection(table, operations, umaDomain))}</main>`;
}

function callEntry(operation: NamedOperation): Html {
  return html`<dt>${operationLink(operation)} <code>${operation.method} ${operation.path}</code></dt>
<dd>${prose(operation.description ?? operation.summary)}</dd>
`;
}

function tableSection(table: SandboxTable, operations: readonly NamedOperation[], umaDomain: string): Html {
  const rows = rowsOf(table);
  const isTimed = rows.some(({ overAfterMs }) => overAfterMs !== undefined);
  const named = table.operations.flatMap((id) => operations.filter((operation) => operation.id === id));
  return html`<section>
<h2 id="${table.id}">${table.title}</h2>
<p>${prose(table.intro)}</p>
<p class="soft">Applies to: ${named.map((operation, i) => [i > 0 && ', ', operationLink(operation)])}.</p>
<div class="wide" tabindex="0" role="region" aria-labelledby="${table.id}">
<table>
<thead><tr><th scope="col">${table.column}</th><th scope="col">To copy</th><th scope="col">What happens</th>
<th scope="col">What the API shows</th>${isTimed && html`<th scope="col">Over after</th>`}</tr></thead>
<tbody>
${rows.map((row) => tableRow(row, isTimed, umaDomain))}</tbody>
</table>
</div>
</section>
`;
}

function tableRow(row: SandboxRow, isTimed: boolean, umaDomain: string): Html {
  const { value, example, effect, shows, overAfterMs } = row;
  const shown = Object.entries(shows).map(
    ([path, what]) => html`<li><code>${path}: ${String(what)}</code></li>`,
  );
  return html`<tr><th scope="row">${value}</th>
<td><code class="copy">${example.replace(UMA_DOMAIN_PLACEHOLDER, umaDomain)}</code></td>
<td>${prose(effect)}</td>
<td><ul>${shown}</ul></td>${
    isTimed &&
    html`
<td>${overAfterMs === undefined ? 'at once' : formatDuration(overAfterMs)}</td>`
  }</tr>
`;
}

function operationLink(operation: NamedOperation): Html {
  return html`<a href="/docs/#${anchorOf(operation)}">${operation.summary}</a>`;
}

/** Text between backticks becomes code. */
function prose(text: string): Html[] {
  return text.split('`').map((piece, i) => (i % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`));
}

const STYLE = `${READING_STYLE}
header, main { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
main { padding-bottom: 4rem; }
header > p { max-width: 46rem; }
.pages { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: 1rem; }
nav ul { columns: 18rem; padding-left: 1.2rem; margin: 1rem 0; }
section > p { max-width: 46rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .75rem; max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
thead th { white-space: nowrap; }
tbody th { font-weight: 600; }
td ul { list-style: none; margin: 0; padding: 0; }
td ul code { white-space: nowrap; }
code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--tint);
  border-radius: .25rem; padding: .1rem .3rem; overflow-wrap: anywhere; }
.copy { user-select: all; white-space: nowrap; cursor: copy; }
`;
