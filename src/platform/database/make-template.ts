import { makeTemplate } from './data-directory.ts';

await makeTemplate();
