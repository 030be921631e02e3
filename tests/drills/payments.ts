import { paymentDrill } from '#tests/drills/payment-drill.ts';

/** `npm run drill:payments -- 50 [seed]`: how many times to kill the server or its database under payments. */
const rounds = Number(process.argv[2] ?? 50);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);
const report = await paymentDrill({ rounds, clients: 6, seed, say: (line) => console.log(line) });
console.log(`${rounds} kills: ${report.payments} payments and all balances stand as in an undisturbed run,`);
console.log(`${report.events} events delivered in ${report.deliveries} deliveries, the ledger verifies.`);
console.log(`${report.questionsLost} questions to the platform were cut off by a kill.`);
for (const [end, count] of Object.entries(report.ends).sort()) console.log(`  ${count} ${end}`);
