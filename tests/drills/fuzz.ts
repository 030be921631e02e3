import { fuzzDrill } from '#tests/drills/fuzz-drill.ts';

/** `FUZZ_REQUESTS=50000 npm run drill:fuzz`; with `FUZZ_SEED` the same requests as before. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 50_000);
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
const { sent, statuses, problems } = await fuzzDrill({ requests, seed, say: (line) => console.log(line) });
console.log(`${sent} requests, answered with`);
for (const [status, count] of [...statuses].sort()) console.log(`  ${status}  ${count}`);
for (const problem of problems) console.log(`\n${problem.slice(0, 3_000)}`);
console.log(problems.length === 0 ? 'All is as it must be.' : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);
