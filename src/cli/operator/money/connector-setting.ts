import { readFile } from 'node:fs/promises';
import { OperatorError } from '#cli/failure.ts';

/** The options of `connector set`. */
export interface SetOptions {
  readonly url?: string;
  /** False: with `--no-client-certificate`. */
  readonly clientCertificate?: string | false;
  readonly clientKey?: string;
  readonly profile?: string;
}

/** The operation for these options: a connector over HTTP has a URL and perhaps a certificate; one by files has a profile. */
export async function readSetting(name: string, options: SetOptions) {
  const { url, clientCertificate: certificate, clientKey: key, profile } = options;
  const isOverHttp = url !== undefined || certificate !== undefined || key !== undefined;
  if (isOverHttp === (profile !== undefined)) {
    throw new OperatorError('Give --profile alone, or --url, a client certificate, or both of these.');
  }
  const params = { name };
  if (profile !== undefined)
    return { operation: 'setFilesProfile', params, body: { profile: await read(profile) } };
  const body = {
    ...{ url, withoutCertificate: certificate === false || undefined },
    ...(certificate && { certificate: await read(certificate) }),
    ...(key !== undefined && { privateKey: await read(key) }),
  };
  return { operation: 'setConnector', params, body };
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new OperatorError(`${path} cannot be read: ${error.message}`);
  });
}
