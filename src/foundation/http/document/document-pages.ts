import { glob, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { type CachedContent, cacheContent, sendCached } from '#foundation/http/document/cached-content.ts';
import { parseOutline, renderMarkdown } from '#foundation/http/document/markdown.ts';
import { type Html, html, READING_STYLE, renderHtmlPage } from '#foundation/http/html-page.ts';
import { noSuchPath } from '#foundation/http/serve/errors.ts';

/** The folder above src/. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Documents outside docs/ that other documents link to. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': '/docs/readme',
  'CHANGELOG.md': '/docs/changelog',
  'CONTRIBUTING.md': '/docs/contributing',
  'SECURITY.md': '/docs/security',
  'deploy/README.md': '/docs/deploying',
  'packages/client/README.md': '/docs/client',
  'src/capabilities/payments/README.md': '/docs/payments-folder',
};

/** The guides that come first, in the order in which a reader needs them; others follow by name. */
const FIRST_GUIDES = ['first-payment', 'webhooks', 'onboarding', 'real-time-funding', 'uma', 'wallets'];

/** The file of each address, and the address of each file. */
interface Library {
  readonly fileOf: ReadonlyMap<string, string>;
  readonly urlOf: ReadonlyMap<string, string>;
}

/** The address in the documents: that of a service without settings. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:8080';
const DEFAULT_BASE_URL = `${DEFAULT_ORIGIN}/svc/2025-10-13`;

export interface DocumentPageParts {
  /** The URL of the service, without the base path; known once it listens. */
  publicUrl(): string;
  readonly basePath: string;
}

/**
 * Serves `/docs/guides`, each guide and every other document of the repository as a page, from the same text. A page is
 * rendered at its first request and cached. It shows the address that it is served from. `/` redirects browsers to it.
 */
export function registerDocumentPages(app: FastifyInstance, parts: DocumentPageParts): void {
  let library: Promise<Library> | undefined;
  const pages = new Map<string, Promise<CachedContent>>();
  const keep = (url: string, make: () => Promise<CachedContent>): Promise<CachedContent> => {
    const page = pages.get(url) ?? make();
    pages.set(url, page);
    page.catch(() => pages.delete(url));
    return page;
  };
  const open = (): Promise<Library> => {
    library ??= openLibrary();
    // The next request tries again.
    library.catch(() => {
      library = undefined;
    });
    return library;
  };
  app.get('/', async (request, reply) => {
    // Programs accept JSON, or any type.
    if (!request.headers.accept?.match(/\btext\/html\b/)) throw noSuchPath();
    return reply.redirect('/docs/guides', 302);
  });
  app.get('/docs/guides', async (request, reply) =>
    sendCached(request, reply, await keep('/docs/guides', async () => indexPage(await open()))),
  );
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const url = `/docs/${request.params['*']}`;
    const known = await open();
    // Only addresses of documents get past this check, so the cache holds a few dozen pages.
    const file = known.fileOf.get(url);
    if (file === undefined) throw noSuchPath();
    return sendCached(request, reply, await keep(url, () => documentPage(file, known, parts)));
  });
}

async function openLibrary(): Promise<Library> {
  const found = (await Array.fromAsync(glob('docs/**/*.md', { cwd: ROOT }))).sort();
  const own = found.map((file) => [file, `/${file.replace(/(\/README)?\.md$/, '')}`] as const);
  // An image contains only the files that it needs to run; no page links to the documents it lacks.
  const there = await Array.fromAsync(glob(Object.keys(ELSEWHERE), { cwd: ROOT }));
  const others = Object.entries(ELSEWHERE).filter(([file]) => there.includes(file));
  const urlOf = new Map([...own, ...others]);
  return { urlOf, fileOf: new Map([...urlOf].map(([file, url]) => [url, file])) };
}

async function documentPage(
  file: string,
  library: Library,
  { publicUrl, basePath }: DocumentPageParts,
): Promise<CachedContent> {
  const text = (await readFile(join(ROOT, file), 'utf8'))
    .replaceAll(DEFAULT_BASE_URL, `${publicUrl()}${basePath}`)
    .replaceAll(DEFAULT_ORIGIN, publicUrl());
  const { title } = parseOutline(text);
  return page(title, html`<main>${renderMarkdown(text, (href) => linkFrom(file, href, library))}</main>`);
}

/** The URL of a document's link on the pages; undefined: the file is not shown here. */
function linkFrom(file: string, href: string, { urlOf }: Library): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
  const url = urlOf.get(target) ?? urlOf.get(`${target}/README.md`);
  return url === undefined ? undefined : url + (anchor === undefined ? '' : `#${anchor}`);
}

async function indexPage(library: Library): Promise<CachedContent> {
  const entries = await Promise.all(
    [...library.urlOf].map(async ([file, url]) => {
      const { title, summary } = parseOutline(await readFile(join(ROOT, file), 'utf8'));
      return { folder: dirname(file), name: url.replace(/^.*\//, ''), url, title, summary };
    }),
  );
  const place = ({ name }: { name: string }) => FIRST_GUIDES.indexOf(name) + 1 || FIRST_GUIDES.length + 1;
  const guides = entries.filter(({ folder }) => folder === 'docs/guides').sort((a, b) => place(a) - place(b));
  const others = entries.filter(({ folder }) => folder === 'docs');
  const list = (these: typeof entries) =>
    html`<dl>${these.map(({ url, title, summary }) => html`<dt><a href="${url}">${title}</a></dt><dd>${summary}</dd>\n`)}</dl>`;
  return page(
    'Guides',
    html`<main>
<h1>Guides</h1>
<p>Each takes a few minutes in your own sandbox. We run every command in them before each release.</p>
${list(guides)}
<h2>Reference</h2>
${list(others)}
<p><a href="/docs/rules">The numbered rules</a> that the service follows, and <a href="/docs/decisions">the decisions</a> behind
its design.</p>
</main>`,
  );
}

async function page(title: string, main: Html): Promise<CachedContent> {
  const body = html`<header>
<nav aria-label="Documentation">
<a href="/docs/">API reference</a>
<a href="/docs/guides">Guides</a>
<a href="/docs/sandbox">Sandbox</a>
</nav>
</header>
${main}`;
  const { text, headers } = renderHtmlPage({
    status: 200,
    title: `${title} – Corridor`,
    body,
    style: STYLE,
    cacheControl: 'no-cache',
  });
  return cacheContent(text, headers);
}

const STYLE = `${READING_STYLE}
header { max-width: 46rem; margin: 0 auto; padding: 1.25rem 1.25rem 0; }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
main { max-width: 46rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .75rem; }
li { margin: 0 0 .35rem; overflow-wrap: anywhere; }
code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--tint);
  border-radius: .25rem; padding: .1rem .3rem; overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem 1rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
blockquote { margin: 0 0 .75rem; padding-left: 1rem; border-left: 3px solid var(--line); }
`;
