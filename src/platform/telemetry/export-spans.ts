import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { DiagLogLevel, diag, type Tracer } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TracesSettings } from './traces.ts';

type Exporting = { tracer: Tracer; stop(patienceMs: number): Promise<void> };

/** Spans that do not fit are dropped: a slow collector costs neither memory nor messages. */
const mostWaiting = 2_048;
const together = 512;
const waitMs = 1_000;
const longestExportMs = 10_000;
const tellEveryMs = 60_000;

/** Exports the spans of this process in the background. */
export function startExporting(settings: TracesSettings, log: Logger): Exporting {
  tellDropped(log);
  const agents = new Set<HttpAgent>();
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: settings.headers,
    timeoutMillis: longestExportMs,
    httpAgentOptions: (protocol) => {
      const agent =
        protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
      agents.add(agent);
      return agent;
    },
  });
  const processor = new BatchSpanProcessor({
    exporter: tellingFailures(exporter, log),
    maxQueueSize: mostWaiting,
    maxExportBatchSize: together,
    scheduledDelayMillis: waitMs,
    exportTimeoutMillis: longestExportMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName }),
    sampler: samplerOf(settings.ratio),
    spanProcessors: [processor],
  });
  return {
    tracer: provider.getTracer('patchbay'),
    async stop(patienceMs) {
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, pause(patienceMs, undefined, { ref: false })]);
      for (const agent of agents) cutOff(agent);
    },
  };
}

/** A call that is cut off like this is not repeated, so that no timer keeps the process alive. */
function cutOff({ sockets, freeSockets }: HttpAgent): void {
  const open = [sockets, freeSockets].flatMap((byAddress) => Object.values(byAddress));
  for (const socket of open.flatMap((some) => some ?? [])) socket.destroy(new Error('The program stops.'));
}

/** The libraries know how many spans did not fit. They have one log for the whole process. */
function tellDropped(log: Logger): void {
  const ignore = (): void => {};
  const warn = (text: string): void => log.warn(`traces: ${text}`);
  diag.setLogger(
    { warn, error: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** A trace is recorded whole or not at all. A stranger's ids and flags decide nothing, so they are not looked at. */
function samplerOf(ratio: number): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  const ids = new RandomIdGenerator();
  const foreign: Sampler = {
    shouldSample: (context) => root.shouldSample(context, ids.generateTraceId()),
    toString: () => 'foreign',
  };
  return new ParentBasedSampler({ root, remoteParentSampled: foreign, remoteParentNotSampled: foreign });
}

/** A line a minute, and not one for each batch. */
function tellingFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let toldAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  const note = (spans: readonly ReadableSpan[], { code, error }: ExportResult): void => {
    if (code === ExportResultCode.SUCCESS) return;
    lost += spans.length;
    if (performance.now() - toldAt < tellEveryMs) return;
    log.warn({ err: error, spans: lost }, 'traces: the collector did not take spans, which are lost');
    toldAt = performance.now();
    lost = 0;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        note(spans, result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
