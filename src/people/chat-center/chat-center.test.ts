import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { type Answer, createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { startMessenger as startReceiver } from '../../../test/stand-ins/messenger.ts';

const patchbay = await startPatchbay({ after });
const { context, call } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const olga = await signIn(context, { projectId, role: 'operator', name: 'Olga' });
const ivan = await signIn(context, { projectId, role: 'operator', name: 'Ivan' });
const stranger = await createPartner({ after }, patchbay);
const outsider = await signIn(context, { projectId: stranger.projectId, role: 'operator', name: 'Eve' });

type Headers = Record<string, string>;

const api = (headers: Headers) => (method: string, path: string, body?: unknown) =>
  call(method, `/chat-center/api/${path}`, { headers, ...(body !== undefined && { body }) });
const asOlga = api(olga.headers);
const asIvan = api(ivan.headers);
const asOutsider = api(outsider.headers);

const write = (name: string, text: string) =>
  call('POST', `/channels/${partner.channel.id}/messages/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: {
      chat: { external_id: name, name },
      message: { external_id: randomUUID(), type: 'text', text },
    },
  });

const names = async (list: string, as = asOlga, more = '') => {
  const { status, body } = await as('GET', `chats/?list=${list}${more}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.results.map(({ name }: { name: string }) => name);
};
const say = (text: string, id: string = randomUUID()) => ({ id, type: 'text', text });

test('a chat goes from waiting to mine to closed, and the counts follow', async () => {
  const { chat } = await partner.client('Ann');
  assert.deepEqual(await names('waiting'), ['Ann']);
  assert.deepEqual((await asOlga('GET', 'counts/')).body, { mine: 0, mine_unread: 0, waiting: 1, unread: 1 });
  const { body: entry } = await asOlga('GET', `chats/${chat}/`);
  assert.deepEqual(
    [entry.unread, entry.session, entry.last_message.text, entry.last_message.direction],
    [1, null, 'Hi', 'in'],
  );

  const taken = await asOlga('POST', `chats/${chat}/take/`);
  assert.deepEqual(taken.body.session.operator, { uuid: olga.operatorId, name: 'Olga' });
  assert.deepEqual([await names('waiting'), await names('mine')], [[], ['Ann']]);
  assert.deepEqual(await names('mine', asIvan), []);
  assert.deepEqual((await asOlga('GET', 'counts/')).body, { mine: 1, mine_unread: 1, waiting: 0, unread: 1 });

  const sent = await asOlga('POST', `chats/${chat}/messages/`, say('Hello, Ann'));
  assert.equal(sent.status, 201);
  assert.equal((await asOlga('GET', `chats/${chat}/`)).body.unread, 0);
  await write('Ann', 'Thanks');
  assert.equal((await asOlga('GET', `chats/${chat}/`)).body.unread, 1);

  const closed = await asOlga('POST', `chats/${chat}/close/`, { category: 'Delivery', theme: 'Late' });
  assert.deepEqual([closed.body.session, closed.body.unread], [null, 0]);
  assert.deepEqual([await names('mine'), await names('closed')], [[], ['Ann']]);
  await write('Ann', 'One more thing');
  assert.deepEqual([await names('waiting'), await names('closed')], [['Ann'], ['Ann']]);
  const { body: account } = await asOlga('GET', 'account/');
  assert.deepEqual([account.categories, account.themes], [['Delivery'], ['Late']]);
  assert.deepEqual(
    account.operators.map(({ name }: { name: string }) => name),
    ['Ivan', 'Olga'],
  );
  assert.deepEqual([account.is_frame, account.profile, account.project.title], [false, null, 'Test project']);
});

test('a history has all entries in order, from both ends', async () => {
  const { chat } = await partner.client('Boris');
  await asOlga('POST', `chats/${chat}/messages/`, say('Hello'));
  await asOlga('POST', `chats/${chat}/notes/`, { id: randomUUID(), text: 'Wants a discount' });
  await asOlga('POST', `chats/${chat}/pass/`, { operator: ivan.operatorId });
  await asIvan('POST', `chats/${chat}/close/`, {});

  const { body } = await asOlga('GET', `chats/${chat}/messages/`);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
  const told = body.results.map(({ author, message, note, session }: any) => [
    author?.name ?? null,
    message?.text ?? note?.text ?? session.step,
  ]);
  assert.deepEqual(told, [
    [null, 'Hi'],
    ['Olga', 'opened'],
    ['Olga', 'Hello'],
    ['Olga', 'Wants a discount'],
    ['Olga', 'passed'],
    ['Ivan', 'closed'],
  ]);
  assert.deepEqual([body.has_older, body.has_newer], [false, false]);
  const [first, second, third] = body.results;
  // By their ids: a message's state may change between two reads.
  const page = ({ body }: Answer) => ({
    ...body,
    results: body.results.map(({ uuid }: { uuid: string }) => uuid),
  });
  const forward = await asOlga('GET', `chats/${chat}/messages/?after=${first.uuid}&limit=2`);
  assert.deepEqual(page(forward), {
    results: [second.uuid, third.uuid],
    has_older: true,
    has_newer: true,
  });
  const back = await asOlga('GET', `chats/${chat}/messages/?before=${third.uuid}&limit=1`);
  assert.deepEqual(page(back), { results: [second.uuid], has_older: true, has_newer: true });
});

test('a repeated message, also concurrent, is sent once', async () => {
  const { chat } = await partner.client('Clara');
  const message = say('Only once');
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => asOlga('POST', `chats/${chat}/messages/`, message)),
  );
  answers.push(await asOlga('POST', `chats/${chat}/messages/`, message));
  const made = answers.map(({ status, body }) => [status, body.uuid, body.message.echo_id]);
  assert.deepEqual(made, Array(5).fill([201, made[0]?.[1], message.id]));
  const note = { id: randomUUID(), text: 'Once' };
  const notes = await Promise.all([0, 1].map(() => asOlga('POST', `chats/${chat}/notes/`, note)));
  assert.equal(new Set(notes.map(({ body }) => body.uuid)).size, 1);
  const { body } = await asOlga('GET', `chats/${chat}/messages/`);
  assert.equal(body.results.filter(({ message }: { message: unknown }) => message).length, 2);
  assert.equal(body.results.filter(({ note }: { note: unknown }) => note).length, 1);
});

