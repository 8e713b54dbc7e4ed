import type { Member } from '../../access/auth/member.ts';
import type { Context } from '../../platform/context.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { withRoom } from '../../platform/limits/room-store.ts';
import { NotFound } from '../../platform/problem.ts';
import {
  deleteAnswer,
  findAnswer,
  insertAnswer,
  listAnswers,
  type QuickAnswerRow,
  updateAnswer,
} from './quick-answers-store.ts';
import { QuickAnswer, QuickAnswers, QuickAnswerWrite } from './schema.ts';

const present = ({ id, ...answer }: QuickAnswerRow): QuickAnswer => ({ uuid: id, ...answer });

const loadAnswer = ({ sql }: Context, { projectId }: Member, { uuid }: { uuid: string }) =>
  findAnswer(sql, projectId, uuid);

/** GET /chat-center/api/quick-answers/ */
export const listQuickAnswers = actionFor<Member>()({
  response: QuickAnswers,
  handle: async ({ context: { sql }, principal: { projectId } }) => ({
    results: (await listAnswers(sql, projectId)).map(present),
  }),
});

/** POST /chat-center/api/quick-answers/ */
export const createQuickAnswer = actionFor<Member>()({
  body: QuickAnswerWrite,
  response: QuickAnswer,
  status: 201,
  handle: async ({ context: { sql, newId, clock }, principal, body }) => {
    const { projectId, operatorId, name } = principal;
    const answer = { ...body, id: newId(), author_name: name };
    await withRoom(sql, 'quick_answers', projectId, (transaction) =>
      insertAnswer(transaction, projectId, { ...answer, author_id: operatorId, created_at: clock.now() }),
    );
    return present(answer);
  },
});

/** PUT /chat-center/api/quick-answers/{uuid}/ */
export const updateQuickAnswer = actionFor<Member>()({
  params: UuidParams,
  body: QuickAnswerWrite,
  response: QuickAnswer,
  load: loadAnswer,
  handle: async ({ context: { sql }, principal, body: { title, text }, loaded }) => {
    const answer = { ...loaded, title, text };
    if (!(await updateAnswer(sql, principal.projectId, answer))) throw new NotFound();
    return present(answer);
  },
});

/** DELETE /chat-center/api/quick-answers/{uuid}/ */
export const deleteQuickAnswer = actionFor<Member>()({
  params: UuidParams,
  load: loadAnswer,
  handle: async ({ context: { sql }, principal, loaded: { id } }) => {
    if (!(await deleteAnswer(sql, principal.projectId, id))) throw new NotFound();
  },
});
