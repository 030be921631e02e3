import { processDrill } from '#tests/drills/process-drill.ts';

/** `npm run drill:processes -- 60 [seed]`: for how many seconds two API processes and two workers are under load. */
const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);
const report = await processDrill({ seconds, platforms: 3, clients: 8, seed });
console.log(`${seconds} s: ${report.payments} payments and all balances stand as in the model,`);
console.log(
  `${report.refusals} calls were refused as they should, ${report.events} events delivered in order,`,
);
console.log(`the ledger verifies, ${report.deadlocks} deadlocks.`);
for (const [end, count] of Object.entries(report.ends).sort()) console.log(`  ${count} ${end}`);
