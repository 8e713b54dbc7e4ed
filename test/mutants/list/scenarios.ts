import type { Area } from '../mutation.ts';

const hearing = ['src/scenarios/hearing.test.ts'];
const keywords = ['src/scenarios/keywords.test.ts'];
const events = ['src/scenarios/runs/events.test.ts'];
const waiting = ['src/scenarios/event-starts-store.test.ts'];
const dates = ['src/scenarios/date-starts.test.ts'];
const ofMailings = ['src/scenarios/runs/mailing.test.ts'];
const openings = ['src/scenarios/runs/openings.test.ts'];
const order = ['src/scenarios/runs/order.test.ts'];
const starters = ['src/people/console/scenarios/starters/starters.test.ts'];

export const scenarios: Area = {
  name: 'scenarios',
  mutations: [
    {
      name: 'a mailing that waits for its channel ends the conversation of its client',
      file: 'src/scenarios/runs/record.ts',
      find: 'gives_back: run.displaces && ends && (run.start_id !== null || isOver),',
      replace: 'gives_back: false,',
      tests: ofMailings,
    },
    {
      name: 'a scenario goes on before its first message was sent',
      file: 'src/scenarios/runs/turn.ts',
      find: 'isOpening: run.start_id !== null })',
      replace: 'isOpening: false })',
      tests: ofMailings,
    },
    {
      name: 'a run that was put aside goes on in its chat',
      file: 'src/scenarios/openings-store.ts',
      find: "set status = 'ended', due_at = null,",
      replace: "set status = 'ended',",
      tests: ofMailings,
    },
    {
      name: 'a scenario begins whose first message did not arrive',
      file: 'src/scenarios/openings-store.ts',
      find: "case when openings.due_at is null then array['SENT', 'DELIVERED', 'READ'] else array['PENDING'] end",
      replace: "array['PENDING', 'SENT', 'DELIVERED', 'READ', 'UNDELIVERED']",
      tests: ofMailings,
    },
    {
      name: 'a scenario begins before the client was heard by the one before',
      file: 'src/scenarios/openings-store.ts',
      find: '${runs}.unheard > 0 or ${runs}.state is null',
      replace: '${runs}.state is null',
      tests: ofMailings,
    },
    {
      name: 'a run that has not begun keeps what the client wrote to their conversation',
      file: 'src/scenarios/runs/turn.ts',
      find: 'if (mail && run.start_id === null) return',
      replace: 'if (mail) return',
      tests: openings,
    },
    {
      name: 'a scenario begins although the client has just written to the one before',
      file: 'src/scenarios/openings-store.ts',
      find: 'where not ${isBusyRun(sql, sql`scenario_runs`)}',
      replace: '',
      tests: openings,
    },
    {
      name: 'a keyword begins before an earlier message was handled',
      file: 'src/scenarios/hearing-store.ts',
      find: "scenario_runs.status = 'running' and scenario_runs.unheard > 0",
      replace: 'false',
      tests: order,
    },
    {
      name: 'a keyword is lost when the run before it ends',
      file: 'src/scenarios/runs-store.ts',
      find: ' and not ${followsStart(sql)}',
      replace: '',
      tests: order,
    },
    {
      name: 'a change begins its scenario before an earlier message was handled',
      file: 'src/scenarios/event-starts-store.ts',
      find: ' or ${runs}.unheard > 0',
      replace: '',
      tests: order,
    },
    {
      name: 'a start leaves the one before that has sent nothing yet',
      file: 'src/scenarios/starts-store.ts',
      find: 'openings.due_at is not null for update',
      replace: 'openings.due_at is null for update',
      tests: ofMailings,
    },
    {
      name: 'a conversation does not come back after a message that failed late',
      file: 'src/scenarios/runs/claim.ts',
      find: 'if (failed.length > 0) await endFailed(sql, leased.projectId, failed, leased.now);',
      replace: '',
      tests: ofMailings,
    },
    {
      name: 'a scenario goes on after a mailing’s message that did not arrive',
      file: 'src/messaging/messages/scenario-store.ts',
      find: " or ${message}.source = 'mailing' and ${message}.state in ('UNDELIVERED', 'ERROR')",
      replace: '',
      tests: ofMailings,
    },
    {
      name: 'an answer to a question that is being sent is lost',
      file: 'src/scenarios/openings-store.ts',
      find: 'then scenario_runs.unheard else 0 end',
      replace: 'then 0 else 0 end',
      tests: ofMailings,
    },
    {
      name: 'a merged client is started by the same day again',
      file: 'src/messaging/chats/learn-phone.ts',
      find: '    await carryDateStarts(sql, projectId, merged);\n',
      replace: '',
      tests: dates,
    },
    {
      name: 'a start that waits outlives its starter',
      file: 'src/scenarios/event-starts-store.ts',
      find: ' and not is_called_off',
      replace: '',
      tests: waiting,
    },
    {
      name: 'a keyword with stars restarts its own scenario',
      file: 'src/scenarios/hearing-store.ts',
      find: ' and starters.scenario_id is distinct from running_id',
      replace: '',
      tests: hearing,
    },
    {
      name: 'of keywords with stars the shortest goes first',
      file: 'src/scenarios/hearing-store.ts',
      find: 'order by chat_id, rank, precision desc, scenario_id',
      replace: 'order by chat_id, rank, precision, scenario_id',
      tests: hearing,
    },
    {
      name: 'a disabled keyword starts its scenario',
      file: 'src/scenarios/hearing-store.ts',
      find: 'and starters.is_enabled and (',
      replace: 'and (',
      tests: hearing,
    },
    {
      name: 'a percent sign in a keyword stands for any text',
      file: 'src/scenarios/keywords.ts',
      find: '/[\\\\%_]/g',
      replace: '/[\\\\_]/g',
      tests: keywords,
    },
    {
      name: 'another beginning counts as the same in two keywords',
      file: 'src/scenarios/keywords.ts',
      find: '(start.startsWith(otherStart) || otherStart.startsWith(start)) &&',
      replace: '',
      tests: keywords,
    },
    {
      name: 'an event replaces a run before its first step',
      file: 'src/scenarios/event-starts-store.ts',
      find: '          and ${isBeginning(sql)}',
      replace: '          and false',
      tests: waiting,
    },
    {
      name: 'an event starts a scenario while an operator has the chat',
      file: 'src/scenarios/event-starts-store.ts',
      find: 'and sessions.chat_id = due.chat_id and closed_at is null',
      replace: 'and sessions.chat_id = due.chat_id and closed_at is not null',
      tests: events,
    },
    {
      name: 'an event starts a scenario in the chat that was active first',
      file: 'src/scenarios/event-starts-store.ts',
      find: 'order by last_active_at desc, id limit 1',
      replace: 'order by last_active_at, id limit 1',
      tests: events,
    },
    {
      name: 'a day starts a scenario twice in a year',
      file: 'src/scenarios/date-starts-store.ts',
      find: '(project_id, scenario_id, attribute, profile_id, year)\n      select ${project_id}, ${scenario_id}, ${attribute}, id, year',
      replace:
        '(project_id, scenario_id, attribute, profile_id, year)\n      select ${project_id}, ${scenario_id}, gen_random_uuid()::text, id, year',
      tests: dates,
    },
    {
      name: 'a day starts a scenario an hour late',
      file: 'src/scenarios/date-starts.ts',
      find: 'local.hour >= hour',
      replace: 'local.hour > hour',
      tests: dates,
    },
    {
      name: 'only the day of UTC counts',
      file: 'src/scenarios/days.ts',
      find: '[-12, 0, 14]',
      replace: '[0]',
      tests: dates,
    },
    {
      name: "a scenario's path changes another scenario's starter",
      file: 'src/scenarios/starters-store.ts',
      find: 'with of_messages as (delete from scenario_starters where ${isIt} returning id)',
      replace:
        'with of_messages as (delete from scenario_starters where project_id = ${projectId} and id = ${id} returning id)',
      tests: starters,
    },
    {
      name: 'a disabled starter conflicts',
      file: 'src/scenarios/starters.ts',
      find: 'row.is_enabled &&',
      replace: '',
      tests: starters,
    },
    {
      name: 'an audience that is not there matches everybody',
      file: 'src/scenarios/cases.ts',
      find: 'const nobody: Filter = { any: [] };',
      replace: 'const nobody: Filter = { all: [] };',
      tests: ['src/scenarios/runs/audiences.test.ts'],
    },
    {
      name: 'an audience is deleted while a chat follows an earlier version that names it',
      file: 'src/clients/audiences/store.ts',
      find: 'and walks.version = versions.version',
      replace: 'and false',
      tests: ['src/scenarios/runs/audiences.test.ts'],
    },
    {
      name: 'an audience is renamed under a scenario',
      file: 'src/people/console/audiences/update.ts',
      find: 'if (body.name !== name)',
      replace: 'if (body.name === name)',
      tests: ['src/scenarios/runs/audiences.test.ts'],
    },
    {
      name: 'a tag with the name of a word of consent is flagged',
      file: 'src/people/console/consent/scenario-words.ts',
      find: "kind === 'message' ?",
      replace: "kind !== 'date' ?",
      tests: ['src/people/console/scenarios/starters/starters.test.ts'],
    },
    {
      name: 'the words of topics are not flagged',
      file: 'src/people/console/consent/scenario-words.ts',
      find: ', ...topics.flatMap(({ words }) => words)',
      replace: '',
      tests: ['src/people/console/scenarios/starters/starters.test.ts'],
    },
    {
      name: 'a keyword that is switched off is flagged in the settings',
      file: 'src/people/console/consent/scenario-words.ts',
      find: '.filter(({ is_enabled }) => is_enabled)',
      replace: '.filter(() => true)',
      tests: ['src/people/console/scenarios/starters/starters.test.ts'],
    },
  ],
};
