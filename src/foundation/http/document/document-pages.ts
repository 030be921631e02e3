import { glob, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { type CachedContent, cacheContent, sendCached } from '#foundation/http/document/cached-content.ts';
import { parseContents, parseOutline, renderMarkdown } from '#foundation/http/document/markdown.ts';
import {
  FRAME_SCRIPT,
  FRAME_STYLE,
  type PageLink,
  type ReadingFrame,
  renderFrame,
} from '#foundation/http/document/reading-frame.ts';
import { html, renderHtmlPage } from '#foundation/http/html-page.ts';
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

/** The pictures of the documents, which `npm run pictures` draws. */
const PICTURE = '.webp';

/** The guides that come first, in the order in which a reader needs them; others follow by name. */
const FIRST_GUIDES = ['first-payment', 'webhooks', 'onboarding', 'real-time-funding', 'uma', 'wallets'];

/** The file of each address, and the address of each file. */
interface Library {
  readonly fileOf: ReadonlyMap<string, string>;
  readonly urlOf: ReadonlyMap<string, string>;
  /** What every page links to, in the order in which a reader needs it. */
  readonly guides: readonly Entry[];
  readonly references: readonly Entry[];
}

interface Entry extends PageLink {
  readonly summary: string;
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
    const make = () => (file.endsWith(PICTURE) ? readPicture(file) : documentPage(file, known, parts));
    return sendCached(request, reply, await keep(url, make));
  });
}

async function openLibrary(): Promise<Library> {
  const found = (await Array.fromAsync(glob('docs/**/*.md', { cwd: ROOT }))).sort();
  const own = found.map((file) => [file, `/${file.replace(/(\/README)?\.md$/, '')}`] as const);
  // An image contains only the files that it needs to run; no page links to the documents it lacks.
  const there = await Array.fromAsync(glob(Object.keys(ELSEWHERE), { cwd: ROOT }));
  const others = Object.entries(ELSEWHERE).filter(([file]) => there.includes(file));
  const pictures = await Array.fromAsync(glob(`docs/pictures/*${PICTURE}`, { cwd: ROOT }));
  const urlOf = new Map([...own, ...others, ...pictures.map((file) => [file, `/${file}`] as const)]);
  const guides = (await readEntries(own, 'docs/guides')).sort((a, b) => placeOf(a) - placeOf(b));
  const references = await readEntries(own, 'docs');
  return { urlOf, fileOf: new Map([...urlOf].map(([file, url]) => [url, file])), guides, references };
}

function readEntries(files: readonly (readonly [string, string])[], folder: string): Promise<Entry[]> {
  const inside = files.filter(([file]) => dirname(file) === folder);
  return Promise.all(
    inside.map(async ([file, url]) => ({ url, ...parseOutline(await readFile(join(ROOT, file), 'utf8')) })),
  );
}

function placeOf({ url }: Entry): number {
  return FIRST_GUIDES.indexOf(url.replace(/^.*\//, '')) + 1 || FIRST_GUIDES.length + 1;
}

async function readPicture(file: string): Promise<CachedContent> {
  return cacheContent(await readFile(join(ROOT, file)), { 'content-type': 'image/webp' });
}

async function documentPage(
  file: string,
  library: Library,
  { publicUrl, basePath }: DocumentPageParts,
): Promise<CachedContent> {
  const text = (await readFile(join(ROOT, file), 'utf8'))
    .replaceAll(DEFAULT_BASE_URL, `${publicUrl()}${basePath}`)
    .replaceAll(DEFAULT_ORIGIN, publicUrl());
  return page(library, parseOutline(text).title, {
    url: library.urlOf.get(file) ?? '',
    contents: parseContents(text).map(({ anchor, title }) => ({ url: `#${anchor}`, title })),
    main: renderMarkdown(text, (href) => linkFrom(file, href, library)),
  });
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
  const list = (entries: readonly Entry[]) =>
    html`<dl>${entries.map(({ url, title, summary }) => html`<dt><a href="${url}">${title}</a></dt><dd>${summary}</dd>\n`)}</dl>`;
  return page(library, 'Guides', {
    url: '/docs/guides',
    contents: [],
    main: html`<h1>Guides</h1>
<p>Each takes a few minutes in your own sandbox. We run every command in them before each release.</p>
${list(library.guides)}
<h2>Reference</h2>
${list(library.references)}
<p><a href="/docs/rules">The numbered rules</a> that the service follows, and <a href="/docs/decisions">the decisions</a> behind
its design.</p>
`,
  });
}

async function page(
  { guides, references }: Library,
  title: string,
  frame: Omit<ReadingFrame, 'places'>,
): Promise<CachedContent> {
  const places = [
    { title: 'Guides', links: guides },
    { title: 'Reference', links: [...references, ...MORE] },
  ];
  const { text, headers } = renderHtmlPage({
    status: 200,
    title: `${title} – Corridor`,
    body: renderFrame({ ...frame, places }),
    style: FRAME_STYLE,
    script: FRAME_SCRIPT,
    images: "'self'",
    isShared: true,
    cacheControl: 'no-cache',
  });
  return cacheContent(text, headers);
}

const MORE: readonly PageLink[] = [
  { url: '/docs/rules', title: 'Rules' },
  { url: '/docs/decisions', title: 'Decisions' },
];
