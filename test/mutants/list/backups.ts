import type { Area } from '../mutation.ts';

const restores = ['test/restore.full.ts'];
const sealed = ['src/platform/secrets/sealed-file.test.ts'];
const checks = 'src/platform/database/without-checks.ts';
const snapshot = 'src/platform/database/snapshot.ts';
const sealedFile = 'src/platform/secrets/sealed-file.ts';

export const backups: Area = {
  name: 'backups',
  mutations: [
    {
      name: 'a backup is of several moments',
      file: snapshot,
      find: 'repeatable read, read only',
      replace: 'read committed, read only',
      tests: restores,
    },
    {
      name: 'triggers have their effect on restored rows again',
      file: checks,
      find: 'disable trigger user',
      replace: 'enable trigger user',
      tests: restores,
    },
    {
      name: 'a restored index of a partition serves its partition only',
      file: checks,
      find: '  if (parent !== null) await sql.unsafe(`alter index ${parent} attach partition ${name}`);\n',
      replace: '',
      tests: restores,
    },
    {
      name: 'numbers are given out again after a restore',
      file: snapshot,
      find: "else if ('sequence' in part) await setSequence(sql, { name: part.sequence, value: part.value });",
      replace: "else if ('sequence' in part) continue;",
      tests: restores,
    },
    {
      name: 'months of the past get no partition',
      file: snapshot,
      find: '    await ensureMonths(transaction, head.months);\n',
      replace: '',
      tests: restores,
    },
    {
      name: 'a restore begins before the file is known to be whole',
      file: 'src/cli/restore.ts',
      find: '  await verifyBackup(path, key, say);\n',
      replace: '',
      tests: restores,
    },
    {
      name: 'a backup of an earlier version is loaded into tables of this one',
      file: snapshot,
      find: '{ wanted: new Map(head.migrations), say }',
      replace: '{ say }',
      tests: restores,
    },
    {
      name: 'pieces may stand in any order',
      file: sealedFile,
      find: '  bytes.writeUIntBE(number, 5, 6);\n',
      replace: '',
      tests: sealed,
    },
    {
      name: 'a file may end after any piece',
      file: sealedFile,
      find: 'bytes.writeUInt8(isLast ? 1 : 0, 11);',
      replace: 'bytes.writeUInt8(0, 11);',
      tests: sealed,
    },
  ],
};
