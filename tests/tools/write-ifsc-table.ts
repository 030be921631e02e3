import { readFile, writeFile } from 'node:fs/promises';
import { encodeBranches, TABLE_PATH } from '#capabilities/external-accounts/types/ifsc.ts';

/**
 * Regenerates the table of bank branches in India (decision 0009): `npm run ifsc -- IFSC.json`, with the file of that name
 * from a release of github.com/razorpay/ifsc, which collects the data of the Reserve Bank of India.
 */
const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('name the IFSC.json to read');
const published = JSON.parse(await readFile(path, 'utf8')) as Record<string, (string | number)[]>;
await writeFile(TABLE_PATH, `${JSON.stringify(encodeBranches(published), undefined, 2)}\n`);
