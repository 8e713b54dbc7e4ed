import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEntry, ChatList } from '../../../../src/people/chat-center/schema.ts';
import type { Chats } from './cache.ts';
import { belongsTo, withChat } from './lists.ts';

const me = 'me';
const held = (uuid: string | null): ChatEntry['session'] => ({
  uuid: 'session',
  operator: uuid === null ? null : { uuid, name: uuid },
  title: '',
  opened_at: '2026-11-20T12:00:00.000Z',
});

const chat = (uuid: string, minute: number, more: Partial<ChatEntry> = {}): ChatEntry => ({
  uuid,
  platform: 'Telegram',
  name: uuid,
  avatar: null,
  profile: { uuid, name: null },
  address: 'ann',
  last_message: null,
  unread: 0,
  session: null,
  last_active_at: `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`,
  ...more,
});

const pages = (...results: ChatEntry[][]): Chats => ({
  pages: results.map((page, position) => ({
    results: page,
    next: position === results.length - 1 ? 'more' : 'next',
  })),
  pageParams: results.map(() => ''),
});

const names = ({ pages: given }: Chats): string[][] =>
  given.map(({ results }) => results.map(({ uuid }) => uuid));

/** How live events change a list. */
function after(
  list: ChatList,
  data: Chats,
  told: ChatEntry,
  before?: ChatEntry,
  isSearch = false,
): string[][] {
  return names(withChat(data, told, { list, belongs: belongsTo(list, told, before, me), isSearch }));
}

test('a chat is in the same lists as on the server', () => {
  const lists = ['mine', 'waiting', 'all', 'closed'] as const;
  const cases: [told: ChatEntry, before: ChatEntry | undefined, belongs: unknown[]][] = [
    [chat('a', 1, { session: held(me) }), undefined, [true, false, true, false]],
    [chat('a', 1, { session: held('other') }), undefined, [false, false, true, false]],
    [chat('a', 1, { session: held(null) }), undefined, [false, true, true, false]],
    [chat('a', 1, { unread: 1 }), undefined, [false, true, true, 'as before']],
    [chat('a', 1), chat('a', 1, { session: held(me) }), [false, false, true, true]],
  ];
  for (const [told, before, belongs] of cases) {
    assert.deepEqual(
      lists.map((list) => belongsTo(list, told, before, me)),
      belongs,
    );
  }
});

test('a chat is placed by the client’s last activity, and only once', () => {
  const data = pages([chat('c', 30), chat('b', 20)], [chat('a', 10)]);
  assert.deepEqual(after('all', data, chat('a', 40)), [['a', 'c', 'b'], []]);
  assert.deepEqual(after('all', data, chat('new', 25)), [['c', 'new', 'b'], ['a']]);
  assert.deepEqual(after('all', data, chat('b', 20, { unread: 3 })), [['c', 'b'], ['a']]);
});

test('a chat after the loaded pages waits for its page, unless all pages are loaded', () => {
  const data = pages([chat('c', 30)]);
  assert.deepEqual(after('all', data, chat('old', 1)), [['c']]);
  const whole = { ...data, pages: data.pages.map((page) => ({ ...page, next: null })) };
  assert.deepEqual(after('all', whole, chat('old', 1)), [['c', 'old']]);
});

test('a chat leaves a list that it no longer belongs to, and a newly closed chat is first among the closed', () => {
  const mine = chat('a', 10, { session: held(me) });
  assert.deepEqual(after('mine', pages([mine]), chat('a', 10, { session: held('other') }), mine), [[]]);
  assert.deepEqual(after('closed', pages([chat('b', 20)]), chat('a', 10), mine), [['a', 'b']]);
  assert.deepEqual(after('closed', pages([chat('b', 20)]), chat('stranger', 30)), [['b']]);
});

test('search results keep their order and get no new chats', () => {
  const found = pages([chat('b', 20), chat('a', 10)]);
  assert.deepEqual(after('all', found, chat('a', 40), undefined, true), [['b', 'a']]);
  assert.deepEqual(after('all', found, chat('new', 40), undefined, true), [['b', 'a']]);
});