test('partners get an event for every action, in order', async (t) => {
  // A project of its own: the messages of other tests may still be on their way.
  const partner = await createPartner(t, patchbay);
  const { projectId } = partner;
  const receiver = await startReceiver(t);
  const put = await call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: receiver.url },
  });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const olga = await signIn(context, { projectId, role: 'operator', name: 'Olga' });
  const ivan = await signIn(context, { projectId, role: 'operator', name: 'Ivan' });
  const { chat } = await partner.client('Dora');
  await api(olga.headers)('POST', `chats/${chat}/messages/`, say('Hello, Dora'));
  await receiver.received(5);
  await api(olga.headers)('POST', `chats/${chat}/pass/`, { operator: ivan.operatorId });
  await api(ivan.headers)('POST', `chats/${chat}/take/`);
  await api(ivan.headers)('POST', `chats/${chat}/close/`, {});
  await api(ivan.headers)('POST', `chats/${chat}/take/`);
  const deliveries = await receiver.received(7);
  const heard = deliveries
    .slice(1)
    .map(({ body }) => [
      body.event_type,
      body.payload.message?.text ?? null,
      body.payload.session?.operator?.name ?? null,
    ]);
  assert.deepEqual(heard, [
    ['message_created', 'Hi', null],
    ['session_updated', null, null],
    ['operator_replied', 'Hello, Dora', 'Olga'],
    ['message_updated', 'Hello, Dora', null],
    ['session_updated', null, null],
    ['session_updated', null, null],
  ]);
});

