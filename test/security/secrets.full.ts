import { after } from 'node:test';
import { listenForSecrets } from './secrets.ts';

await listenForSecrets({ after }, 1);
