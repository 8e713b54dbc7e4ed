import { runCommand } from './cli/main.ts';

await runCommand(process.argv);