test('an answer leaves a colleague’s session with them, and takes an unassigned one', async () => {
  const { chat } = await partner.client('Emma');
  await asIvan('POST', `chats/${chat}/take/`);
  await asOlga('POST', `chats/${chat}/messages/`, say('Me too'));
  assert.equal((await asOlga('GET', `chats/${chat}/`)).body.session.operator.name, 'Ivan');
  await sql`update sessions set operator_id = null, operator_name = null where chat_id = ${chat}`;
  assert.ok((await names('waiting')).includes('Emma'));
  await asOlga('POST', `chats/${chat}/messages/`, say('Mine now'));
  assert.equal((await asOlga('GET', `chats/${chat}/`)).body.session.operator.name, 'Olga');
});

test("a read mark moves forwards only, and never beyond the client's last message", async () => {
  const { chat, message: first } = await partner.client('Fedor');
  const { body: second } = await write('Fedor', 'Second');
  const unread = async () => (await asOlga('GET', `chats/${chat}/`)).body.unread;
  assert.equal((await asOlga('POST', `chats/${chat}/read/`, { message: first })).body.unread, 1);
  assert.equal(
    (await asIvan('POST', `chats/${chat}/read/`, { message: second.message_uuid })).body.unread,
    0,
  );
  assert.equal((await asOlga('POST', `chats/${chat}/read/`, { message: first })).body.unread, 0);
  await asOlga('POST', `chats/${chat}/read/`, { message: 'ffffffff-ffff-ffff-ffff-ffffffffffff' });
  await write('Fedor', 'Third');
  assert.equal(await unread(), 1);
});

test('a search finds clients by the beginning of their data, within a list', async () => {
  const { chat } = await partner.client('Gleb Orlov', { phone: '+15557770001', username: 'gleb_o' });
  for (const search of ['gleb', 'ORL', '+1 555 777', '15557770001', '@GLEB_O']) {
    assert.deepEqual(
      await names('all', asOlga, `&search=${encodeURIComponent(search)}`),
      ['Gleb Orlov'],
      search,
    );
  }
  assert.deepEqual(await names('all', asOlga, '&search=leb'), []);
  assert.deepEqual(await names('mine', asOlga, '&search=gleb'), []);
  await asOlga('POST', `chats/${chat}/take/`);
  assert.deepEqual(await names('mine', asOlga, '&search=gleb'), ['Gleb Orlov']);
});

test('lists are read page by page, each chat once', async () => {
  for (const list of ['all', 'mine', 'waiting', 'closed']) {
    const whole = await names(list, asOlga, '&limit=100');
    const paged: string[] = [];
    for (let before = ''; ; ) {
      const { body } = await asOlga('GET', `chats/?list=${list}&limit=1${before}`);
      paged.push(...body.results.map(({ name }: { name: string }) => name));
      if (body.next === null) break;
      before = `&before=${body.next}`;
    }
    assert.ok(whole.length > 0, list);
    assert.deepEqual(paged, whole, list);
  }
});

test('a client is changed on behalf of the operator', async () => {
  const { chat, profile } = await partner.client('Hanna');
  const { body } = await asOlga('PUT', `chats/${chat}/profile/`, { name: 'Hanna B.', email: 'h@shop.test' });
  assert.deepEqual([body.uuid, body.name, body.email], [profile, 'Hanna B.', 'h@shop.test']);
  assert.equal((await asOlga('GET', `chats/${chat}/profile/`)).body.name, 'Hanna B.');
  const wrong = await asOlga('PUT', `chats/${chat}/profile/`, { phone_number: 'no number' });
  assert.deepEqual([wrong.status, Object.keys(wrong.body)], [400, ['phone_number']]);
  const [record] = await sql`
    select actor_type, actor_name from profile_audit where profile_id = ${profile} order by id desc limit 1`;
  assert.deepEqual({ ...record }, { actor_type: 'operator', actor_name: 'Olga' });
});

