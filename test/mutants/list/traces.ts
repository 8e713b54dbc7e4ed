import type { Area } from '../mutation.ts';

const tests = ['src/telemetry/spans.full.ts'];

export const traces: Area = {
  name: 'traces',
  mutations: [
    {
      name: 'the flag of a stranger decides what is recorded',
      file: 'src/platform/telemetry/traces.ts',
      find: '{ ...parent, isRemote: true }',
      replace: '{ ...parent, isRemote: false }',
      tests,
    },
    {
      name: 'the trace id of a stranger decides what is recorded',
      file: 'src/platform/telemetry/export-spans.ts',
      find: 'shouldSample: (context) => root.shouldSample(context, ids.generateTraceId())',
      replace: 'shouldSample: (context, id) => root.shouldSample(context, id ?? ids.generateTraceId())',
      tests,
    },
    {
      name: 'any number of spans waits for the collector',
      file: 'src/platform/telemetry/export-spans.ts',
      find: 'maxQueueSize: mostWaiting',
      replace: 'maxQueueSize: 1_000_000',
      tests,
    },
    {
      name: 'an error tells its detail',
      file: 'src/messaging/sending/spans.ts',
      find: '{ error: result.error.code }',
      replace: '{ error: result.error.detail ?? result.error.code }',
      tests,
    },
    {
      name: 'an event forgets the call that it follows',
      file: 'src/events/outbox.ts',
      find: 'trace: event.trace ?? currentTrace()',
      replace: 'trace: currentTrace()',
      tests,
    },
    {
      name: 'a message does not continue its request',
      file: 'src/messaging/push-messages/accept.ts',
      find: 'trace: currentTrace()',
      replace: 'trace: null',
      tests,
    },
    {
      name: 'a message of a scenario does not continue its step',
      file: 'src/scenarios/runs/outgoing.ts',
      find: 'trace: run.trace',
      replace: 'trace: null',
      tests,
    },
    {
      name: 'the trace of a mailing’s message is not kept',
      file: 'src/messaging/messages/moves-store.ts',
      find: 'trace = coalesce(messages.trace, given.trace)',
      replace: 'trace = messages.trace',
      tests,
    },
    {
      name: 'a mailing’s message begins no trace',
      file: 'src/messaging/sending/spans.ts',
      find: 'message.trace === null && message.mailing_id !== null',
      replace: 'message.trace === null && false',
      tests,
    },
    {
      name: 'a webhook does not say which trace it continues',
      file: 'src/events/endpoints/call.ts',
      find: '...(event.trace !== undefined && { traceparent: event.trace }),',
      replace: '',
      tests,
    },
    {
      name: 'a shared statement logs the ids of one request',
      file: 'src/platform/pump/turns.ts',
      find: 'setImmediate(() => outside(() => flusher.flush()))',
      replace: 'setImmediate(() => flusher.flush())',
      tests,
    },
    {
      name: 'a worker logs the ids of the request that woke it',
      file: 'src/platform/database/wake.ts',
      find: 'void outside(() => listeners.emit(topic))',
      replace: 'void listeners.emit(topic)',
      tests,
    },
    {
      name: 'the work after the body has no ids',
      file: 'src/platform/http/router.ts',
      find: 'within(request.work ?? {}, async () => {',
      replace: 'Promise.resolve().then(async () => {',
      tests,
    },
    {
      name: 'log lines have no ids',
      file: 'src/platform/log.ts',
      find: '    mixin: currentIds,\n',
      replace: '',
      tests,
    },
    {
      name: 'a process that hangs keeps its polls for a minute',
      file: 'src/messaging/inbound/held-channels.ts',
      find: 'holdForMs = 15_000',
      replace: 'holdForMs = 60_000',
      tests: ['src/messaging/inbound/holding.test.ts'],
    },
  ],
};
