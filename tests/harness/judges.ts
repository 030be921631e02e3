import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';

/**
 * External programs that some tests need: to view a page as people do, to verify a signature independently, to run a
 * guide's code in another language. `npm ci` does not install them.
 */
export const JUDGES = {
  chromium: {
    name: 'Chromium',
    probe: 'command -v chromium || command -v chromium-browser || command -v google-chrome',
    packages: 'chromium',
  },
  openssl: { name: 'OpenSSL', probe: 'openssl version', packages: 'openssl' },
  python: {
    name: 'Python with its package cryptography',
    probe: 'python3 -c "import cryptography"',
    packages: 'python3 python3-cryptography',
  },
  go: { name: 'Go', probe: 'go version', packages: 'golang-go' },
  java: {
    name: 'a JDK',
    probe: 'java --list-modules | grep jdk.compiler',
    packages: 'default-jdk-headless',
  },
  xmllint: {
    name: 'xmllint with the schemas of hbci4java',
    probe: 'xmllint --version && test -f /usr/share/java/hbci4j-core.jar && python3 --version',
    packages: 'libxml2-utils libhbci4j-core-java python3',
  },
  samples: {
    name: 'the example messages of ISO 20022 in Tryton’s module for SEPA',
    probe:
      'test -f /usr/lib/python3/dist-packages/trytond/modules/account_payment_sepa/tests/camt.054.001.02.xml',
    packages: 'tryton-modules-account-payment-sepa',
  },
  aqbanking: { name: 'aqbanking-cli', probe: 'command -v aqbanking-cli', packages: 'aqbanking-tools' },
} as const;

export type Judge = keyof typeof JUDGES;

/** The user's PATH, without the entries that npm adds for its scripts. */
export const USERS_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .join(delimiter);

/**
 * Why a test that needs this program is skipped on this machine; false if it runs. With `REQUIRE_JUDGES=1` every test runs,
 * and fails if its program is missing.
 */
export async function skipWithout(judge: Judge): Promise<string | false> {
  return REQUIRED || (await isInstalled(judge)) ? false : describeLack(judge);
}

/** Whether a missing program makes its tests fail. */
export const REQUIRED = process.env.REQUIRE_JUDGES === '1';

export function describeLack(judge: Judge): string {
  const { name, packages } = JUDGES[judge];
  return `${name} is not installed. On Debian: apt-get install ${packages}`;
}

async function isInstalled(judge: Judge): Promise<boolean> {
  const env = { ...process.env, PATH: USERS_PATH };
  return promisify(execFile)('bash', ['--norc', '-c', JUDGES[judge].probe], { env }).then(
    () => true,
    () => false,
  );
}

/** Whether a test was skipped for the lack of such a program. */
export function isForLackOfJudge(reason: string): boolean {
  return / is not installed\. On Debian: /.test(reason);
}
