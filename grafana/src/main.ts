/**
 * Writes the dashboards as JSON into a folder: `node target/main.js FOLDER`. With `--check`, compares instead, and
 * ends with 1 if a committed file is not what the sources give.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backends } from './backends';
import { herd } from './herd';
import { instrument } from './instrument';
import { proxies } from './proxies';

const checking = process.argv.includes('--check');
const folder = process.argv[process.argv.length - 1] ?? '';
const dashboards = { herd: herd(), proxies: proxies(), backends: backends(), instrument: instrument() };

for (const [name, dashboard] of Object.entries(dashboards)) {
  const file = join(folder, `${name}.json`);
  const text = `${JSON.stringify(dashboard, null, 2)}\n`;
  if (!checking) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file}: not what grafana/src gives (expected: npm run build, and the result committed)`);
    process.exitCode = 1;
  }
}
