import type { Area } from '../mutation.ts';

const guide = ['src/people/console/channels/guide.test.ts'];
const health = ['src/channels/connected/health.test.ts'];
const submit = ['src/people/console/templates/submit.test.ts'];

export const channels: Area = {
  name: 'channels',
  mutations: [
    {
      name: 'a refusal repeats the secret',
      file: 'src/channels/connected/check.ts',
      find: 'refusal: withoutSecrets(adapter, settings, errorText(error))',
      replace: 'refusal: errorText(error)',
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
  ],
};
