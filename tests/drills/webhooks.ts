import { webhookDrill } from '#tests/drills/webhook-drill.ts';

/** `npm run drill:webhooks -- 20`: for how many seconds to measure webhooks without and with a busy account. */
const seconds = Number(process.argv[2] ?? 20);
await webhookDrill({ seconds, say: (line) => console.log(line) });
