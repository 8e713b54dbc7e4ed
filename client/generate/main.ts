import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programDocument } from '../../test/openapi/program-document.ts';
import { clientFiles } from './files.ts';

/** `npm run client`: generates the files of the client that follow from the API description. */

for (const [name, text] of Object.entries(clientFiles(await programDocument()))) {
  writeFileSync(join(import.meta.dirname, '..', name), text);
}
