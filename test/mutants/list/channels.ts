import type { Area } from '../mutation.ts';

const guide = ['src/people/console/channels/guide.test.ts'];
const health = ['src/channels/connected/health.test.ts'];
const lastingIds = ['src/messaging/chats/lasting-ids.test.ts'];
const presses = ['test/channels/presses.test.ts'];
const personal = ['src/channels/messengers/telegram-personal/conversation.test.ts'];
const submit = ['src/people/console/templates/submit.test.ts'];

export const channels: Area = {
  name: 'channels',
  mutations: [
    {
      name: 'comments of From have addresses of clients',
      file: 'src/channels/messengers/email/mailboxes.ts',
      find: "if (part === '(') depth += 1;",
      replace: "if (part === '(') depth = 1;",
      tests: ['src/channels/messengers/email/receive.test.ts'],
    },
    {
      name: 'the first of two From lines is the client',
      file: 'src/channels/messengers/email/sender.ts',
      find: 'lines.length === 1 && line ?',
      replace: 'line ?',
      tests: ['src/channels/messengers/email/receive.test.ts'],
    },
    {
      name: 'one of two senders passes for a web form',
      file: 'src/channels/messengers/email/sender.ts',
      find: 'from.length === 1 && ',
      replace: '',
      tests: ['src/channels/messengers/email/receive.test.ts'],
    },
    {
      name: 'a refusal repeats the secret',
      file: 'src/channels/connected/check.ts',
      find: 'refusal: withoutSecrets(adapter, settings, wordsForPeople(error))',
      replace: 'refusal: wordsForPeople(error)',
      tests: ['src/channels/connected/check.test.ts'],
    },
    {
      name: 'a provider is asked with half a setting',
      file: 'src/channels/connected/check.ts',
      find: ' && Object.keys(problems).length === 0',
      replace: '',
      tests: guide,
    },
    {
      name: 'the guard is not asked about entered addresses',
      file: 'src/channels/connected/check.ts',
      find: 'for (const address of addressesIn(alone, read)) await outbound.check(address);',
      replace: '',
      tests: guide,
    },
    {
      name: 'a later call counts as the first',
      file: 'src/channels/connected/store.ts',
      find: ' and called_at is null`',
      replace: '`',
      tests: ['src/channels/connected/channels.test.ts'],
    },
    {
      name: 'a refused call counts as a call',
      file: 'src/messaging/inbound/receive-from-provider.ts',
      find: `      if (!verdict.accepted) return refuse(verdict.status);
      if (!channel.isCalled) await noteCall(context.sql, channel, context.clock.now());`,
      replace: `      if (!channel.isCalled) await noteCall(context.sql, channel, context.clock.now());
      if (!verdict.accepted) return refuse(verdict.status);`,
      tests: guide,
    },
    {
      name: 'the stored place in the updates of an account is not used',
      file: 'src/channels/messengers/telegram-personal/mtproto.ts',
      find: '    await setPlace(telegram, place);\n',
      replace: '',
      tests: personal,
    },
    {
      name: 'nobody asks for updates after a lost connection',
      file: 'src/channels/messengers/telegram-personal/mtproto.ts',
      find: '  askAfterLosses(telegram);\n',
      replace: '',
      tests: personal,
    },
    {
      name: 'a sent text is not counted',
      file: 'src/channels/messengers/telegram-personal/mtproto.ts',
      find: '    count(telegram, updates);\n',
      replace: '',
      tests: personal,
    },
    {
      name: 'the place of a press is never given back',
      file: 'src/messaging/inbound/answer-presses.ts',
      find: '    leave?.();\n',
      replace: '',
      tests: presses,
    },
    {
      name: 'a failed answer to a press is thrown',
      file: 'src/messaging/inbound/answer-presses.ts',
      find: "    context.log.warn({ err: error, channel: channel.id }, 'a pressed button was not answered');",
      replace: '    throw error;',
      tests: presses,
    },
    {
      name: 'a late receipt lowers the kept number',
      file: 'src/messaging/chats/early-receipts-store.ts',
      find: '\n    where early_marks.up_to < excluded.up_to`',
      replace: '`',
      tests: ['src/messaging/chats/receipts.test.ts'],
    },
    {
      name: 'a kept time includes messages that were called later',
      file: 'src/messaging/chats/early-receipts-store.ts',
      find: 'called_ms <= up_to',
      replace: 'true',
      tests: ['src/messaging/chats/receipts.test.ts'],
    },
    {
      name: 'receipts are dropped with others of their batch',
      file: 'src/messaging/chats/receipts.ts',
      find: 'await findKnown(context.sql, channel, providerIds)',
      replace: 'providerIds',
      tests: ['src/messaging/chats/receipts.test.ts'],
    },
    {
      name: 'applied receipts are kept',
      file: 'src/messaging/chats/receipts.ts',
      find: '  if (kept.length > 0) await dropEarly(context.sql, channel, kept);\n',
      replace: '',
      tests: ['src/messaging/chats/receipts.test.ts'],
    },
    {
      name: 'a chat does not learn the lasting id',
      file: 'src/messaging/chats/correspondent.ts',
      find: '  if (lastingId !== externalId) await keepLastingId(sql, chat, lastingId, clock.now());\n',
      replace: '',
      tests: lastingIds,
    },
    {
      name: 'a chat keeps its old address',
      file: 'src/messaging/chats/correspondent.ts',
      find: '  await readdressChat(sql, chat, externalId);\n',
      replace: '',
      tests: lastingIds,
    },
    {
      name: 'a provider without an answer forgets the warnings',
      file: 'src/channels/connected/health.ts',
      find: '    if (!(error instanceof CredentialsRefused)) throw error;\n',
      replace: '',
      tests: health,
    },
    {
      name: 'providers are asked in every round',
      file: 'src/channels/connected/health-store.ts',
      find: '(asked_at is null or asked_at <= ${since})',
      replace: '(true or asked_at <= ${since})',
      tests: health,
    },
    {
      name: 'a channel that waits as asked is stuck',
      file: 'src/channels/connected/health.ts',
      find: 'const isAskedToWait = resume_at > due;',
      replace: 'const isAskedToWait = false;',
      tests: health,
    },
    {
      name: 'old failures count',
      file: 'src/channels/connected/health-store.ts',
      find: ' and due_at >= ${from}\n',
      replace: '\n',
      tests: health,
    },
    {
      name: 'a person overrules a provider',
      file: 'src/people/console/templates/update.ts',
      find: 'if (await isProvided(context.sql, projectId, pid)) {',
      replace: 'if (pid === "") {',
      tests: submit,
    },
    {
      name: 'a template goes to a channel of another project',
      file: 'src/people/console/templates/submit.ts',
      find: 'if (channel?.projectId !== projectId)',
      replace: 'if (!channel)',
      tests: submit,
    },
    {
      name: 'a mail that a kept connection has taken is sent again',
      file: 'src/channels/messengers/email/connections.ts',
      find: 'if (!kept || signal.aborted || !mayRepeat()) throw error;',
      replace: 'if (!kept || signal.aborted) throw error;',
      tests: ['src/channels/messengers/email/send.test.ts'],
    },
    {
      name: 'a connection is kept for any password',
      file: 'src/channels/messengers/email/connections.ts',
      find: 'JSON.stringify([smtp_url, tls, address])',
      replace: "JSON.stringify([smtp_url.replace(/:[^:@]*@/, ''), tls, address])",
      tests: ['src/channels/messengers/email/send.test.ts'],
    },
  ],
};
