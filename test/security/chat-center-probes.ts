import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createAttachment } from '../../src/messaging/attachments/create.ts';
import { insertAnswer } from '../../src/people/chat-center/quick-answers-store.ts';
import type { Context } from '../../src/platform/context.ts';
import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** The operators' own objects: quick answers, one of them to be deleted, and an unsent file. */
export async function addDesk(
  context: Context,
  { projectId, name, operatorId }: { projectId: string; name: string; operatorId: string },
) {
  const { sql, newId, clock } = context;
  const [quickAnswerId, spareAnswerId] = [newId(), newId()];
  for (const id of [quickAnswerId, spareAnswerId]) {
    await insertAnswer(sql, projectId, {
      id,
      title: `hush-${name} title`,
      text: `hush-${name} answer`,
      author_id: operatorId,
      author_name: `hush-${name} operator`,
      created_at: clock.now(),
    });
  }
  const file = await createAttachment(context, {
    uploader: 'member',
    projectId,
    name: `hush-${name}.txt`,
    bytes: Readable.from([Buffer.from(`hush-${name} file`)]),
    by: `operator ${operatorId}`,
  });
  return { quickAnswerId, spareAnswerId, deskFileId: file.uuid };
}

export function chatCenterProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const at = (route: string, parts: Partial<Probe> = {}): Probe => {
    const [method, path] = route.split(' ');
    return probe(`${method} /chat-center/api/${path}`, headers, parts);
  };
  const chat = (route: string, parts: Partial<Probe> = {}): Probe => {
    const [method, path] = route.split(' ');
    return at(`${method} chats/:uuid/${path}`, { params: { uuid: own.chatId }, ...parts });
  };
  const answer = { title: 'hours', text: 'From 9 to 5.' };
  const before = `4102444800000_${own.chatId}`;
  return [
    probe('GET /chat-center/', own.person.headers),
    at('GET account/'),
    at('GET counts/'),
    at('GET pictures/', { query: { url: 'https://pictures.test/a.png' } }),
    at('GET live/', { query: { since: '1' } }),
    at('GET chats/', { query: { list: 'all', limit: '10', before } }),
    at('GET chats/', { query: { list: 'all', search: own.phone } }),
    chat('GET '),
    chat('GET messages/', { query: { before: own.connectorMessageId, limit: '10' } }),
    chat('GET messages/', { query: { after: own.clientMessageId } }),
    chat('GET profile/'),
    chat('PUT profile/', { body: { name: 'Ann' } }),
    chat('POST messages/', { body: { id: randomUUID(), type: 'text', text: 'Hello' }, once: 'id' }),
    chat('POST messages/', {
      body: { id: randomUUID(), type: 'document', text: 'Here', attachment: own.deskFileId },
      once: 'id',
    }),
    chat('POST notes/', { body: { id: randomUUID(), text: 'A note' }, once: 'id' }),
    chat('POST read/', { body: { message: own.clientMessageId } }),
    chat('POST typing/'),
    chat('POST take/'),
    chat('POST pass/', { body: { operator: own.operatorId } }),
    chat('POST close/', { body: { category: 'Delivery', theme: 'Late' } }),
    at('POST attachments/', { body: 'a text' }),
    at('GET quick-answers/'),
    at('POST quick-answers/', { body: answer }),
    at('PUT quick-answers/:uuid/', { params: { uuid: own.quickAnswerId }, body: answer }),
    at('DELETE quick-answers/:uuid/', { params: { uuid: own.spareAnswerId } }),
  ];
}
