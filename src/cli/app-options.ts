import type { Logger } from 'pino';
import type { Config } from '#app/config.ts';
import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';
import { readTermsFile } from '#capabilities/customers/terms/terms-file.ts';
import { OperatorError } from '#cli/failure.ts';
import type { Database } from '#foundation/database/database.ts';
import { DatabaseClock } from '#foundation/database/database-clock.ts';
import { openServiceKey } from '#foundation/database/open-service-key.ts';
import { accessAtService } from '#foundation/http/serve/metrics-access.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import type { PersonSealing } from '#foundation/person-keys/person-keys.ts';
import { openStorage } from '#foundation/uploads/storage/open-storage.ts';

interface StartedParts extends PersonSealing {
  readonly database: Database;
  readonly log: Logger;
}

/** The parts that the app is built from, the same for the server and for a command. */
export async function appOptions(config: Config, parts: StartedParts) {
  return {
    ...parts,
    serviceKey: await openServiceKey(parts.database, parts.vault),
    clock: await DatabaseClock.open(parts.database),
    newId: newUuid,
    names: wireNames(config.serviceName),
    domains: { defaultUmaDomain: config.umaDomain, sandboxUmaDomains: config.sandboxUmaDomains },
    publicUrl: config.publicUrl,
    revealUrl: config.revealUrl,
    consoleSettings: config.console,
    sandboxReach: config.sandboxReach,
    trustedProxies: config.trustedProxies,
    passkeyOrigins: config.passkeyOrigins,
    terms: config.termsFile === undefined ? undefined : await ownTerms(config.termsFile),
    metricsAccess: accessAtService(config),
    storage: openStorage(config, systemClock),
    providers: config.providers,
    retentionYears: config.retentionYears,
    bankTextsKeptDays: config.bankTextsKeptDays,
    kept: config.kept,
  };
}

async function ownTerms(path: string): Promise<TermsVersion[]> {
  try {
    return await readTermsFile(path);
  } catch (error) {
    throw new OperatorError(`The file of TERMS_FILE cannot be used: ${(error as Error).message}`);
  }
}
