import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Argument, Command } from 'commander';
import { asDeveloper, onServer, type ServerOptions } from '#cli/developer/connect.ts';
import { UsageError } from '#cli/failure.ts';
import { printJson, printLine } from '#cli/print.ts';
import { parseServerUrl } from '#cli/server-url.ts';

/** The path of each page, the same on every server, and its description. */
const PAGES = {
  docs: ['/docs', 'the API reference'],
  sandbox: ['/docs/sandbox', 'every outcome that the sandbox can produce'],
  guides: ['/docs/guides', 'the guides and all other documents'],
  console: ['/console', 'the console, signed in with your token; the address works once'],
  health: ['/health/ready', 'whether the server works'],
} as const;

type PageName = keyof typeof PAGES;

const NAMES = Object.keys(PAGES) as PageName[];

interface OpenOptions extends ServerOptions {
  readonly print?: boolean;
}

/** `corridor open`: opens a page of the server in the browser. It prints the address as well, for machines without a browser. */
export function openCommand(): Command {
  const list = NAMES.map((name) => `  ${name.padEnd(9)}${PAGES[name][1]}`).join('\n');
  return onServer(new Command('open'))
    .addArgument(
      new Argument('[page]', 'which')
        .choices(NAMES)
        .default('docs')
        .argParser((text) => text.toLowerCase()),
    )
    .option('--print', 'only print its address')
    .addHelpText(
      'after',
      `\nPages:\n${list}\n\nExamples:\n  $ corridor open\n  $ corridor open sandbox\n  $ corridor open console`,
    )
    .action((page: string, options: OpenOptions) => open(page, options));
}

async function open(page: string, options: OpenOptions): Promise<void> {
  const { url, print = false, json = false } = options;
  if (url === undefined) {
    throw new UsageError(
      'CORRIDOR_URL is not set: paste the line that "npm start" printed as "In a shell", or give --url',
    );
  }
  const found = NAMES.find((name) => name === page);
  if (found === undefined)
    throw new UsageError(`there is no page ${page}: choose one of ${NAMES.join(', ')}`);
  const address =
    found === 'console' ? await consoleAddress(options) : new URL(PAGES[found][0], parseServerUrl(url)).href;
  const isOpened = !print && (await openInBrowser(address));
  if (json) printJson({ page: found, url: address, isOpened });
  else printLine(address);
}

/** A new address that signs in to the console as the token (operator.md §9.1). */
async function consoleAddress(options: ServerOptions): Promise<string> {
  let address = '';
  await asDeveloper(options, async (corridor) => {
    address = (await corridor.createConsoleSession()).url;
  });
  return address;
}

/** Returns false if this machine has no browser or no desktop. */
async function openInBrowser(address: string): Promise<boolean> {
  const { DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = process.env;
  const isDesktop = process.platform === 'darwin' || DISPLAY || WAYLAND_DISPLAY || WSL_DISTRO_NAME;
  if (!isDesktop) return false;
  const browser = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [address], {
    detached: true,
    stdio: 'ignore',
  });
  browser.unref();
  return once(browser, 'spawn').then(
    () => true,
    () => false,
  );
}
