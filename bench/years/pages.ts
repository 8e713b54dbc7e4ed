export type Page = { name: string; path: string; headers: Record<string, string> };

/** A chat with a hundredth of all messages, an ordinary one, a mailing, a time, and the phone number of a client. */
export type Ids = { busy: string; chat: string; mailing: string; since: string; phone: string };

const partners = (key: Record<string, string>, ids: Ids): Page[] => {
  const pushes = '/api/partners/push-messages/?limit=100';
  return [
    ['push messages', pushes],
    ['push messages far back', `${pushes}&offset=100000`],
    ['push messages of a chat', `${pushes}&chat=${ids.chat}`],
    ['push messages of the busy chat', `${pushes}&chat=${ids.busy}`],
    ['undelivered push messages', `${pushes}&state=UNDELIVERED`],
    ['push messages since yesterday', `${pushes}&created_at__gte=${ids.since}`],
    ['clients', '/api/partners/profiles/?limit=100'],
    ['client by phone', `/api/partners/profiles/phone/${encodeURIComponent(ids.phone)}/`],
    ['mailings', '/api/partners/mailings/'],
  ].map(([name = '', path = '']) => ({ name, path, headers: key }));
};

const people = (headers: Record<string, string>, ids: Ids): Page[] =>
  [
    ['chats', '/chat-center/api/chats/'],
    ['chats waiting for an answer', '/chat-center/api/chats/?list=waiting'],
    ['closed chats', '/chat-center/api/chats/?list=closed'],
    ['counts of the chat lists', '/chat-center/api/counts/'],
    ['chats of a first name', '/chat-center/api/chats/?search=Anna'],
    ['chats of a letter', '/chat-center/api/chats/?search=A'],
    ['chats of a phone number', `/chat-center/api/chats/?search=${encodeURIComponent(ids.phone)}`],
    ['a chat', `/chat-center/api/chats/${ids.chat}/`],
    ['its messages', `/chat-center/api/chats/${ids.chat}/messages/`],
    ['messages of the busy chat', `/chat-center/api/chats/${ids.busy}/messages/`],
    ['clients in the console', '/console/api/profiles/'],
    ['clients of a first name', '/console/api/profiles/?search=Anna'],
    ['clients of an e-mail address', '/console/api/profiles/?search=client5000@'],
    ["a client's timeline", `/console/api/profiles/${ids.chat}/timeline/`],
    ['first page of the console', '/console/api/home/'],
    ['mailings in the console', '/console/api/mailings/'],
    ['a mailing', `/console/api/mailings/${ids.mailing}/`],
    ['its timeline', `/console/api/mailings/${ids.mailing}/timeline/`],
    ['its recipients', `/console/api/mailings/${ids.mailing}/recipients/`],
    ['its undelivered', `/console/api/mailings/${ids.mailing}/recipients/?state=undelivered`],
    ['its failures', `/console/api/mailings/${ids.mailing}/failures/`],
    ['channels', '/console/api/channels/'],
    ['retention', '/console/api/retention/'],
  ].map(([name = '', path = '']) => ({ name, path, headers }));

/** What partners and people ask for. */
export const pagesOf = (key: Record<string, string>, person: Record<string, string>, ids: Ids): Page[] => [
  ...partners(key, ids),
  ...people(person, ids),
];
