import Type from 'typebox';
import { type PlatformRecord, pagePlatforms } from '#capabilities/platform/platform-store.ts';
import { loadPlatform } from '#capabilities/platform/set-platform.ts';
import { loadProviderFields } from '#capabilities/platform/store.ts';
import { listWebhookKeys } from '#capabilities/platform/webhook-keys.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { ENVIRONMENTS, effectiveSettings } from '#foundation/lib/platform.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Platforms';

export const PLATFORM_LIST = recordList({
  name: 'platforms',
  area: AREA,
  summary: 'Platforms',
  isOfInstallation: true,
  filters: {
    environment: Type.Optional(stringEnum(ENVIRONMENTS, { description: 'Only those of this environment.' })),
  },
  item: Type.Object({
    id: shown.id('Platform', 'The platform.'),
    name: shown.own('Its name.'),
    environment: shown.code('Its environment.', ENVIRONMENTS),
    createdAt: shown.time('When it was created.'),
    disabledAt: shown.time('When its tokens and links were refused; null: they are accepted.'),
  }),
  async page(tx, request, { environment }) {
    const found = await pagePlatforms(tx, request, { environment });
    return { ...found, data: found.data.map(presentListed) };
  },
});

export function presentListed({ id, name, environment, createdAt, disabledAt }: PlatformRecord) {
  return { id: publicId('Platform', id), name, environment, createdAt, disabledAt };
}

export const PLATFORM_SHOW = recordShow({
  name: 'platforms',
  area: AREA,
  summary: 'A platform with its settings and public keys',
  type: 'Platform',
  // The name of a platform is no person's.
  item: Type.Object({ name: shown.own('Its name.') }),
  load: presentWhole,
});

async function presentWhole(tx: ReadTx, platformId: PlatformId) {
  const platform = await loadPlatform(tx.runtime, platformId);
  return {
    ...presentListed(platform),
    settings: effectiveSettings(platform.environment, platform.explicitSettings),
    providerFields: await loadProviderFields(tx),
    webhookKeys: await listWebhookKeys(tx),
  };
}
