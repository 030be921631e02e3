import { killDrill } from '#tests/drills/kill-drill.ts';

/** `npm run drill -- 20`: how many times to kill the server or its database. */
const rounds = Number(process.argv[2] ?? 20);
const report = await killDrill({ rounds, callers: 8, say: (line) => console.log(line) });
console.log(`${rounds} kills: ${report.acknowledged} postings acknowledged and there, the ledger verifies,`);
console.log(`${report.events} events delivered in ${report.deliveries} deliveries.`);
