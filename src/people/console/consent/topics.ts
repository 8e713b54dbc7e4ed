import type { Member } from '../../../access/auth/member.ts';
import { readProject } from '../../../access/projects/store.ts';
import {
  deleteTopic,
  findTopic,
  insertTopic,
  listTopics,
  type Topic as Row,
  topicsName,
  updateTopic,
} from '../../../clients/consent/topics-store.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { invalid, messages, Refused } from '../../../platform/problem.ts';
import { checkPair } from '../settings/check-pair.ts';
import { Topic, Topics, TopicWrite } from './schema.ts';
import { checkMeaning, wordsOf } from './words.ts';

const define = actionFor<Member>();

const present = ({ id, ...topic }: Row): Topic => ({ uuid: id, ...topic });

/** GET /console/api/topics/ */
export const readTopics = define({
  response: Topics,
  handle: async ({ context: { sql }, principal: { projectId } }) => ({
    results: (await listTopics(sql, projectId)).map(present),
  }),
});

/** POST /console/api/topics/ */
export const createTopic = define({
  body: TopicWrite,
  response: Topic,
  handle: async ({ context: { sql, newId, clock }, principal: { projectId }, body }) => {
    const topic = { id: newId(), ...rowOf(body) };
    await checkWords(sql, projectId, topic);
    await named(
      withRoom(sql, 'topics', projectId, (transaction) =>
        insertTopic(transaction, projectId, topic, clock.now()),
      ),
    );
    return present(topic);
  },
});

/** PUT /console/api/topics/{uuid}/ */
export const changeTopic = define({
  params: UuidParams,
  body: TopicWrite,
  response: Topic,
  load: ({ sql }, { projectId }, { uuid }) => findTopic(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, body, loaded }) => {
    const topic = { id: loaded.id, ...rowOf(body) };
    await checkWords(sql, projectId, topic);
    await named(updateTopic(sql, projectId, topic));
    return present(topic);
  },
});

/** DELETE /console/api/topics/{uuid}/ */
export const removeTopic = define({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findTopic(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded }) => {
    if (!(await deleteTopic(sql, projectId, loaded.id))) {
      throw new Refused('A mailing is about this topic.');
    }
  },
});

function rowOf(body: TopicWrite): Omit<Row, 'id'> {
  const { name: given, description = '', words = [], cap_messages = null, cap_days = null } = body;
  checkPair(['cap_messages', cap_messages], ['cap_days', cap_days]);
  const name = given.trim();
  if (name === '') throw invalid('name', messages.blank);
  return { name, description, words: wordsOf(words, 'words'), cap_messages, cap_days };
}

/** A word leaves one topic, and neither leaves everything nor comes back. */
async function checkWords(sql: Sql, projectId: string, { id, words }: Row): Promise<void> {
  const { leave_words, return_words } = await readProject(sql, projectId);
  const others = (await listTopics(sql, projectId)).filter((topic) => topic.id !== id);
  checkMeaning(words, 'words', [...leave_words, ...return_words, ...others.flatMap((topic) => topic.words)]);
}

async function named<Outcome>(writing: Promise<Outcome>): Promise<Outcome> {
  try {
    return await writing;
  } catch (error) {
    if (isUniqueViolation(error, topicsName)) throw invalid('name', messages.unique);
    throw error;
  }
}