test('quick answers are shared by the whole project', async () => {
  const made = await asOlga('POST', 'quick-answers/', { title: 'hours', text: 'We are open from 9 to 5.' });
  assert.equal(made.status, 201);
  const changed = { title: 'hours', text: 'We are open all day.' };
  assert.equal((await asIvan('PUT', `quick-answers/${made.body.uuid}/`, changed)).status, 200);
  const { body } = await asIvan('GET', 'quick-answers/');
  assert.deepEqual(body.results, [{ uuid: made.body.uuid, ...changed, author_name: 'Olga' }]);
  assert.equal((await asOutsider('DELETE', `quick-answers/${made.body.uuid}/`)).status, 404);
  const deletions = [1, 2, 3].map(() => asOlga('DELETE', `quick-answers/${made.body.uuid}/`));
  assert.deepEqual((await Promise.all(deletions)).map(({ status }) => status).sort(), [204, 404, 404]);
  assert.deepEqual((await asOlga('GET', 'quick-answers/')).body.results, []);
});

test('a message that cannot be sent is refused beside its field, and opens no session', async () => {
  const { chat } = await partner.client('Igor');
  const cases: [object, string][] = [
    [{ type: 'text' }, 'text'],
    [{ type: 'text', text: '   ' }, 'text'],
    [{ type: 'image' }, 'attachment'],
    [{ type: 'document', attachment: randomUUID() }, 'attachment'],
  ];
  for (const [body, field] of cases) {
    const { status, body: answer } = await asOlga('POST', `chats/${chat}/messages/`, {
      id: randomUUID(),
      ...body,
    });
    assert.deepEqual([status, Object.keys(answer)], [400, [field]]);
  }
  const toStranger = await asOlga('POST', `chats/${chat}/pass/`, { operator: outsider.operatorId });
  assert.deepEqual([toStranger.status, Object.keys(toStranger.body)], [400, ['operator']]);
  assert.equal((await asOlga('GET', `chats/${chat}/`)).body.session, null);
});

test("an operator's uploaded file reaches the client, and only its owner can send it", async () => {
  const { chat } = await partner.client('Julia');
  const upload = await fetch(`${patchbay.address}/chat-center/api/attachments/?name=list.txt`, {
    method: 'POST',
    headers: { ...olga.headers, 'content-type': 'application/octet-stream' },
    body: 'Oranges',
  });
  assert.equal(upload.status, 201);
  const { uuid, url, name } = JSON.parse(await upload.text());
  assert.equal(name, 'list.txt');
  const message = () => ({ id: randomUUID(), type: 'document', text: 'Your list', attachment: uuid });
  assert.equal((await asIvan('POST', `chats/${chat}/messages/`, message())).status, 400);
  const image = await asOlga('POST', `chats/${chat}/messages/`, { ...message(), type: 'image' });
  assert.deepEqual([image.status, Object.keys(image.body)], [400, ['type']]);
  const sent = await asOlga('POST', `chats/${chat}/messages/`, message());
  assert.deepEqual([sent.status, sent.body.message.url, sent.body.message.text], [201, url, 'Your list']);
});

test('a chat of another project is not found, whatever the request', async () => {
  const { chat } = await partner.client('Kira');
  const attempts: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', 'messages/'],
    ['GET', 'profile/'],
    ['PUT', 'profile/', { name: 'Stolen' }],
    ['POST', 'read/', { message: randomUUID() }],
    ['POST', 'messages/', say('Hi')],
    ['POST', 'notes/', { id: randomUUID(), text: 'x' }],
    ['POST', 'typing/'],
    ['POST', 'take/'],
    ['POST', 'pass/', { operator: outsider.operatorId }],
    ['POST', 'close/', {}],
  ];
  for (const [method, path, body] of attempts) {
    const { status } = await asOutsider(method, `chats/${chat}/${path}`, body);
    assert.equal(status, 404, `${method} ${path}`);
  }
  assert.deepEqual(await names('all', asOutsider), []);
  const elsewhere = { ...outsider.headers, 'patchbay-project': projectId };
  assert.equal((await api(elsewhere)('GET', 'chats/')).status, 403);
  assert.equal((await api({})('GET', 'chats/')).status, 401);
  const page = await call('GET', `/chat-center/?project=${projectId}`);
  assert.equal(page.status, 303);
  assert.match(page.headers.get('location') ?? '', /^\/sign-in\/\?next=.*chat-center/);
});
