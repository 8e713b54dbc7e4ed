import { takeOwnership } from '../src/platform/database/data-folder.ts';

/** A process that owns a data folder until it is killed. */
const [, , folder = ''] = process.argv;
await takeOwnership(folder);
process.stdout.write('owned\n');
setInterval(() => {}, 60_000);
