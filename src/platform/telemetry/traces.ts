import type { Attributes, SpanContext, SpanOptions } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { within } from '../work.ts';

/** `endpoint` has no trailing slash. */
export type TracesSettings = {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of traces that are recorded. */
  ratio: number;
};

/**
 * What a span may tell. The list is closed: no contents, names, numbers or credentials leave the program this way.
 * Errors are codes.
 */
export type Facts = {
  method?: string;
  /** The pattern of an address. The address itself has names and numbers. */
  route?: string;
  status?: number | null;
  project?: string;
  message?: string;
  channel?: string;
  platform?: string;
  endpoint?: string;
  event?: string;
  mailing?: string;
  scenarioRun?: string;
  attempt?: number;
  outcome?: string;
  error?: string;
};

/** Source: the semantic conventions of OpenTelemetry. The names that they lack begin with `patchbay`. */
const attributeNames = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  project: 'patchbay.project.id',
  message: 'patchbay.message.id',
  channel: 'patchbay.channel.id',
  platform: 'patchbay.platform',
  endpoint: 'patchbay.endpoint.id',
  event: 'patchbay.event.id',
  mailing: 'patchbay.mailing.id',
  scenarioRun: 'patchbay.scenario_run.id',
  attempt: 'patchbay.attempt',
  outcome: 'patchbay.outcome',
  error: 'error.type',
} as const satisfies Record<keyof Facts, string>;

const isFact = (name: string): name is keyof Facts => Object.hasOwn(attributeNames, name);

function attributesOf(facts: Facts): Attributes {
  const attributes: Attributes = {};
  for (const name of Object.keys(facts).filter(isFact)) {
    attributes[attributeNames[name]] = facts[name] ?? undefined;
  }
  return attributes;
}

type Kind = 'server' | 'client' | 'internal';

type Beginning = { name: string; kind: Kind; facts: Facts };

export type Span = {
  /** The span as in the header `traceparent`, for rows, events and calls. */
  trace: string;
  tell(facts: Facts): void;
  end(facts?: Facts): void;
};

/** The spans of one process. Null instead of a span: the trace is not sampled, or there is none. */
export type Traces = {
  /** A new trace. */
  begin(span: Beginning): Span | null;
  /**
   * A span under a stranger's one. The header only gives the ids: whether to record is decided here. A malformed one
   * is ignored.
   */
  receive(header: string | undefined, span: Beginning): Span | null;
  /** A span under one of ours. Null without it: a trace that was not sampled at its beginning has no later parts. */
  follow(trace: string | null | undefined, span: Beginning): Span | null;
  /** Sends what is left, and gives up soon. */
  stop(): Promise<void>;
};

const version = '00';
const sampledFlags = '01';
/** A collector that hangs may not hold up a stop. */
const stopPatienceMs = 2_000;

/** Loads the libraries. Without it they are never loaded. */
export async function startTraces(settings: TracesSettings, log: Logger): Promise<Traces> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } = await import('@opentelemetry/api');
  const { parseTraceParent } = await import('@opentelemetry/core');
  const { startExporting } = await import('./export-spans.ts');
  const exporting = startExporting(settings, log);
  const { tracer } = exporting;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

  function start({ name, kind, facts }: Beginning, parent?: SpanContext): Span | null {
    const options: SpanOptions = { kind: kinds[kind], attributes: attributesOf(facts) };
    const around = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const span = tracer.startSpan(name, options, around);
    if (!span.isRecording()) return null;
    const { traceId, spanId } = span.spanContext();
    const tell = (told: Facts): void => {
      span.setAttributes(attributesOf(told));
      if (told.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    };
    return {
      trace: `${version}-${traceId}-${spanId}-${sampledFlags}`,
      tell,
      end(told = {}) {
        tell(told);
        span.end();
      },
    };
  }

  return {
    begin: (span) => start(span),
    receive(header, span) {
      const parent = header === undefined ? null : parseTraceParent(header);
      return start(span, parent ? { ...parent, isRemote: true } : undefined);
    },
    follow(row, span) {
      const parent = row ? parseTraceParent(row) : null;
      return parent && start(span, { ...parent, isRemote: false, traceFlags: TraceFlags.SAMPLED });
    },
    stop: () => exporting.stop(stopPatienceMs),
  };
}

/** Runs some work as this span. Its log lines, rows and events carry the span's ids. */
export async function during<Result>(
  span: Span | null | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!span) return run();
  try {
    return await within({ trace: span.trace }, run);
  } catch (error) {
    span.tell({ error: error instanceof Error ? error.constructor.name : 'unknown' });
    throw error;
  } finally {
    span.end();
  }
}
