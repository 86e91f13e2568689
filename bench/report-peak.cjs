// Preloaded into a Node program that is measured: writes the program's peak memory, in bytes, as it leaves.
const { writeFileSync } = require('node:fs');

const file = process.env.BENCH_PEAK_FILE;
process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
