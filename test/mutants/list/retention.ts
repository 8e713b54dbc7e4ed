import type { Area } from '../mutation.ts';

const tests = ['src/retention/retention.full.ts'];
const ofMessages = 'src/messaging/messages/retention-store.ts';
const ofEvents = 'src/events/retention-store.ts';
const rows = 'src/retention/rows-store.ts';
const parts = 'src/retention/parts-store.ts';
const retention = 'src/retention/retention.ts';
const files = 'src/retention/archive-files.ts';
const archives = 'src/retention/archive.ts';

export const retentions: Area = {
  name: 'retention',
  mutations: [
    {
      name: 'queued messages are removed',
      file: ofMessages,
      find: '${message}.is_queued is not true\n',
      replace: 'true\n',
      tests,
    },
    {
      name: 'messages that a scenario has not heard are removed',
      file: ofMessages,
      find: '      and message_id = ${message}.id',
      replace: '      and message_id is null',
      tests,
    },
    {
      name: 'a month with queued messages is dropped',
      file: ofMessages,
      find: 'where is_queued)',
      replace: 'where false)',
      tests,
    },
    {
      name: 'a month with kept events is dropped',
      file: ofEvents,
      find: "where state = 'KEPT')",
      replace: 'where false)',
      tests,
    },
    {
      name: 'kept events are removed',
      file: ofEvents,
      find: "in ('DELIVERED', 'FAILED')",
      replace: "in ('DELIVERED', 'FAILED', 'KEPT')",
      tests,
    },
    {
      name: 'a row that has changed since its archive is removed',
      file: ofMessages,
      find: 'and messages is not distinct from given and',
      replace: 'and',
      tests,
    },
    {
      name: 'a legal hold is not read by the deletion',
      file: rows,
      find: 'and legal_hold)',
      replace: 'and false)',
      tests,
    },
    {
      name: 'a dropped month is not taken from the counts',
      file: parts,
      find: 'await countedRows(sql, table,',
      replace: 'countedRows(sql, table,',
      tests,
    },
    {
      name: 'the mailings of a dropped month are forgotten',
      file: parts,
      find: '  await addRemoved(sql, mailings);\n',
      replace: '',
      tests,
    },
    {
      name: 'a month is dropped although a project keeps it',
      file: retention,
      find: 'units.length === there.length && ',
      replace: '',
      tests,
    },
    {
      name: 'a hold during the count of a month is not seen',
      file: retention,
      find: '(await projectsIn(transaction, part)).every(mayLose)',
      replace: "(await projectsIn(transaction, part)).length >= 0 || mayLose('')",
      tests,
    },
    {
      name: 'rows of other months in the default partition are archived too',
      file: rows,
      find: 'and ${isOfMonth(sql, sql`old`, month)} and ${mayGo',
      replace: 'and ${mayGo',
      tests,
    },
    {
      name: 'a run over a large month begins its archive anew',
      file: archives,
      find: '{ ...everything, after: earlier.at(-1)?.last_key ?? null }',
      replace: 'everything',
      tests,
    },
    {
      name: 'what changes between the runs over a large month is not archived',
      file: archives,
      find: 'if (digest !== archive.digest) {',
      replace: 'if (digest === null) {',
      tests,
    },
    {
      name: 'an archive is not compared with its manifest',
      file: files,
      find: "if (rows !== manifest.row_count || hash.digest('hex') !== manifest.sha256)",
      replace: "if (rows < 0 || hash.digest('hex') === '')",
      tests,
    },
    {
      name: 'an archive opens under the name of another',
      file: files,
      find: 'createGzip()), config, stem(name));',
      replace: 'createGzip()), config);',
      tests: ['src/retention/archive-files.test.ts'],
    },
    {
      name: 'outside ids of removed messages stay',
      file: 'src/messaging/chats/external-ids-store.ts',
      find: 'and message_id = old.id',
      replace: 'and message_id is null and old.id is null',
      tests,
    },
    {
      name: 'a recount takes the removed messages away',
      file: 'src/mailings/removed-store.ts',
      find: 'from mailing_removed where ${ofMailing}',
      replace: 'from mailing_removed where ${ofMailing} and false',
      tests,
    },
    {
      name: 'files of scenarios go with messages',
      file: 'src/messaging/attachments/store.ts',
      find: 'coalesce(of_message, uploaded_by is not null or exists (',
      replace: 'coalesce(true, uploaded_by is not null or exists (',
      tests,
    },
    {
      name: 'the numbers of scenarios of all projects go',
      file: 'src/scenarios/counts-store.ts',
      find: 'where project_id = ${projectId} and day < (',
      replace: 'where day < (',
      tests: ['src/retention/retention.full.ts'],
    },
    {
      name: 'the numbers of a scenario go a day too early',
      file: 'src/scenarios/counts-store.ts',
      find: 'and day < (${before}',
      replace: 'and day <= (${before}',
      tests: ['src/retention/retention.full.ts'],
    },
    {
      name: 'only the first numbers of scenarios go',
      file: 'src/retention/retention.ts',
      find: 'while ((await forgetCounts(tools.sql, projectId, before, countsAtOnce)) === countsAtOnce)',
      replace: 'if ((await forgetCounts(tools.sql, projectId, before, countsAtOnce)) === 0)',
      tests: ['src/retention/retention.full.ts'],
    },
  ],
};
